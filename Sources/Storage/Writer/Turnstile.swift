import Synchronization

/// Lets a few in at a time, in the order in which they came.
///
/// The pieces of long work go to the writer through one: a change never finds more than a few of them before
/// it, however many uploads there are.
final class Turnstile: Sendable {
  private struct State {
    var inside = 0
    var waiting: [@Sendable () -> Void] = []
    /// Whether somebody is at it who sees whoever has come or gone by the end.
    var isLettingIn = false
  }
  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// How many are in, or wait.
  var count: Int { state.withLock { $0.inside + $0.waiting.count } }

  /// Runs `work`, at once or when others have left; it must see to it that `leave` is called once.
  func enter(_ work: @escaping @Sendable () -> Void) {
    let mayEnter = state.withLock { state in
      guard state.inside < limit, state.waiting.isEmpty else {
        state.waiting.append(work)
        return false
      }
      state.inside += 1
      return true
    }
    if mayEnter { work() }
  }

  func leave() {
    let isLettingIn = state.withLock { state in
      state.inside -= 1
      defer { state.isLettingIn = true }
      return state.isLettingIn
    }
    // Some leave at once, and so from within: one lets in all who wait, or each would stand on the other's stack.
    guard !isLettingIn else { return }
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.inside < limit, !state.waiting.isEmpty else {
        state.isLettingIn = false
        return nil
      }
      state.inside += 1
      return state.waiting.removeFirst()
    }
  }
}
