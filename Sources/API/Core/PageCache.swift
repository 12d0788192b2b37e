import Inventory
import Synchronization

/// Caches pages of rows as bytes for lists that have not changed.
///
/// An entry holds one revision of a list as one kind of reader sees it. Look it up only after the
/// store has confirmed, on this request's snapshot, that the caller may see the list at that
/// revision. A stale or forbidden page is then never returned.
package final class PageCache: Sendable {
  /// Everything that determines the bytes, except the revision.
  struct Key: Hashable {
    var list: ListID
    var window: PageWindow
    var showsSentinel: Bool
    var language: Language
    var role: Role
    var inventory: InventoryID?
    var root: ListID?
  }

  struct Entry {
    var revision: Revision
    var body: [UInt8]
    var shown: Int
    var lastRow: RowID?
  }

  /// Two generations. New entries go to the young generation. When the young generation is full, it replaces the old
  /// one. An entry that is read from the old generation is also added to the young one.
  private struct Generations {
    var young: [Key: Entry] = [:]
    var old: [Key: Entry] = [:]
    var youngSize = 0
  }

  private let generations = Mutex(Generations())
  private let limit: Int

  /// - Parameter limit: the bytes of all bodies together; 0 disables the cache.
  package init(limit: Int) { self.limit = limit }

  func entry(_ key: Key, at revision: Revision) -> Entry? {
    guard limit > 0 else { return nil }
    return generations.withLock { generations in
      if let entry = generations.young[key] { return entry.revision == revision ? entry : nil }
      guard let entry = generations.old[key], entry.revision == revision else { return nil }
      add(entry, key, &generations)
      return entry
    }
  }

  func keep(_ entry: Entry, _ key: Key) {
    // One large page must not evict many.
    guard Self.size(entry) <= limit / 8 else { return }
    generations.withLock { add(entry, key, &$0) }
  }

  /// Removes every page. Needed when a revision number can be reused.
  func forget() { generations.withLock { $0 = Generations() } }

  private func add(_ entry: Entry, _ key: Key, _ generations: inout Generations) {
    let replaced = generations.young.updateValue(entry, forKey: key)
    generations.youngSize += Self.size(entry) - (replaced.map(Self.size) ?? 0)
    if generations.youngSize > limit / 2 {
      generations.old = generations.young
      generations.young = [:]
      generations.youngSize = 0
    }
  }

  /// The body plus an estimate for key and entry.
  private static func size(_ entry: Entry) -> Int { entry.body.count + 256 }
}
