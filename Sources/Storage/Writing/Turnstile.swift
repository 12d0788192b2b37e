import Synchronization

/// Lets a few in at a time, in the order in which they came.
///
/// The pieces of long work go to the writer through one: a change never finds more than a few of them before
/// it, however many uploads there are.
final class Turnstile: Sendable {
  private struct State {
    var inside = 0
    var waiting: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Runs `work`, at once or when others have left; it must see to it that `leave` is called once.
  func enter(_ work: @escaping @Sendable () -> Void) {
    let mayEnter = state.withLock { state in
      guard state.inside < limit else {
        state.waiting.append(work)
        return false
      }
      state.inside += 1
      return true
    }
    if mayEnter { work() }
  }

  func leave() {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.inside -= 1
      return nil
    }
    next?()
  }
}
