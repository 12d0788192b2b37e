import HTTP

/// A request whose body is being read.
final class Incoming {
  enum Mode {
    case buffer(limit: Int, answer: ([UInt8], Responder) -> Reply)
    case receiver(any BodyReceiver, StreamSignal)
    /// Answered already: the body is read and dropped, so much of it at most.
    case discard(left: Int)
  }

  let head: RequestHead
  var mode: Mode
  var body: [UInt8] = []
  /// Bytes of `body` that count for nothing in the budget of all connections.
  let uncounted: Int
  /// Bytes that are taken from that budget.
  var counted = 0
  /// Bytes of body so far.
  var received = 0
  /// Bytes since the deadline was last set.
  var receivedInWindow = 0
  /// Whether the receiver asked for a pause.
  var isWaiting = false
  /// Whether a 100 is to be sent as soon as the answers before it are.
  var owesContinue = false

  init(head: RequestHead, mode: Mode, uncounted: Int = 0) {
    self.head = head
    self.mode = mode
    self.uncounted = uncounted
  }
}
