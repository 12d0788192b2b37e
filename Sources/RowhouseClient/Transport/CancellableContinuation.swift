import Synchronization

/// A continuation that ends once, with an answer or with the cancellation of its task.
final class CancellableContinuation<Answer: Sendable>: Sendable {
  private enum State {
    case early
    case waiting(CheckedContinuation<Answer, any Error>)
    case over
  }

  private let state = Mutex(State.early)

  /// - Parameter start: Starts the operation that calls `end`. Not called if the task is already cancelled.
  func value(startingWith start: () -> Void) async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if begin(continuation) { start() }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  func end(_ result: Result<Answer, any Error>) {
    let continuation: CheckedContinuation<Answer, any Error>? = state.withLock { state in
      defer { state = .over }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(with: result)
  }

  /// - Returns: False if it has already ended.
  private func begin(_ continuation: CheckedContinuation<Answer, any Error>) -> Bool {
    let isEarly = state.withLock { state in
      guard case .early = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isEarly { continuation.resume(throwing: CancellationError()) }
    return isEarly
  }
}
