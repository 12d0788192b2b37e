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
  /// The task that made the call was cancelled.
  case cancelled
}

extension RowhouseError {
  /// The problem, where the server refused.
  public var problem: Problem? {
    if case .refused(let problem) = self { problem } else { nil }
  }

  /// The problem's code, where the server refused.
  public var code: Problem.Code? { problem?.code }

  /// Whether what was asked for is not there, or no more.
  var tellsOfLoss: Bool { code == .inTrash || code == .notFound }

  /// Whether the same call may go well later.
  var mayPass: Bool {
    switch self {
    case .refused(let problem): problem.status >= 500 || problem.status == 429
    case .unreachable: true
    case .unreadable(let status, _, _): status >= 500
    case .cancelled: false
    }
  }
}

extension RowhouseError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .refused(let problem): problem.detail.map { "\(problem.title): \($0)" } ?? problem.title
    case .unreachable(let error): error.localizedDescription
    case .unreadable(let status, _, _): "An answer of status \(status) is not as expected."
    case .cancelled: "Cancelled."
    }
  }
}
