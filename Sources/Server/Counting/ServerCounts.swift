import Synchronization

/// What a server has counted since it began, and what it holds now.
package struct ServerCounts: Sendable {
  /// In no order.
  package var loops: [LoopCounts] = []
  package var openConnections = 0
  /// Bytes of buffered bodies that have not been answered yet.
  package var bufferedBytes = 0
  /// Bytes of output that wait for their readers.
  package var waitingOutput = 0

  package init() {}
}

/// Gathers what the loops have counted, and hands it on once the last has told.
final class CountsCollector: Sendable {
  private struct State {
    var waiting: Int
    var counts: ServerCounts
  }

  private let state: Mutex<State>
  private let completion: @Sendable (ServerCounts) -> Void

  init(
    _ counts: ServerCounts, loops: Int, completion: @escaping @Sendable (ServerCounts) -> Void
  ) {
    state = Mutex(State(waiting: loops, counts: counts))
    self.completion = completion
  }

  /// Takes one loop's counts; nil from a loop that has ended.
  func take(_ counts: LoopCounts?) {
    let all: ServerCounts? = state.withLock { state in
      if let counts { state.counts.loops.append(counts) }
      state.waiting -= 1
      return state.waiting == 0 ? state.counts : nil
    }
    if let all { completion(all) }
  }
}
