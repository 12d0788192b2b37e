/// Gives an answer's body in pieces, as fast as the client reads; every call is made on the connection's loop and
/// never blocks.
///
/// The calls are `started`, then `pull` whenever there is room, then `ended`, once.
package protocol BodySource: AnyObject, Sendable {
  /// The whole body's length in bytes, if known: it is then sent as Content-Length, and anything else is a failure.
  var length: Int? { get }
  /// Whether the stream lives on until the client leaves; a client that stops sending then counts as gone, what it
  /// asks behind the stream is not answered, and a server that shuts down ends the stream.
  var isEndless: Bool { get }
  /// The head is on its way; `signal.resume()` asks for another `pull` after one has said `wait`.
  func started(_ signal: StreamSignal)
  /// Appends what is at hand to `output`, about `limit` bytes at most.
  func pull(into output: inout [UInt8], limit: Int) -> Supply
  /// The stream is over.
  func ended(_ ending: StreamEnding)
}

extension BodySource {
  package var length: Int? { nil }
  package var isEndless: Bool { false }
  package func started(_ signal: StreamSignal) {}
  package func ended(_ ending: StreamEnding) {}
}

/// What a source says after a pull.
package enum Supply: Sendable {
  /// There is more at once.
  case more
  /// There is no more until the signal's `resume`.
  case wait
  /// That was all.
  case end
  /// The body can't be completed: the connection closes so that the client sees it broken off.
  case fail
}

/// How a stream came to its end.
package enum StreamEnding: Sendable {
  /// The source gave everything, or an answer without a body was asked for.
  case complete
  /// The source failed.
  case failed
  /// The client went away.
  case clientGone
  /// The client did not read.
  case readerTooSlow
  /// The server is shutting down.
  case shutdown
}
