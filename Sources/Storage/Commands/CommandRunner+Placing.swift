import Inventory
import SQLite

/// The steps that moves and deletions are made of, and what they require.
extension CommandRunner {
  /// The list and the place of a row; the root list and contents lists have none.
  func standing(
    _ entry: Access.Entry
  ) throws(StorageError) -> (list: ListRecord, place: TreeSlot) {
    guard entry.key != change.access.root, let parent = entry.parent else {
      throw .refused(.rootList)
    }
    guard let place = entry.place else {
      throw .refused(.contentsList(item: ItemID(try change.access.id(of: parent))))
    }
    return (try change.list(parent), place)
  }

  /// The conditions of a call that names the row itself.
  func requireOwnMatch(_ entry: Access.Entry) throws(StorageError) {
    guard change.context.isConditional else { return }
    if entry.isList {
      try requireMatch(try change.list(entry.key))
    } else if let item = try ItemRecord.find(key: entry.key, in: db) {
      try requireMatch(item, in: try home(of: item).list)
    }
  }

  func requireMovable(
    _ entry: Access.Entry, from source: ListRecord, to target: ListRecord
  ) throws(StorageError) {
    try require(.move, in: source)
    guard source.key != target.key else { return }
    try require(.add, in: target)
    try refuseCycle(entry, into: target)
    if let kind = entry.kind { try requireAccepted(kind, by: target) }
    try requireRoom(
      for: entry, in: target.key, from: try change.access.levelInInventory(of: entry.key))
  }

  /// Refuses what would come to stand, or has come to stand, too deep in a list.
  ///
  /// - Parameter old: its level before; nil for what stood nowhere.
  func requireRoom(
    for entry: Access.Entry, in list: Int64, from old: Int?
  ) throws(StorageError) {
    do throws(StorageError) {
      try change.access.requireRoom(
        for: entry, in: list, from: old, bound: &change.listsToLookAt)
    } catch {
      guard case .refused(.boundExceeded) = error else { throw error }
      try requireRoomUnseen(in: list, from: old)
    }
  }

  /// The same for what has more lists below it than a command may look at: it goes by the deepest level of all lists.
  private func requireRoomUnseen(in list: Int64, from old: Int?) throws(StorageError) {
    let access = change.access
    let level = try access.levelInInventory(of: list) + 1
    // What comes out of the trash has been measured from its top.
    let deepest = change.deepestBefore + (level - (old ?? 1))
    guard access.depthLimit.admits(deepest) else {
      throw .refused(.tooManyRows(limit: Limits.listsTakenDown))
    }
    access.note(deepest)
  }

  /// A list or an item with contents must not come to stand below itself.
  func refuseCycle(
    _ entry: Access.Entry, into target: ListRecord
  ) throws(StorageError) {
    guard entry.isList || entry.contents != nil else { return }
    guard try !change.access.ancestors.isAncestor(entry.key, of: target.key) else {
      throw .refused(.cycle)
    }
  }

  func move(
    _ entry: Access.Entry, within list: Int64, from: Int, to: Int
  ) throws(StorageError) {
    try settleLeaf(of: entry, in: list)
    // It keeps its parent, so that no index but that of the places has to follow.
    try db.sql("UPDATE row SET leaf = NULL, pos = NULL WHERE key = ?1").bind(entry.key).perform()
    try releaseSlot(of: entry, in: list)
    let place = try reserve(at: to, in: list)
    try db.sql("UPDATE row SET leaf = ?2, pos = ?3, placed = ?4 WHERE key = ?1")
      .bind(entry.key).bind(place.leaf).bind(place.pos).bind(change.revision.number).perform()
    change.record(.move(entry.id, from: from, to: to), on: list)
  }

  func move(
    _ entry: Access.Entry, from source: Int64, at from: Int, into target: Int64, at to: Int
  ) throws(StorageError) {
    try remove(entry, from: source, at: from)
    try insert(entry, into: target, at: to)
    try touch(entry, movedTo: target)
  }

  /// Takes a row out of a list for good, or until it is brought into another.
  func remove(
    _ entry: Access.Entry, from list: Int64, at index: Int
  ) throws(StorageError) {
    try takeOut(entry, of: list)
    change.record(.delete(entry.id, at: index), on: list)
    change.summaryChanged(of: list)
    let total = try total(of: entry)
    try change.update(list) { $0.total -= total }
  }

  /// Puts a row that is in no list into one.
  func insert(
    _ entry: Access.Entry, into list: Int64, at index: Int
  ) throws(StorageError) {
    let place = try reserve(at: index, in: list)
    try put(entry.key, in: list, at: place, hasLists: entry.hasLists)
    change.record(.insert(entry.id, at: index), on: list)
    change.summaryChanged(of: list)
    let total = try total(of: entry)
    try change.update(list) { $0.total += total }
  }

  /// Takes a row out of its list's order; it is in no list then.
  private func takeOut(_ entry: Access.Entry, of list: Int64) throws(StorageError) {
    try settleLeaf(of: entry, in: list)
    try db.sql("UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = ?1")
      .bind(entry.key).perform()
    change.access.ancestors.forget(movingRow: entry.key, hasLists: entry.hasLists)
    try releaseSlot(of: entry, in: list)
  }

  private func settleLeaf(of entry: Access.Entry, in list: Int64) throws(StorageError) {
    guard let place = entry.place else { throw .broken("row \(entry.key) has no place") }
    try change.list(list).tree.settle(place.leaf, in: db)
  }

  /// Has the tree close up where a row stood that is no more in its order.
  private func releaseSlot(of entry: Access.Entry, in list: Int64) throws(StorageError) {
    guard let place = entry.place else { throw .broken("row \(entry.key) has no place") }
    try change.update(list) { (list) throws(StorageError) in
      try list.tree.release(place, shape: change.shape, in: db)
    }
  }

  func put(
    _ key: Int64, in list: Int64, at place: TreeSlot, hasLists: Bool
  ) throws(StorageError) {
    try db.sql("UPDATE row SET parent = ?2, leaf = ?3, pos = ?4, placed = ?5 WHERE key = ?1")
      .bind(key).bind(list).bind(place.leaf).bind(place.pos).bind(change.revision.number)
      .perform()
    change.access.ancestors.forget(movingRow: key, hasLists: hasLists)
  }

  /// What an item adds to its list's total; a list adds nothing.
  func total(of entry: Access.Entry) throws(StorageError) -> TotalCents {
    guard !entry.isList else { return .zero }
    return try db.sql("SELECT coalesce(value, 0), quantity FROM row WHERE key = ?1")
      .bind(entry.key).one { TotalCents(Int128($0.int64(0)) * Int128($0.int64(1))) } ?? .zero
  }

  /// A row that has come into another list is shown with another parent: it has changed itself.
  func touch(_ entry: Access.Entry, movedTo target: Int64) throws(StorageError) {
    if entry.isList {
      try change.update(entry.key) { $0.parent = target }
      change.record(.fields(.parent), on: entry.key)
    } else {
      try db.sql("UPDATE row SET revision = ?2, updated_at = ?3 WHERE key = ?1")
        .bind(entry.key).bind(change.revision.number).bind(change.now.seconds).perform()
    }
  }
}
