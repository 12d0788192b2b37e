import HTTP

/// What is told of one request once its answer has been handed to the socket; it holds nothing that a client keeps
/// secret: no path, no query and no body, and of the request's fields those alone that name it.
package struct AccessRecord: Sendable {
  /// Nil if the request was too broken to have one, or had no word there.
  package let method: Method?
  /// The template of its path; nil if it led nowhere, or was not answered.
  package let route: StaticString?
  /// Nil if the client left before there was an answer.
  package let status: Int?
  /// Bytes of the answer, its head among them, that were given to the socket or wait for it.
  package var bytes: Int
  /// What the answer calls its request in X-Request-Id.
  package let requestID: String?
  /// The id of the token that was shown: no secret.
  package let token: (high: UInt64, low: UInt64)?
  /// What the request says of the trace that it belongs to; from the client, but of hexadecimal digits and hyphens.
  package let traceParent: String?
  package let peer: Peer?
  /// Milliseconds since 1970 when the answer was handed over.
  package private(set) var time: Int64 = 0
  /// From the request's first byte to the handing over.
  package private(set) var microseconds: Int64 = 0
  /// When the request's first byte was handled, by the loop's stopwatch.
  private let began: Int64

  package init(
    method: Method?, route: StaticString?, status: Int?, bytes: Int, requestID: String?,
    token: (high: UInt64, low: UInt64)? = nil, traceParent: String? = nil, peer: Peer?, began: Int64
  ) {
    self.method = method
    self.route = route
    self.status = status
    self.bytes = bytes
    self.requestID = requestID
    self.token = token
    self.traceParent = traceParent
    self.peer = peer
    self.began = began
  }

  /// The answer has been handed over: `now` by the stopwatch, `time` by the calendar.
  package mutating func end(at now: Int64, time: Int64) {
    microseconds = max(0, now - began)
    self.time = time
  }
}
