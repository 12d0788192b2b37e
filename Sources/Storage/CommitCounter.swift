import Synchronization

/// Counts commits, so that readers can tell without asking SQLite whether theirs is the latest state.
final class CommitCounter: Sendable {
  private let count = Atomic<UInt64>(0)

  var value: UInt64 { count.load(ordering: .acquiring) }
  func advance() { count.add(1, ordering: .releasing) }
}
