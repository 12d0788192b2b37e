import Synchronization

/// The counts of a server since its start, and its present load.
package struct ServerCounts: Sendable {
  /// In no order.
  package var loops: [LoopCounts] = []
  package var openConnections = 0
  /// Bytes of buffered bodies of unanswered requests.
  package var bufferedBytes = 0
  /// Bytes of output that wait for their readers.
  package var waitingOutput = 0
}

/// Collects the counts of all loops, and passes them on after the last one.
final class CountsCollector: Sendable {
  private let state: Mutex<(waiting: Int, counts: ServerCounts)>
  private let completion: @Sendable (ServerCounts) -> Void

  init(
    _ counts: ServerCounts, loops: Int, completion: @escaping @Sendable (ServerCounts) -> Void
  ) {
    state = Mutex((loops, counts))
    self.completion = completion
  }

  /// Takes a loop's counts; nil from a loop that has ended.
  func take(_ counts: LoopCounts?) {
    let all: ServerCounts? = state.withLock { state in
      if let counts { state.counts.loops.append(counts) }
      state.waiting -= 1
      return state.waiting == 0 ? state.counts : nil
    }
    if let all { completion(all) }
  }
}
