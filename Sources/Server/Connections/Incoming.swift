import HTTP

/// A request whose body is being read.
final class Incoming {
  enum Mode {
    case buffer(limit: Int, answer: ([UInt8], Responder) -> Reply)
    case receiver(any BodyReceiver, StreamSignal)
    /// Already answered. At most `left` bytes of the body are read and dropped.
    case discard(left: Int)
  }

  let head: RequestHead
  var mode: Mode
  private(set) var body: [UInt8] = []
  /// Bytes of `body` that do not count in the quota of all connections.
  let uncounted: Int
  /// Bytes taken from that quota.
  var counted = 0
  /// Bytes of body so far.
  var received = 0
  /// Bytes since the deadline was last set.
  var receivedInWindow = 0
  /// Whether the receiver asked for a pause.
  var isWaiting = false
  /// Whether `100 Continue` must be sent after the earlier responses.
  var owesContinue = false

  init(head: RequestHead, mode: Mode, uncounted: Int = 0) {
    self.head = head
    self.mode = mode
    self.uncounted = uncounted
  }

  /// Adds a piece to `body`.
  ///
  /// Reserves the announced length, or the limit, as soon as an eighth of it is there. Each growth of an array copies
  /// it, and the copy of megabytes would keep the loop from its other connections for milliseconds. A length that is
  /// only announced reserves little.
  func append(_ piece: Span<UInt8>, limit: Int) {
    let expected = min(head.contentLength ?? limit, limit)
    let wanted = body.count + piece.count > expected / 8 ? expected : min(expected, 16 << 10)
    if body.capacity < wanted { body.reserveCapacity(wanted) }
    piece.withUnsafeBufferPointer { body.append(contentsOf: $0) }
  }
}
