import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task in a session of its own with a delegate.
final class LoneTask: Sendable {
  /// Whether a task has ended. Its delegate knows first.
  final class Ending: Sendable {
    private let hasCome = Atomic(false)

    var isThere: Bool { hasCome.load(ordering: .acquiring) }

    func come() { hasCome.store(true, ordering: .releasing) }
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

  /// Lets the task finish by itself, and ends the session after it.
  func letGo() { session.finishTasksAndInvalidate() }

  /// Cancels the task, if it has not ended, and ends the session. A second call does nothing.
  func end() {
    // URLSession on Linux crashes if a task is cancelled while it ends. The delegate learns of the end on this queue,
    // so the check is safe here.
    session.delegateQueue.addOperation { [task, ending] in
      if !ending.isThere { task.cancel() }
    }
    letGo()
  }
}
