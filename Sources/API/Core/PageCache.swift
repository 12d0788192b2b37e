import Inventory
import Synchronization

/// Pages of rows as bytes, for lists that have not changed since they were last read.
///
/// An entry holds what one revision of a list looks like to one kind of reader. It is looked up only
/// once the store has said, on the snapshot of this request, that the caller may see the list and
/// which revision it has; so it can never show another.
package final class PageCache: Sendable {
  /// Everything besides the revision that shapes the bytes.
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

  /// Two generations: the young one takes what comes; once it is full, the old one is dropped and it
  /// becomes the old one. What is asked for again in time moves back to the young one.
  private struct Generations {
    var young: [Key: Entry] = [:]
    var old: [Key: Entry] = [:]
    var youngSize = 0
  }

  private let generations = Mutex(Generations())
  private let limit: Int

  /// - Parameter limit: bytes of all bodies together; 0 keeps none.
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
    // One page must not drive out many.
    guard Self.size(entry) <= limit / 8 else { return }
    generations.withLock { add(entry, key, &$0) }
  }

  /// Drops every page, where a revision may come to stand for something else.
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

  /// The body, and about what key and entry take besides.
  private static func size(_ entry: Entry) -> Int { entry.body.count + 256 }
}
