import Inventory

/// What a stream is to send, and where it stands then.
struct NextEvent: Sendable {
  var revision: Revision
  /// None where what has happened is nothing to this stream.
  var bytes: [UInt8] = []
  /// Whether the stream ends behind it.
  var isLast = false
}
