import HTTP

/// The record of a finished request. It has no secrets of the client: no path, query or body, and only the fields that
/// identify the request.
package struct AccessRecord: Sendable {
  /// Nil if the request was too malformed, or its method is not a word.
  package let method: Method?
  /// The route's path template; nil if no route matched, or there was no response.
  package let route: StaticString?
  /// Nil if the client left before the response.
  package let status: Int?
  /// Bytes of the response, its head included, that were given to the socket or wait for it.
  package var bytes: Int
  /// The request's id, as in the response's X-Request-Id.
  package let requestID: String?
  /// The id of the token that was used. It is not secret.
  package let token: (high: UInt64, low: UInt64)?
  /// The request's `traceparent`. It comes from the client, but has only hexadecimal digits and hyphens.
  package let traceParent: String?
  package let peer: Peer?
  /// When the response was written, its stream ended, or the client left, in milliseconds since 1970.
  package private(set) var time: Int64 = 0
  /// The time from the request's first byte to the writing of the response, or to the end of its stream.
  package private(set) var microseconds: Int64 = 0
  /// When the request's first byte was handled, by the loop's stopwatch.
  let began: Int64

  /// Completes the record when the response is written: `now` by the stopwatch, `time` since 1970.
  package mutating func end(at now: Int64, time: Int64) {
    microseconds = max(0, now - began)
    self.time = time
  }
}

/// Receives a record of every finished request.
package protocol AccessObserver: Sendable {
  /// Takes the requests that a loop finished since its last wake-up, and leaves none. Called on the loops' threads, so
  /// it must not block.
  func take(_ records: inout [AccessRecord])
}
