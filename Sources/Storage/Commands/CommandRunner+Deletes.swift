import Inventory
import SQLite

extension CommandRunner {
  func deleteRow(
    _ id: RowID, kind: RowKind, isRecursive: Bool
  ) throws(StorageError) -> Outcome {
    let entry = try change.access.entry(id, kind: kind)
    try requireRole(.editor)
    try requireOwnMatch(entry)
    let (list, _) = try standing(entry)
    return try delete(entry, of: list, isRecursive: isRecursive)
  }

  func deleteRow(
    in reference: ListReference, at index: Int, expecting expected: RowID?, isRecursive: Bool
  ) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try requireRole(.editor)
    try requireMatch(list)
    try require(.delete, in: list)
    let key = try list.tree.row(at: index, in: db)
    if let expected { try require(expected, at: key, in: list) }
    guard let key else {
      if index == list.tree.count { throw .refused(.sentinelUndeletable) }
      throw .refused(.invalid([FieldError(["index"], "No row has this index.")]))
    }
    return try delete(try change.access.entry(key), of: list, isRecursive: isRecursive)
  }

  /// Deletes the top row alone; what is below stays with it, out of reach.
  private func delete(
    _ entry: Access.Entry, of list: ListRecord, isRecursive: Bool
  ) throws(StorageError) -> Outcome {
    try require(.delete, in: list)
    try requireDeletable(entry, isRecursive)
    guard let place = entry.place else { throw .broken("row \(entry.key) has no place") }
    try discard(entry, of: list.key, at: try change.index(of: place, in: list.key))
    return Outcome(receipt: try change.commit(action: "delete row"))
  }

  func requireDeletable(_ entry: Access.Entry, _ isRecursive: Bool) throws(StorageError) {
    let below = try rowsBelow(entry)
    guard below == 0 || isRecursive else { throw .refused(.listNotEmpty(rowCount: below)) }
  }

  /// Takes what stands at an index out of its list and into the trash.
  func discard(_ entry: Access.Entry, of list: Int64, at index: Int) throws(StorageError) {
    try remember(entry, of: try change.list(list), at: index)
    try remove(entry, from: list, at: index)
  }

  private func rowsBelow(_ entry: Access.Entry) throws(StorageError) -> Int {
    guard let list = entry.isList ? entry.key : entry.contents else { return 0 }
    return try change.list(list).tree.count
  }

  /// Remembers where the row stood, so that it can be put back.
  private func remember(
    _ entry: Access.Entry, of list: ListRecord, at index: Int
  ) throws(StorageError) {
    let previous = try neighbour(index - 1, of: list)
    let next = try neighbour(index + 1, of: list)
    try db.sql(
      """
      INSERT INTO trash (row, inventory, list, place, previous, next, revision, deleted_at, actor)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    ).bind(entry.key).bind(change.access.inventory).bind(list.key).bind(index).bind(previous)
      .bind(next).bind(change.revision.number).bind(change.now.seconds)
      .bind(change.context.caller.name).perform()
  }

  private func neighbour(_ index: Int, of list: ListRecord) throws(StorageError) -> RowID? {
    guard let key = try list.tree.row(at: index, in: db) else { return nil }
    return RowID(try change.access.id(of: key))
  }
}
