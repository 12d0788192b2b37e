import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A reason why a call failed.
public enum RowhouseError: Error, Sendable {
  /// The server refused the call. Nothing has changed, unless the problem's code is ``Problem/Code/outcomeUnknown``.
  case refused(Problem)
  /// No attempt got an answer. A write may have been done anyway.
  case unreachable(URLError)
  /// The client does not understand the answer `body`. A write may have been done anyway.
  case unreadable(status: Int, body: Data, underlying: (any Error)?)
  /// The caller's file could not be read or written.
  case file(underlying: any Error)
  /// The task of the call was cancelled. A write may have been done anyway.
  case cancelled
}

extension RowhouseError {
  /// The problem, if the server refused the call.
  public var problem: Problem? {
    if case .refused(let problem) = self { problem } else { nil }
  }

  /// The problem's code, if the server refused the call.
  public var code: Problem.Code? { problem?.code }
}

extension RowhouseError {
  /// The reason why a request got no answer: an error of URLSession, of a file, or of a lower layer.
  init(noAnswer error: any Error) {
    if let error = error as? RowhouseError {
      self = error
      return
    }
    let known = error as? URLError
    if Task.isCancelled || error is CancellationError || known?.code == .cancelled {
      self = .cancelled
    } else {
      self = .unreachable(
        known ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error as NSError]))
    }
  }

  /// Whether the named thing does not exist, or no longer does.
  var tellsOfLoss: Bool { code == .inTrash || code == .notFound }

  /// Whether the server could not read a batch of commands. It has then done none of them.
  var tellsOfUnreadBatch: Bool {
    switch self {
    case .refused(let problem):
      problem.status == 413 || problem.code == .malformedJSON || problem.code == .invalid
    case .unreadable(let status, _, _): status == 413
    case .unreachable, .file, .cancelled: false
    }
  }

  /// Whether a later attempt may succeed: no answer, or an answer that says that a server or proxy is busy or down.
  var mayPass: Bool {
    switch self {
    case .unreachable: true
    case .refused(let problem): problem.status >= 500 || problem.status == 429
    case .unreadable(let status, _, _): status >= 500 || status == 429
    case .file, .cancelled: false
    }
  }
}

extension RowhouseError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .refused(let problem): problem.detail.map { "\(problem.title): \($0)" } ?? problem.title
    case .unreachable(let error): error.localizedDescription
    case .unreadable(let status, _, _): "The server's answer (status \(status)) cannot be read."
    case .file(let error): error.localizedDescription
    case .cancelled: "Cancelled."
    }
  }
}
