import Synchronization

/// Memory that all loops share, by number of bytes.
final class ByteBudget: Sendable {
  private let limit: Int
  private let used = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  var inUse: Int { used.load(ordering: .relaxed) }

  func take(_ count: Int) -> Bool {
    if used.add(count, ordering: .relaxed).newValue <= limit { return true }
    used.subtract(count, ordering: .relaxed)
    return false
  }

  func give(_ count: Int) {
    if count > 0 { used.subtract(count, ordering: .relaxed) }
  }
}
