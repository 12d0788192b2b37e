import Server

/// Where a running server says what happens: its log, or, where there is to be none, what matters on stderr.
struct Log: Sendable {
  private let log: ServerLog?

  init(_ log: ServerLog?) { self.log = log }

  /// Nil if there are no lines about requests.
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
