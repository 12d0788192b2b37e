import Inventory
import Synchronization

/// Runs up to `limit` pieces of work at a time. Callers take turns.
///
/// The pieces of long work reach the writer through a limiter. So a change never waits behind more than a few of them,
/// whatever the number of uploads.
final class ConcurrencyLimiter: Sendable {
  private struct State {
    var permits: Int
    var waiting = TurnQueue<TokenID?, @Sendable () -> Void>()
    /// Whether a thread is starting waiting work. It uses all permits that are released until it stops.
    var isStarting = false
  }
  private let state: Mutex<State>
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    state = Mutex(State(permits: limit))
  }

  /// The number of pieces of work that run or wait.
  var count: Int { state.withLock { limit - $0.permits + $0.waiting.count } }

  /// The number of one caller's waiting pieces.
  func countWaiting(of caller: TokenID?) -> Int { state.withLock { $0.waiting.count(of: caller) } }

  /// Runs `work` with a permit, now or when one is released. `work` must lead to exactly one call of `release`.
  func acquire(for caller: TokenID? = nil, _ work: @escaping @Sendable () -> Void) {
    let hasPermit = state.withLock { state in
      guard state.permits > 0, state.waiting.count == 0 else {
        state.waiting.append(work, for: caller)
        return false
      }
      state.permits -= 1
      return true
    }
    if hasPermit { work() }
  }

  func release() {
    let isStarting = state.withLock { state in
      state.permits += 1
      defer { state.isStarting = true }
      return state.isStarting
    }
    // Work may release its permit before it returns. One thread starts all waiting work; otherwise the stack would grow
    // with each piece.
    guard !isStarting else { return }
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.permits > 0, let work = state.waiting.take() else {
        state.isStarting = false
        return nil
      }
      state.permits -= 1
      return work
    }
  }
}
