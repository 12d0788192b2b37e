import Inventory
import Synchronization

/// Runs up to `limit` pieces of work at a time. Callers take turns.
///
/// The pieces of long work reach the writer through a limiter. So a change never waits behind more than a few of them,
/// whatever the number of uploads.
final class ConcurrencyLimiter: Sendable {
  private struct Piece {
    let run: @Sendable () -> Void
    let refuse: @Sendable () -> Void
  }
  private struct State {
    var permits: Int
    var waiting = TurnQueue<TokenID?, Piece>()
    /// Whether a thread is starting waiting work. It uses all permits that are released until it stops.
    var isStarting = false
  }
  private let state: Mutex<State>

  init(limit: Int) { state = Mutex(State(permits: limit)) }

  /// Runs `work` with a permit, now or when one is released. `work` must lead to exactly one call of `release`.
  ///
  /// - Parameters:
  ///   - most: the maximum number of waiting pieces. Once it is reached, the last piece of the caller who has the most
  ///     is refused. If `caller` has as many, or one fewer, `work` is refused.
  ///   - refuse: called instead of `work` if it is refused, now or later.
  func acquire(
    for caller: TokenID? = nil, besides most: Int = .max, _ work: @escaping @Sendable () -> Void,
    orRefuse refuse: @escaping @Sendable () -> Void = {}
  ) {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      if state.permits > 0, state.waiting.count == 0 {
        state.permits -= 1
        return work
      }
      var refused: Piece?
      if state.waiting.count >= most {
        refused = state.waiting.giveWay(to: caller)
        if refused == nil { return refuse }
      }
      state.waiting.append(Piece(run: work, refuse: refuse), for: caller)
      return refused?.refuse
    }
    next?()
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
    while let piece = next() { piece.run() }
  }

  private func next() -> Piece? {
    state.withLock { state in
      guard state.permits > 0, let piece = state.waiting.take() else {
        state.isStarting = false
        return nil
      }
      state.permits -= 1
      return piece
    }
  }
}
