/// Reads a PNG's chunks up to its pixels (PNG, third edition, §5 and §11).
struct PNGWalk: HeaderWalk {
  /// IHDR: length, type, contents, checksum.
  static let firstChunkLength = 25
  private static let headLength = 8

  private enum Place {
    case first
    case head
    /// `next`: the start of the following chunk.
    case exif(next: Int)
  }

  private var place = Place.first

  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep {
    switch place {
    case .first:
      guard window.has("IHDR", at: 4), window.big(0, 4) == 13 else { return .end }
      facts?.setSides(window.big(8, 4), window.big(12, 4))
      place = .head
      return .look(at: window.start + Self.firstChunkLength, Self.headLength)
    case .head:
      guard let length = window.big(0, 4), !window.has("IDAT", at: 4) else { return .end }
      let next = window.start + Self.headLength + length + 4
      if window.has("eXIf", at: 4) {
        place = .exif(next: next)
        return .look(at: window.start + Self.headLength, length)
      }
      return .look(at: next, Self.headLength)
    case .exif:
      facts?.orientation = ExifOrientation.read(window)
      return .end
    }
  }
}
