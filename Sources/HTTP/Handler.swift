/// Answers the requests of one loop: there is one for each, called on that loop's thread alone, and it never blocks.
package protocol Handler: AnyObject {
  /// Decides from the head alone how the body is taken, and how the request is answered then.
  func begin(_ head: RequestHead) -> Admission
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
package enum Admission {
  /// In memory, at most `limit` bytes; a larger one is refused with 413 before it is sent. `answer` is called on the
  /// loop's thread with the whole body, which is empty where the request has none.
  case buffer(limit: Int, answer: (_ body: [UInt8], Responder) -> Reply)
  /// Not at all: this is the answer.
  case respond(Response)
  /// In pieces, as they arrive.
  case stream(any BodyReceiver)

  /// In bytes. A larger body may be read off the loop, so that a connection's next request waits for the answer.
  package static let smallBody = 32 << 10
}

/// How a request is answered.
package enum Reply: Sendable {
  case now(Response)
  /// By the responder.
  case later
}
