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

  /// How many of `total` are one upload's, if all get as many; one at least.
  func share(of total: Int) -> Int {
    max(1, total / max(1, count.load(ordering: .relaxed)))
  }

  func give() { count.subtract(1, ordering: .relaxed) }
}
