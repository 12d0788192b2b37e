/// Finds the box that describes a HEIC's images (ISO/IEC 14496-12 §8.11).
struct HEICWalk: HeaderWalk {
  /// The length and name of a box, and the long form of the length.
  static let headLength = 16

  private var isAtMeta = false

  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep {
    if isAtMeta {
      HEICMeta(window).describe(&facts)
      return .end
    }
    guard var length = window.big(0, 4) else { return .end }
    var head = 8
    if length == 1 {
      // No file on a disk needs the highest byte of the 64 bits.
      guard window[8] == 0, let long = window.big(9, 7) else { return .end }
      length = long
      head = 16
    }
    guard length >= head else { return .end }
    if window.has("meta", at: 4) {
      isAtMeta = true
      return .look(at: window.start + head, length - head)
    }
    return .look(at: window.start + length, Self.headLength)
  }
}
