/// How a line of the log is written.
package enum LogFormat: String, Sendable, CaseIterable {
  /// `TIME LEVEL request PEER METHOD ROUTE STATUS BYTES MICROSECONDS REQUEST-ID TOKEN TRACEPARENT`, with "-" for what is
  /// not known, and `TIME LEVEL server MESSAGE`.
  case text
  /// An object with `time`, `level` and `event`: of a "request" with `peer`, `method`, `route`, `status`, `bytes`,
  /// `microseconds`, `requestId`, `token` and `traceparent`, with null for what is not known; of the "server" with
  /// `message`.
  case json
}

/// What a log tells of besides requests.
struct LogMessage: Sendable {
  let level: LogLevel
  /// Milliseconds since 1970.
  let time: Int64
  let text: String
}
