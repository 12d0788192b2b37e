import Synchronization

/// Where spools stand, how many there may be, and how much they may take together; shared by all loops.
package final class SpoolRoom: Sendable {
  /// Each takes a descriptor, which is not to be one that a connection needs.
  package static let standardCount = 1_000

  package let folder: String
  private let limit: Int
  private let count: Int
  private let taken = Atomic<Int>(0)
  private let open = Atomic<Int>(0)

  /// - Parameter limit: in bytes.
  /// - Parameter count: of spools.
  package init(
    folder: String = Spool.standardFolder, limit: Int = 8 << 30, count: Int = standardCount
  ) {
    self.folder = folder
    self.limit = limit
    self.count = count
  }

  /// False if there are enough spools.
  func enter() -> Bool {
    if open.add(1, ordering: .relaxed).newValue <= count { return true }
    leave()
    return false
  }

  func leave() { open.subtract(1, ordering: .relaxed) }

  /// How much of `total` is one spool's, if all that there are get as much; 1 at least.
  func share(of total: Int) -> Int { max(1, total / max(1, open.load(ordering: .relaxed))) }

  /// False if there is no room for so many bytes more.
  func take(_ bytes: Int) -> Bool {
    if taken.add(bytes, ordering: .relaxed).newValue <= limit { return true }
    give(bytes)
    return false
  }

  func give(_ bytes: Int) { taken.subtract(bytes, ordering: .relaxed) }
}
