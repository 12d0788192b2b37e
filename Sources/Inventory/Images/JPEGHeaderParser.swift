/// Reads a JPEG's segments up to its frame header (ITU-T T.81 annex B), and skips all others.
struct JPEGHeaderParser: HeaderWalk {
  /// Two bytes of marker and two of length.
  static let markerLength = 4

  private enum Place {
    case marker
    case frame
    /// `next`: the start of the following segment.
    case exif(next: Int)
  }

  private var place = Place.marker

  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep {
    switch place {
    case .marker: return readMarker(window)
    case .frame:
      facts?.setSides(window.big(3, 2), window.big(1, 2))
      return .end
    case .exif(let next):
      if facts?.orientation == nil {
        facts?.orientation = ExifOrientation.read(window)
      }
      place = .marker
      return .look(at: next, Self.markerLength)
    }
  }

  private mutating func readMarker(_ window: ByteWindow) -> HeaderStep {
    guard window[0] == 0xFF, let code = window[1], let length = window.big(2, 2) else {
      return .end
    }
    let start = window.start
    switch code {
    // Any marker may have fill bytes before it (§B.1.1.2).
    case 0xFF: return .look(at: start + 1, Self.markerLength)
    // These markers have no segment.
    case 0x01, 0xD0...0xD8: return .look(at: start + 2, Self.markerLength)
    // The end, or the image data, came before any frame.
    case 0x00, 0xD9, 0xDA: return .end
    default: break
    }
    guard length >= 2 else { return .end }
    let next = start + 2 + length
    if (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code) {
      place = .frame
      return .look(at: start + 4, 5)
    }
    if code == 0xE1, length > 2 {
      place = .exif(next: next)
      return .look(at: start + 4, length - 2)
    }
    return .look(at: next, Self.markerLength)
  }
}
