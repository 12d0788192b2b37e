/// The bytes of small images as cameras and programs write them, with nothing in them to be seen.
package enum SampleImage {
  /// `padding` bytes of another program's segment are between the Exif and the frame header.
  package static func jpeg(
    _ width: Int = 640, _ height: Int = 480, orientation: Int? = nil, isLittle: Bool = false,
    padding: Int = 0, frame: UInt8 = 0xC0
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += [0xFF, 0xE0] + big(16, 2) + text("JFIF") + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
    if let orientation {
      let exif = text("Exif") + [0, 0] + tiff(orientation, isLittle: isLittle)
      bytes += [0xFF, 0xE1] + big(exif.count + 2, 2) + exif
    }
    var left = padding
    while left > 0 {
      let count = min(left, 65_533)
      bytes += [0xFF, 0xE2] + big(count + 2, 2) + [UInt8](repeating: 0xFF, count: count)
      left -= count
    }
    // A fill byte, which may come before any marker.
    bytes += [0xFF, 0xFF, 0xDB] + big(67, 2) + [UInt8](repeating: 1, count: 65)
    bytes += [0xFF, frame] + big(11, 2) + [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
    bytes += [0xFF, 0xDA] + big(8, 2) + [1, 1, 0, 0, 0x3F, 0] + [0x12, 0x34, 0x56]
    return bytes + [0xFF, 0xD9]
  }

  package static func png(
    _ width: Int = 640, _ height: Int = 480, orientation: Int? = nil
  ) -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      big(data.count, 4) + text(name) + data + [0, 0, 0, 0]
    }
    let header = big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", header) + chunk("tEXt", text("Title") + [0] + text("A spork"))
    if let orientation { bytes += chunk("eXIf", tiff(orientation, isLittle: false)) }
    return bytes + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  package static func gif(_ width: Int = 640, _ height: Int = 480) -> [UInt8] {
    text("GIF89a") + little(width, 2) + little(height, 2) + [0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
      + [0x3B]
  }

  package enum WebPForm: Sendable, CaseIterable { case lossy, lossless, extended }

  package static func webp(
    _ width: Int = 640, _ height: Int = 480, _ form: WebPForm = .lossy, orientation: Int? = nil
  ) -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      text(name) + little(data.count, 4) + data + (data.count % 2 == 0 ? [] : [0])
    }
    let lossy = chunk(
      "VP8 ", [0x30, 0x01, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [7, 7, 7])
    var chunks: [UInt8]
    switch form {
    case .lossy: chunks = lossy
    case .lossless:
      chunks = chunk("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4) + [9, 9])
    case .extended:
      let flags: UInt8 = orientation == nil ? 0 : 0x08
      chunks = chunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
      chunks += lossy
      if let orientation { chunks += chunk("EXIF", tiff(orientation, isLittle: true)) }
    }
    return text("RIFF") + little(4 + chunks.count, 4) + text("WEBP") + chunks
  }

  /// A JPEG of just so many bytes, which are not those of another seed.
  package static func jpeg(size: Int, seed: UInt64 = 1) -> [UInt8] {
    var bytes = jpeg(4032, 3024, orientation: 6)
    var random = SplitMix64(seed: seed)
    bytes.reserveCapacity(size + 8)
    while bytes.count < size { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    return Array(bytes[..<size])
  }

  /// A TIFF of one directory, whose second entry is the orientation.
  private static func tiff(_ orientation: Int, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isLittle ? little(value, count) : big(value, count)
    }
    var bytes = text(isLittle ? "II" : "MM") + number(42, 2) + number(8, 4) + number(2, 2)
    bytes += number(0x0110, 2) + number(2, 2) + number(4, 4) + text("Cam") + [0]
    bytes += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    return bytes + number(0, 4)
  }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    little(value, count).reversed()
  }
}
