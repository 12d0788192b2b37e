import FoundationEssentials
import Inventory
import SQL

/// Inserts, removes and moves rows. Commands and undo use these functions, and imports some of them.
extension Change {
  /// Reserves the place of a row in a list's tree.
  func reserve(at index: Int, in list: RowKey) throws(StorageError) -> TreeSlot {
    try update(list) { (list) throws(StorageError) in
      try list.tree.reserve(at: index, shape: shape, in: db)
    }
  }

  /// Moves a row within its list.
  func move(_ entry: Access.Entry, within list: RowKey, from: Int, to: Int) throws(StorageError) {
    // The row keeps its parent, so that only the index of the places must be updated.
    try release(entry, in: list, "UPDATE row SET leaf = NULL, pos = NULL WHERE key = ?1")
    let place = try reserve(at: to, in: list)
    try db.sql("UPDATE row SET leaf = ?2, pos = ?3, placed = ?4 WHERE key = ?1")
      .bind(entry.key).bind(place.leaf).bind(place.pos).bind(revision.number).perform()
    record(.move(entry.id, from: from, to: to), on: list)
  }

  /// Moves a row to another list.
  func move(
    _ entry: Access.Entry, from source: RowKey, at from: Int, into target: RowKey, at to: Int
  ) throws(StorageError) {
    try remove(entry, from: source, at: from)
    try insert(entry, into: target, at: to)
    try touch(entry, movedTo: target)
  }

  /// Removes a row from a list. It is in no list until `insert` puts it into one.
  func remove(_ entry: Access.Entry, from list: RowKey, at index: Int) throws(StorageError) {
    try release(
      entry, in: list, "UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = ?1")
    access.ancestors.forget(movingRow: entry.key, hasLists: entry.hasLists)
    access.past.forget()
    record(.delete(entry.id, at: index), on: list)
    summaryChanged(of: list)
    let total = try total(of: entry)
    try update(list) { $0.total -= total }
  }

  /// Inserts a row that is in no list.
  func insert(_ entry: Access.Entry, into list: RowKey, at index: Int) throws(StorageError) {
    let place = try reserve(at: index, in: list)
    try put(entry.key, in: list, at: place, hasLists: entry.hasLists)
    returned.insert(entry.id)
    record(.insert(entry.id, at: index), on: list)
    summaryChanged(of: list)
    let total = try total(of: entry)
    try update(list) { $0.total += total }
  }

  /// Releases the place of a row in a list's tree.
  ///
  /// - Parameter removal: the SQL statement that removes the row ?1 from its leaf.
  private func release(
    _ entry: Access.Entry, in list: RowKey, _ removal: StaticString
  ) throws(StorageError) {
    guard let place = entry.place else { throw .broken("row \(entry.key) has no place") }
    try self.list(list).tree.forget(entry.key, at: place, in: db)
    try db.sql(removal).bind(entry.key).perform()
    try update(list) { (list) throws(StorageError) in
      try list.tree.release(place, shape: shape, in: db)
    }
  }

  /// Writes the place of a row.
  func put(_ key: RowKey, in list: RowKey, at place: TreeSlot, hasLists: Bool) throws(StorageError)
  {
    try db.sql("UPDATE row SET parent = ?2, leaf = ?3, pos = ?4, placed = ?5 WHERE key = ?1")
      .bind(key).bind(list).bind(place.leaf).bind(place.pos).bind(revision.number)
      .perform()
    access.ancestors.forget(movingRow: key, hasLists: hasLists)
    access.past.forget()
  }

  /// The amount that an item adds to its list's total. A list adds nothing.
  func total(of entry: Access.Entry) throws(StorageError) -> TotalCents {
    entry.isList ? .zero : try ItemRecord.total(of: entry.key, in: db)
  }

  /// Records that a row has moved to another list. For an item, sets its `revision` and `updatedAt`. For a list, sets
  /// its parent and records a change of its field `parent`.
  func touch(_ entry: Access.Entry, movedTo target: RowKey) throws(StorageError) {
    if entry.isList {
      try update(entry.key) { $0.parent = target }
      record(.fields(.parent), on: entry.key)
    } else {
      try db.sql("UPDATE row SET revision = ?2, updated_at = ?3 WHERE key = ?1")
        .bind(entry.key).bind(revision.number).bind(now.seconds).perform()
    }
  }

  /// Moves the row at an index of a list to the trash, and stores where it was.
  func trash(_ entry: Access.Entry, of list: RowKey, at index: Int) throws(StorageError) {
    try trash(
      entry, of: list, at: index, between: try row(at: index - 1, of: list),
      and: try row(at: index + 1, of: list))
  }

  /// The row at an index of a list, if there is one.
  func row(at index: Int, of list: RowKey) throws(StorageError) -> RowID? {
    guard let key = try self.list(list).tree.row(at: index, in: db) else { return nil }
    return RowID(try access.id(of: key))
  }

  /// Moves a row to the trash like `trash(_:of:at:)`. `previous` and `next` are the rows before and after it, if any.
  func trash(
    _ entry: Access.Entry, of list: RowKey, at index: Int, between previous: RowID?,
    and next: RowID?
  ) throws(StorageError) {
    let record = TrashRecord(
      list: list, index: index, previous: previous, next: next, revision: revision,
      deletedAt: try deletionTime(), actor: context.caller.name)
    try record.insert(row: entry.key, inventory: access.inventory, in: db)
    hasTrashed = true
    try remove(entry, from: list, at: index)
  }

  /// Moves a restored row back to the trash, with the record that it had there.
  func trash(
    _ entry: Access.Entry, of list: RowKey, at index: Int, as former: TrashRecord
  ) throws(StorageError) {
    record(former, of: entry.id)
    try former.insert(row: entry.key, inventory: access.inventory, in: db)
    hasTrashed = true
    // The row moves into the trash of the record's list. A caller who sees only that list must not see how the row
    // changed elsewhere.
    try db.sql("UPDATE row SET placed = ?2 WHERE key = ?1").bind(entry.key)
      .bind(revision.number).perform()
    if former.list != list { try touch(entry, movedTo: former.list) }
    try remove(entry, from: list, at: index)
  }

  /// Removes a row from the trash. It is in no list until `insert` puts it into one.
  func untrash(_ entry: Access.Entry, _ former: TrashRecord) throws(StorageError) {
    var former = former
    // Changes the record as the purge of its list will, so that it does not matter how far the purge has come.
    while let home = try access.ancestors.home(ofPurged: former.list) {
      former.list = home
      former.isRehomed = true
    }
    record(former, of: entry.id)
    try TrashRecord.remove(entry.key, in: db)
    access.ancestors.forget(movingRow: entry.key, hasLists: entry.hasLists)
    access.past.forget()
  }
}
