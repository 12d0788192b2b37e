import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URL session for one task, with a delegate.
final class SingleTaskSession: Sendable {
  /// Whether a task has ended. Set by its delegate.
  final class Ending: Sendable {
    private let state = Atomic(false)

    var hasEnded: Bool { state.load(ordering: .acquiring) }

    func markEnded() { state.store(true, ordering: .releasing) }
  }

  private let session: URLSession
  private let task: URLSessionTask
  private let ending: Ending

  /// - Parameters:
  ///   - other: The session whose connection settings are used.
  ///   - seconds: The longest time without any data.
  ///   - ending: Set by the delegate before it does anything else at the end of the task.
  init(
    like other: URLSession, waiting seconds: TimeInterval, delegate: any URLSessionDelegate,
    _ ending: Ending, _ makeTask: (URLSession) -> URLSessionTask
  ) {
    // On Linux a session returns its own configuration, and a change of it affects the session's calls.
    let configuration = other.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    configuration.timeoutIntervalForRequest = max(seconds, configuration.timeoutIntervalForRequest)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    task = makeTask(session)
    self.ending = ending
  }

  func start() { task.resume() }

  /// Ends the session when the task has finished.
  func finish() { session.finishTasksAndInvalidate() }

  /// Cancels the task, if it has not ended, and ends the session. A second call does nothing.
  func end() {
    // URLSession on Linux crashes if a task is cancelled while it ends. The delegate is called at the end on this
    // queue, so the check is safe here.
    session.delegateQueue.addOperation { [task, ending] in
      if !ending.hasEnded { task.cancel() }
    }
    finish()
  }
}
