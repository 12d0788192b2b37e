import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The answer to a request; given up where the task is cancelled.
  func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
    #if os(Linux)
      // `data(for:)` there may wait for ever where a task is cancelled just as its answer comes, and a
      // data task may end the process. So what is cancelled is let run, and nobody waits for it.
      let wait = Wait()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          guard wait.begin(continuation) else { return }
          dataTask(with: request) { data, response, error in
            if let data, let response, error == nil {
              wait.end(.success((data, response)))
            } else {
              wait.end(.failure(error ?? URLError(.unknown)))
            }
          }.resume()
        }
      } onCancel: {
        wait.end(.failure(CancellationError()))
      }
    #else
      return try await data(for: request)
    #endif
  }
}

#if os(Linux)
  /// Ends once, with whatever comes first.
  private final class Wait: Sendable {
    typealias Answer = (Data, URLResponse)

    private enum State {
      case early
      case waiting(CheckedContinuation<Answer, any Error>)
      case over
    }

    private let state = Mutex(State.early)

    /// - Returns: false where it has been cancelled before.
    func begin(_ continuation: CheckedContinuation<Answer, any Error>) -> Bool {
      let isEarly = state.withLock { state in
        guard case .early = state else { return false }
        state = .waiting(continuation)
        return true
      }
      if !isEarly { continuation.resume(throwing: CancellationError()) }
      return isEarly
    }

    func end(_ result: sending Result<Answer, any Error>) {
      let continuation: CheckedContinuation<Answer, any Error>? = state.withLock { state in
        defer { state = .over }
        if case .waiting(let continuation) = state { return continuation }
        return nil
      }
      continuation?.resume(with: result)
    }
  }
#endif
