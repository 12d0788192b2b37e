import Synchronization

/// Counts commits, so that readers can tell without asking SQLite whether theirs is the latest state,
/// and tells of each to those who wait for it.
final class CommitCounter: Sendable {
  private let count = Atomic<UInt64>(0)
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  var value: UInt64 { count.load(ordering: .acquiring) }

  func add(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }

  func advance() {
    count.add(1, ordering: .sequentiallyConsistent)
    for listener in listeners.withLock({ $0 }) { listener() }
  }
}
