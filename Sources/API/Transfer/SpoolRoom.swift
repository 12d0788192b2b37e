import Synchronization

/// Where spools stand, and how much they may take together; shared by all loops.
package final class SpoolRoom: Sendable {
  let folder: String
  private let limit: Int
  private let taken = Atomic<Int>(0)

  /// - Parameter limit: in bytes.
  package init(folder: String = Spool.standardFolder, limit: Int = 8 << 30) {
    self.folder = folder
    self.limit = limit
  }

  /// False if there is no room for so many bytes more.
  func take(_ bytes: Int) -> Bool {
    if taken.add(bytes, ordering: .relaxed).newValue <= limit { return true }
    give(bytes)
    return false
  }

  func give(_ bytes: Int) { taken.subtract(bytes, ordering: .relaxed) }
}
