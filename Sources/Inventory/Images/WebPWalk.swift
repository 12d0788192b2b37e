/// Reads a WebP's first chunk, and its Exif if it has some (RFC 9649 §2).
struct WebPWalk: HeaderWalk {
  /// The name and length of a chunk.
  static let headLength = 8

  private enum Place {
    case first, lossy, lossless
    /// `next`: the start of the following chunk.
    case extended(next: Int)
    case head
    case exif
  }

  private var place = Place.first

  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep {
    switch place {
    case .first: return readFirst(window)
    case .lossy:
      // A frame tag of 3 bytes, a start code, and sides of 14 bits with a scale (RFC 6386 §9.1).
      if window.big(3, 3) == 0x9D_012A, let width = window.little(6, 2),
        let height = window.little(8, 2)
      {
        facts?.setSides(width & 0x3FFF, height & 0x3FFF)
      }
      return .end
    case .lossless:
      // A signature, and sides minus one of 14 bits (RFC 9649 §3.4).
      if window[0] == 0x2F, let bits = window.little(1, 4) {
        facts?.setSides(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
      }
      return .end
    case .extended(let next):
      // Flags, and the canvas's sides minus one of 24 bits (§2.7).
      if let width = window.little(4, 3), let height = window.little(7, 3) {
        facts?.setSides(width + 1, height + 1)
      }
      guard let flags = window[0], flags & 0x08 != 0 else { return .end }
      place = .head
      return .look(at: next, Self.headLength)
    case .head:
      guard let length = window.little(4, 4) else { return .end }
      let start = window.start + Self.headLength
      if window.has("EXIF", at: 0) {
        place = .exif
        return .look(at: start, length)
      }
      return .look(at: start + length + length % 2, Self.headLength)
    case .exif:
      facts?.orientation = ExifOrientation.read(window)
      return .end
    }
  }

  private mutating func readFirst(_ window: ByteWindow) -> HeaderStep {
    guard let length = window.little(4, 4) else { return .end }
    let start = window.start + Self.headLength
    if window.has("VP8 ", at: 0) {
      place = .lossy
      return .look(at: start, 10)
    }
    if window.has("VP8L", at: 0) {
      place = .lossless
      return .look(at: start, 5)
    }
    guard window.has("VP8X", at: 0) else { return .end }
    place = .extended(next: start + length + length % 2)
    return .look(at: start, 10)
  }
}
