/// Takes a request's body in pieces as they arrive; every call is made on the connection's loop and never blocks.
///
/// The calls are `started`, then `receive` for each piece, then one of `finish` and `brokenOff`, or neither if
/// `receive` gave the answer.
package protocol BodyReceiver: AnyObject, Sendable {
  /// Bytes of body that are taken; beyond them the server answers 413 and calls `brokenOff`.
  var limit: Int { get }
  /// The body is about to come; `signal.resume()` asks for more after `receive` said `wait`.
  func started(_ signal: StreamSignal)
  /// Takes a piece, which is only there during the call, of at most 64 KiB.
  func receive(_ piece: Span<UInt8>) -> Uptake
  /// The body is complete: what is the answer?
  func finish(_ responder: Responder) -> Reply
  /// The body won't be complete: the client went away, was too slow or sent too much or nonsense.
  func brokenOff()
}

/// What a receiver says to a piece that it took.
package enum Uptake: Sendable {
  case more
  /// No further piece, nor `finish`, until the signal's `resume`; meanwhile nothing is read from the socket.
  case wait
  /// No further piece is wanted: this is the answer.
  case respond(Response)
}
