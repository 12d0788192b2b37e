/// Answers the requests of one loop. Each loop has its own handler and calls it on its thread; no call may block.
package protocol Handler: AnyObject {
  /// Decides from the head alone how to receive the body and how to answer.
  func begin(_ head: RequestHead) -> Admission
  /// Called when the loop has written and is about to wait. Release here what was kept for one wake-up.
  ///
  /// `now` is the loop's time in milliseconds. Returns the time of the next call if nothing wakes the loop before it,
  /// or nil for none.
  func wakeUpEnded(now: Int64) -> Int64?
  /// The response to a request that the server itself refuses. `head` is nil if it could not be read.
  func refusal(_ fault: RequestFault, to head: RequestHead?) -> Response
}

/// How the server receives a request's body.
package enum Admission {
  /// Reads the body into memory. A body of more than `limit` bytes is refused with 413, as soon as its Content-Length
  /// or the size of a chunk shows that. The loop's thread calls `answer` with the whole body, which is empty if the
  /// request has none.
  case buffer(limit: Int, answer: (_ body: [UInt8], Responder) -> Reply)
  /// Reads no body and sends this response.
  case respond(Response)
  /// Passes the body on in pieces as they arrive.
  case stream(any BodyReceiver)

  /// The largest size, in bytes, of a body that is always parsed on the loop. A larger body may be parsed on another
  /// thread. The connection's next request then waits for the response.
  package static let smallBody = 32 << 10
}

/// When a request is answered.
package enum Reply: Sendable {
  case now(Response)
  /// The responder sends the response later.
  case later
}
