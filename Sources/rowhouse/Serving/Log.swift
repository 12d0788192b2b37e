import Server

/// The log of a running server. Without a log, warnings and errors go to stderr.
struct Log: Sendable {
  private let log: ServerLog?

  init(_ log: ServerLog?) { self.log = log }

  /// Nil if the log has no lines about requests.
  var observer: (any AccessObserver)? { log?.tellsOfRequests == true ? log : nil }

  func tell(_ level: LogLevel, _ text: String) {
    if let log {
      log.tell(level, text)
    } else if level >= .warning {
      Terminal.complain(text)
    }
  }

  func reopen() { log?.reopen() }

  func stop() { log?.stop() }
}
