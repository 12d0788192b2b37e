/// Answers the requests of one loop: there is one for each, called on that loop's thread alone, and it never blocks.
package protocol Handler: AnyObject {
  /// Decides from the head alone how the body is taken; what is checked before the body is answered here.
  func begin(_ head: RequestHead) -> Admission
  /// Answers a whole request, its body buffered.
  func handle(_ request: Request, _ responder: Responder) -> Reply
  /// The loop has written and is about to wait: what is held for one wake-up is given back here.
  ///
  /// `now` and the result are the loop's milliseconds: by when to be called again, if the loop does not wake up
  /// before; nil where that does not matter.
  func wakeUpEnded(now: Int64) -> Int64?
  /// The answer to what the server itself found wrong with a request, whose head is given where it could be read.
  ///
  /// `status` is 400, 408, 413, 414, 417, 431, 500, 501, 503 or 505, `code` a stable snake_case name, `detail` a
  /// sentence for a person.
  func refusal(_ status: Int, code: String, detail: String, to head: RequestHead?) -> Response
}

/// How a request's body is taken.
package enum Admission: Sendable {
  /// In memory, at most `limit` bytes; a larger one is refused with 413 before it is sent.
  case buffer(limit: Int)
  /// Not at all: this is the answer.
  case respond(Response)
  /// In pieces, as they arrive.
  case stream(any BodyReceiver)
}

/// How a request is answered.
package enum Reply: Sendable {
  case response(Response)
  /// Later, by the responder.
  case deferred
  /// The response's status and fields, and a body in pieces; the response's own body is ignored.
  case stream(Response, any BodySource)
}
