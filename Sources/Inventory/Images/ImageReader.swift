/// Finds out what an image is while its bytes come by in pieces, however they are cut.
///
/// It keeps no more than the few bytes that it is looking at, 64 KiB at most, and never looks back.
package struct ImageReader: Sendable {
  /// What has been found so far; nil while the type is not known.
  package private(set) var facts: ImageMetadata?
  /// The bytes that it wants to see as a whole, by their place in the image; nil: no more.
  private var wanted: Range<Int>? = 0..<ImageSignature.length
  /// The first of those bytes, as far as they have come.
  private var window: [UInt8] = []
  /// Bytes that have come by.
  private var seen = 0
  private var walk: any HeaderWalk = ImageSignature()
  /// How often it has looked at some bytes.
  package private(set) var looks = 0

  private static let largestWindow = 64 << 10
  /// Of one image: its headers have a few hundred parts at most, and bytes that seem to have millions cost too much.
  package static let mostLooks = 1_000

  package init() {}

  /// Whether nothing that is still to come can make it an image that is known.
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
    let step = walk.look(at: ByteWindow(window, at: range.lowerBound), &facts)
    if let next = step.walk { walk = next }
    // Each look is further on than the one before: no bytes can keep it going in a circle.
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

/// The knowledge of one format: which bytes to look at, and what they say.
protocol HeaderWalk: Sendable {
  /// Looks at the bytes that were asked for.
  mutating func look(at window: ByteWindow, _ facts: inout ImageMetadata?) -> HeaderStep
}

/// What to look at next.
struct HeaderStep {
  /// By their place in the image, further on than what it has looked at; nil: it has seen enough.
  var wanted: Range<Int>?
  /// Who goes on, if another is to.
  var walk: (any HeaderWalk)?

  static let end = HeaderStep(wanted: nil)

  static func look(at start: Int, _ count: Int, _ walk: (any HeaderWalk)? = nil) -> HeaderStep {
    // Lengths in files are of 32 bits; one that leads past this is no place in any image.
    guard start >= 0, count > 0, start < 1 << 48, count < 1 << 33 else { return .end }
    return HeaderStep(wanted: start..<(start + count), walk: walk)
  }
}
