/// Reads the metadata of an image whose bytes arrive in pieces of any size.
///
/// It keeps only the bytes that it needs next, 64 KiB at most, and never goes back.
package struct ImageReader: Sendable {
  /// The metadata so far; nil while the type is unknown.
  package private(set) var facts: ImageMetadata?
  /// The range of bytes that it needs together, for the next look. Nil if it needs no more bytes.
  private var wanted: Range<Int>? = 0..<ImageSignature.length
  /// The first of those bytes, as far as they have arrived.
  private var window: [UInt8] = []
  /// The number of bytes that have arrived.
  private var seen = 0
  private var walk: any HeaderWalk = ImageSignature()
  /// The number of ranges that it has looked at.
  package private(set) var looks = 0

  private static let largestWindow = 64 << 10
  /// The most looks at one image. Headers have a few hundred parts. Bytes that seem to have millions would cost too
  /// much.
  package static let mostLooks = 1_000

  package init() {}

  /// Whether no further bytes can make it a known type.
  package var isUnknown: Bool { facts == nil && wanted == nil }

  package mutating func take(_ piece: Span<UInt8>) {
    let start = seen
    seen += piece.count
    while let wanted {
      if window.count < wanted.count {
        let next = wanted.lowerBound + window.count
        guard next < seen else { return }
        let end = min(wanted.upperBound, seen)
        piece.extracting((next - start)..<(end - start)).withUnsafeBufferPointer {
          window.append(contentsOf: $0)
        }
        guard window.count >= wanted.count else { return }
      }
      look(at: wanted)
    }
  }

  private mutating func look(at range: Range<Int>) {
    looks += 1
    let step = walk.look(at: ByteWindow(bytes: window, start: range.lowerBound), &facts)
    if let next = step.walk { walk = next }
    // Each look is further on than the one before, so no input can cause a loop.
    guard looks < Self.mostLooks, let next = step.wanted, next.count <= Self.largestWindow,
      (next.lowerBound, next.upperBound) > (range.lowerBound, range.upperBound)
    else {
      wanted = nil
      window = []
      return
    }
    window.removeFirst(min(window.count, next.lowerBound - range.lowerBound))
    wanted = next
  }
}

/// The reader of one format: chooses the bytes to look at, and interprets them.
protocol HeaderWalk: Sendable {
  /// Interprets the bytes that the last step has chosen.
  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep
}

/// The next range to look at.
struct HeaderStep {
  /// The range. It must begin after the last one, or at the same byte and end after it. Nil at the end.
  var wanted: Range<Int>?
  /// The reader that continues; nil: this one.
  var walk: (any HeaderWalk)?

  static let end = HeaderStep(wanted: nil)

  static func look(at start: Int, _ count: Int, _ walk: (any HeaderWalk)? = nil) -> HeaderStep {
    // Lengths in files have 32 bits. A larger offset is outside of any image.
    guard start >= 0, count > 0, start < 1 << 48, count < 1 << 33 else { return .end }
    return HeaderStep(wanted: start..<(start + count), walk: walk)
  }
}
