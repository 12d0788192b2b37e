/// The format of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
  /// `TIME LEVEL request PEER METHOD ROUTE STATUS BYTES MICROSECONDS REQUEST-ID TOKEN TRACEPARENT`, with "-" for
  /// unknown values, and `TIME LEVEL server MESSAGE`.
  case text
  /// An object with `time`, `level` and `event`. A "request" has `peer`, `method`, `route`, `status`, `bytes`,
  /// `microseconds`, `requestId`, `token` and `traceparent`, with null for unknown values. A "server" event has
  /// `message`.
  case json
}

/// A log entry that is not a request.
struct LogMessage: Sendable {
  let level: LogLevel
  /// In milliseconds since 1970.
  let time: Int64
  let text: String
}
