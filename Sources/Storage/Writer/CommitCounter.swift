import Synchronization

/// Numbers the committed states, so that readers find out without SQL whether theirs is the latest. Calls listeners
/// after each commit, also after a failed one, and counts the commits for the statistics.
///
/// The number is odd during a commit. A read during a commit may see the state before or after it.
final class CommitCounter: Sendable {
  private let count = Atomic<UInt64>(0)
  private let listeners = Mutex<[@Sendable () -> Void]>([])
  private let counts = Mutex(StoreStatistics())

  var value: UInt64 { count.load(ordering: .acquiring) }

  func add(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }

  /// Call this after the last commit: listeners may hold the store, which holds them.
  func removeListeners() { listeners.withLock { $0 = [] } }

  /// Runs a commit, which may fail. Only this changes the number.
  func publishing<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    count.add(1, ordering: .sequentiallyConsistent)
    defer {
      count.add(1, ordering: .sequentiallyConsistent)
      for listener in listeners.withLock({ $0 }) { listener() }
    }
    try commit()
  }

  /// Counts one commit of some writes.
  func count(_ writes: Int, _ time: Duration) {
    counts.withLock { counts in
      counts.groupSizes.add(writes)
      counts.commitTimes.add(Int(time / .microseconds(1)))
    }
  }

  /// Counts a wait for the turn to write in a shared database.
  func countWait(_ time: Duration) {
    counts.withLock { $0.turnWait += Int(time / .microseconds(1)) }
  }

  var statistics: StoreStatistics { counts.withLock { $0 } }
}
