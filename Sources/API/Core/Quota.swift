import Synchronization

/// A counter with a limit, shared by all loops.
package final class Quota: Sendable {
  package let limit: Int
  private let used = Atomic<Int>(0)

  package init(_ limit: Int) { self.limit = limit }

  var inUse: Int { used.load(ordering: .relaxed) }

  /// Takes `amount`. False if less is left.
  func take(_ amount: Int = 1) -> Bool {
    if used.add(amount, ordering: .relaxed).newValue <= limit { return true }
    give(amount)
    return false
  }

  func give(_ amount: Int = 1) { used.subtract(amount, ordering: .relaxed) }

  /// An equal share of `total` for each current user; at least 1.
  func share(of total: Int) -> Int { max(1, total / max(1, inUse)) }
}
