/// Receives a request's body in pieces as they arrive. The connection's loop makes every call, and no call may block.
///
/// The calls are `started`, `receive` for each piece, then either `finish` or `brokenOff`. After `receive` returned a
/// response, there are no more calls. If Content-Length exceeds `limit`, `brokenOff` is the only call.
package protocol BodyReceiver: AnyObject, Sendable {
  /// The largest body in bytes. Beyond it the server answers 413 and calls `brokenOff`.
  var limit: Int { get }
  /// Called before the first piece. `signal.resume()` asks for more after `receive` returned `wait`.
  func started(_ signal: StreamSignal)
  /// Takes a piece of at most 64 KiB, which is valid only during the call.
  func receive(_ piece: Span<UInt8>) -> Uptake
  /// Answers the complete body.
  func finish(_ responder: Responder) -> Reply
  /// Called when the body cannot be completed: the client left, was too slow, or sent too much or malformed data, or
  /// the server stops.
  func brokenOff()
}

/// A receiver's reply to a piece.
package enum Uptake: Sendable {
  case more
  /// Pauses the body: the server reads nothing from the socket until the signal's `resume`.
  case wait
  /// Ends the body early with this response.
  case respond(Response)
}
