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

  /// Makes a commit, which may end well or badly. No other way leads to a new number.
  func publishing<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    count.add(1, ordering: .sequentiallyConsistent)
    defer {
      count.add(1, ordering: .sequentiallyConsistent)
      for listener in listeners.withLock({ $0 }) { listener() }
    }
    try commit()
  }
}
