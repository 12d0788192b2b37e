import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task in a session of its own, with a delegate, until one of both ends.
final class LoneTask: Sendable {
  /// Whether a task has ended, as its delegate is the first to know.
  final class Ending: Sendable {
    private let hasCome = Atomic(false)

    var isThere: Bool { hasCome.load(ordering: .acquiring) }

    func come() { hasCome.store(true, ordering: .releasing) }
  }

  private let session: URLSession
  private let task: URLSessionTask
  private let ending: Ending

  /// - Parameters:
  ///   - other: a session whose way of connecting is taken over.
  ///   - seconds: how long nothing may come.
  ///   - ending: which the delegate sets before it does anything else with the task's end.
  init(
    like other: URLSession, waiting seconds: TimeInterval, delegate: any URLSessionDelegate,
    _ ending: Ending, _ makeTask: (URLSession) -> URLSessionTask
  ) {
    // On Linux a session hands out its own configuration, and what is set in it holds for its calls.
    let configuration = other.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    configuration.timeoutIntervalForRequest = max(seconds, configuration.timeoutIntervalForRequest)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    task = makeTask(session)
    self.ending = ending
  }

  func start() { task.resume() }

  /// Lets the task come to its end by itself, and the session with it.
  func letGo() { session.finishTasksAndInvalidate() }

  /// Ends the task, if it has not ended, and the session; a second call does nothing.
  func end() {
    // URLSession on Linux ends the process where a task is cancelled that is just coming to its end, of which its
    // delegate is told by the same queue.
    session.delegateQueue.addOperation { [task, ending] in
      if !ending.isThere { task.cancel() }
    }
    letGo()
  }
}
