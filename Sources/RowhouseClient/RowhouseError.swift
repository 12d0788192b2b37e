import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a call came to nothing.
public enum RowhouseError: Error, Sendable {
  /// The server refused, and says why. Nothing has changed, unless the problem's code is
  /// ``Problem/Code/outcomeUnknown``.
  case refused(Problem)
  /// No answer came, however often it was tried. A write may have been done all the same.
  case unreachable(URLError)
  /// An answer came that this client does not understand; `body` is what it was.
  case unreadable(status: Int, body: Data, underlying: (any Error)?)
  /// The caller's file could not be read or written.
  case file(underlying: any Error)
  /// The task that made the call was cancelled. A write may have been done all the same.
  case cancelled
}

extension RowhouseError {
  /// The problem, where the server refused.
  public var problem: Problem? {
    if case .refused(let problem) = self { problem } else { nil }
  }

  /// The problem's code, where the server refused.
  public var code: Problem.Code? { problem?.code }
}

extension RowhouseError {
  /// Why a request got no answer: URLSession's own errors, what is wrong with a file, and whatever else what
  /// lies below throws.
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

  /// Whether what was asked for is not there, or no more.
  var tellsOfLoss: Bool { code == .inTrash || code == .notFound }

  /// Whether the same may go well a while later: no answer came, or one that says that the server is
  /// busy, down, or behind something that is.
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
    case .unreadable(let status, _, _): "An answer of status \(status) is not as expected."
    case .file(let error): error.localizedDescription
    case .cancelled: "Cancelled."
    }
  }
}
