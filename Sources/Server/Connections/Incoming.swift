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
  var body: [UInt8] = []
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
  /// Whether a 100 is due when the earlier responses are written.
  var owesContinue = false

  init(head: RequestHead, mode: Mode, uncounted: Int = 0) {
    self.head = head
    self.mode = mode
    self.uncounted = uncounted
  }
}
