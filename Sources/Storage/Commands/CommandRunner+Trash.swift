import Inventory
import SQL

// Rows that move to the trash, back, or out of it.
extension CommandRunner {
  func deleteRow(_ id: RowID, kind: RowKind, isRecursive: Bool) throws(StorageError) -> Outcome {
    let entry = try change.access.entry(id, kind: kind)
    try change.requireRole(.editor)
    try change.requireOwnMatch(entry)
    let (list, _) = try change.standing(entry)
    return try delete(entry, of: list, isRecursive: isRecursive)
  }

  func deleteRow(
    in reference: ListReference, at index: Int, expecting expected: RowID?, isRecursive: Bool
  ) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    try change.requireMatch(list)
    try change.require(.delete, in: list)
    let entry = try entry(
      at: index, of: list, expecting: expected, sentinel: .sentinelUndeletable, field: "index")
    return try delete(entry, of: list, isRecursive: isRecursive)
  }

  /// Deletes only the top row. What is below it stays there, but cannot be accessed.
  private func delete(
    _ entry: Access.Entry, of list: ListRecord, isRecursive: Bool
  ) throws(StorageError) -> Outcome {
    try change.require(.delete, in: list)
    try requireDeletable(entry, isRecursive)
    try change.trash(entry, of: list.key, at: try change.index(of: entry, in: list.key))
    return Outcome(receipt: try change.commit(action: "delete row"))
  }

  func requireDeletable(_ entry: Access.Entry, _ isRecursive: Bool) throws(StorageError) {
    let below = try rowsBelow(entry)
    guard below == 0 || isRecursive else { throw .refused(.listNotEmpty(rowCount: below)) }
  }

  private func rowsBelow(_ entry: Access.Entry) throws(StorageError) -> Int {
    guard let list = entry.isList ? entry.key : entry.contents else { return 0 }
    return try change.list(list).tree.count
  }

  func restore(
    _ id: RowID, into reference: ListReference?, _ position: Position?
  ) throws(StorageError) -> Outcome {
    if let outcome = try restored(id, into: reference) { return outcome }
    let (entry, deleted) = try deleted(id)
    let named = try reference.map { (list) throws(StorageError) in try change.list(list) }
    try change.requireRole(.editor)
    let target = if let named { named } else { try oldList(deleted, of: id) }
    try change.require(.add, in: target)
    let isOld = deleted.isFrom(target.key)
    // A row may return to its old list even if that list no longer accepts its kind.
    if !isOld, let kind = entry.kind { try change.requireAccepted(kind, by: target) }
    try change.requireRoom(for: entry, in: target.key, from: nil)
    let landing =
      if let position {
        try landing(position, in: target)
      } else if isOld {
        Landing(index: try oldIndex(deleted, in: target))
      } else {
        Landing(index: target.tree.count)
      }
    try change.untrash(entry, deleted)
    try change.insert(entry, into: target.key, at: landing.index)
    if !isOld { try change.touch(entry, movedTo: target.key) }
    return Outcome(
      receipt: try change.commit(action: "restore row", landing: landing))
  }

  /// The result for an offline client if someone else has restored the row before it; nil for other writes and rows.
  private func restored(
    _ id: RowID, into reference: ListReference?
  ) throws(StorageError) -> Outcome? {
    guard change.context.sync != nil, let entry = try change.access.find(id),
      try change.access.visibility(entry.key, entry.parent) == .live
    else { return nil }
    if let reference, try change.list(reference).key != entry.parent { return nil }
    return outcome(isChanged: false, nil)
  }

  /// Purges a deleted row. It cannot be found from now on; later it is deleted from the file in small steps.
  func purge(_ id: RowID) throws(StorageError) -> Outcome {
    let (entry, deleted) = try deleted(id)
    try change.requireRole(.editor)
    try PurgeQueue.add(entry.key, home: deleted.list, in: db)
    try change.untrash(entry, deleted)
    if entry.hasLists { try TokenTable(db: db).removeOrphans() }
    return Outcome(receipt: try change.commit(action: "purge"))
  }

  /// - Throws: `notFound` if the row is not in the trash, `inTrash` if it is there only with a row above it.
  private func deleted(_ id: RowID) throws(StorageError) -> (Access.Entry, TrashRecord) {
    guard let entry = try change.access.find(id),
      case .inTrash(let top) = try change.access.visibility(entry.key, entry.parent)
    else { throw .refused(.notFound(.row)) }
    let deleted = try TrashRecord.find(entry.key, in: db)
    guard let deleted, top == entry.key else {
      throw .refused(.inTrash(top: RowID(try change.access.id(of: top))))
    }
    return (entry, deleted)
  }

  private func oldList(_ deleted: TrashRecord, of id: RowID) throws(StorageError) -> ListRecord {
    guard !deleted.isRehomed, try change.access.visibility(of: deleted.list) == .live else {
      throw .refused(.listGone(id))
    }
    return try change.list(deleted.list)
  }

  /// The index at which a row is restored: right behind its old previous neighbour if that is in the list, otherwise
  /// before its old next one, otherwise its old index.
  private func oldIndex(_ deleted: TrashRecord, in list: ListRecord) throws(StorageError) -> Int {
    if let previous = deleted.previous, let index = try change.index(of: previous, in: list.key) {
      return index + 1
    }
    if let next = deleted.next, let index = try change.index(of: next, in: list.key) {
      return index
    }
    return min(deleted.index, list.tree.count)
  }
}
