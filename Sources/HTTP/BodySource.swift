/// Supplies a response body in pieces, as fast as the client reads. The connection's loop makes every call, and no
/// call may block.
///
/// The calls are `started`, `pull` whenever there is room, then `ended` once. If no body is sent, as for HEAD, `ended`
/// is the only call.
package protocol BodySource: AnyObject, Sendable {
  /// The body's length in bytes, if known. It is sent as Content-Length, and a body of another length is a failure.
  var length: Int? { get }
  /// Whether the stream lasts until the client leaves. A client that ends its side then counts as gone, later requests
  /// on the connection get no response, and a shutdown ends the stream.
  var isEndless: Bool { get }
  /// Called when the head is in the connection's output. `signal.resume()` asks for another `pull` after one returned
  /// `wait`.
  func started(_ signal: StreamSignal)
  /// Appends the available bytes to `output`, about `limit` at most.
  func pull(into output: inout [UInt8], limit: Int) -> Supply
  /// Called when the stream has ended.
  func ended(_ ending: StreamEnding)
}

extension BodySource {
  package var length: Int? { nil }
  package var isEndless: Bool { false }
  package func started(_ signal: StreamSignal) {}
  package func ended(_ ending: StreamEnding) {}
}

/// A source's state after a pull.
package enum Supply: Sendable {
  /// More is available now.
  case more
  /// Nothing more until the signal's `resume`.
  case wait
  /// The body is complete.
  case end
  /// The body cannot be completed. The connection closes, so that the client sees a broken body.
  case fail
}

/// Why a stream ended.
package enum StreamEnding: Sendable {
  /// The source supplied everything, or the response has no body.
  case complete
  /// The source failed.
  case failed
  /// The client disconnected.
  case clientGone
  /// The client did not read.
  case readerTooSlow
  /// The server is shutting down.
  case shutdown
}
