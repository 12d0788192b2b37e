import Inventory
import Synchronization

/// Runs up to `limit` pieces of work at a time, and up to `perCaller` of one caller. Callers take turns.
///
/// The pieces of long work reach the writer through a limiter. So a change never waits behind more than a few of them,
/// whatever the number of uploads.
final class ConcurrencyLimiter: Sendable {
  private struct Piece {
    let caller: TokenID?
    let run: @Sendable () -> Void
    let refuse: @Sendable () -> Void
  }
  private struct State {
    let limit: Int
    let perCaller: Int
    var permits: Int
    /// The permits of each caller, if their number is limited.
    var held: [TokenID?: Int] = [:]
    var waiting = TurnQueue<TokenID?, Piece>()
    /// Whether a thread is starting waiting work. It uses all permits that are released until it stops.
    var isStarting = false

    /// Takes a permit for a caller. Returns false if none is free for that caller.
    mutating func takePermit(for caller: TokenID?) -> Bool {
      guard permits > 0, held[caller, default: 0] < perCaller else { return false }
      permits -= 1
      if perCaller < .max { held[caller, default: 0] += 1 }
      return true
    }

    mutating func returnPermit(of caller: TokenID?) {
      permits += 1
      guard let count = held[caller] else { return }
      held[caller] = count > 1 ? count - 1 : nil
    }

    /// The next waiting piece whose caller may begin one.
    mutating func takeNext() -> Piece? {
      guard permits > 0 else { return nil }
      let (held, perCaller) = (held, perCaller)
      return waiting.take { held[$0.caller, default: 0] < perCaller ? 0 : nil }
    }
  }
  private let state: Mutex<State>

  init(limit: Int, perCaller: Int = .max) {
    state = Mutex(State(limit: limit, perCaller: perCaller, permits: limit))
  }

  /// Whether only one piece of work is running.
  var isAlone: Bool { state.withLock { $0.permits == $0.limit - 1 } }

  /// Runs `work` with a permit, now or when one is released. `work` must lead to exactly one call of `release`, with
  /// the same caller.
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
      // While a thread starts waiting work, that work is first. At other times, none of the waiting work may begin: no
      // permit is free for its callers.
      if !state.isStarting, state.takePermit(for: caller) { return work }
      var refused: Piece?
      if state.waiting.count >= most {
        refused = state.waiting.giveWay(to: caller)
        if refused == nil { return refuse }
      }
      state.waiting.append(Piece(caller: caller, run: work, refuse: refuse), for: caller)
      return refused?.refuse
    }
    next?()
  }

  func release(of caller: TokenID? = nil) {
    let isStarting = state.withLock { state in
      state.returnPermit(of: caller)
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
      guard let piece = state.takeNext(), state.takePermit(for: piece.caller) else {
        state.isStarting = false
        return nil
      }
      return piece
    }
  }
}
