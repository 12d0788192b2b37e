/// Detects the type by the first bytes.
struct ImageSignature: HeaderWalk {
  /// No image of a known type is shorter.
  static let length = 12

  /// Brands of images coded with HEVC (ISO/IEC 23008-12 §B.4.1).
  private static let heicBrands: [StaticString] = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
  ]
  /// The longest list of brands to read. Files of cameras have a few.
  private static let longestBrands = 4 << 10

  private var isAtBrands = false

  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep {
    if isAtBrands { return readBrands(window, &facts) }
    if window.big(0, 3) == 0xFF_D8FF {
      facts = ImageMetadata(type: .jpeg)
      return .look(at: 2, JPEGHeaderParser.markerLength, JPEGHeaderParser())
    }
    if window.big(0, 4) == 0x8950_4E47, window.big(4, 4) == 0x0D0A_1A0A {
      facts = ImageMetadata(type: .png)
      return .look(at: 8, PNGWalk.firstChunkLength, PNGWalk())
    }
    if window.has("GIF87a", at: 0) || window.has("GIF89a", at: 0) {
      var found = ImageMetadata(type: .gif)
      // The logical screen's width and height (GIF89a §18).
      found.setSides(window.little(6, 2), window.little(8, 2))
      facts = found
      return .end
    }
    if window.has("RIFF", at: 0), window.has("WEBP", at: 8) {
      facts = ImageMetadata(type: .webp)
      return .look(at: 12, WebPWalk.headLength, WebPWalk())
    }
    if window.has("ftyp", at: 4), let length = window.big(0, 4),
      (16...Self.longestBrands).contains(length)
    {
      isAtBrands = true
      return .look(at: 0, length)
    }
    return .end
  }

  /// Reads the file type box (ISO/IEC 14496-12 §4.3): the main brand, a version, and the other brands.
  private func readBrands(_ window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep {
    let isHEIC = stride(from: 8, to: window.count, by: 4).contains { place in
      place != 12 && Self.heicBrands.contains { window.has($0, at: place) }
    }
    guard isHEIC else { return .end }
    facts = ImageMetadata(type: .heic)
    return .look(at: window.count, HEICWalk.headLength, HEICWalk())
  }
}
