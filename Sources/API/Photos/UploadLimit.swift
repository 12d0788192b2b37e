import Synchronization

/// How many uploads there may be at a time; shared by all loops.
package final class UploadLimit: Sendable {
  private let limit: Int
  private let count = Atomic<Int>(0)

  package init(_ limit: Int) { self.limit = limit }

  /// False if there are enough.
  func take() -> Bool {
    if count.add(1, ordering: .relaxed).newValue <= limit { return true }
    give()
    return false
  }

  func give() { count.subtract(1, ordering: .relaxed) }
}
