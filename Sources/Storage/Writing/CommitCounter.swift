import Synchronization

/// Numbers the committed states, so that readers can tell without asking SQLite whether theirs is the
/// latest, and tells of each to those who wait for it.
///
/// The number is odd while a commit is under way: what is read then may be of before or of after it.
final class CommitCounter: Sendable {
  private let count = Atomic<UInt64>(0)
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  var value: UInt64 { count.load(ordering: .acquiring) }

  func add(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }

  /// A commit is about to be made.
  func begin() { count.add(1, ordering: .sequentiallyConsistent) }

  /// The commit that was begun has ended, well or badly.
  func advance() {
    count.add(1, ordering: .sequentiallyConsistent)
    for listener in listeners.withLock({ $0 }) { listener() }
  }
}
