import Inventory
import SQLite

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
    let key = try list.tree.row(at: index, in: db)
    if let expected { try require(expected, at: key, in: list) }
    guard let key else {
      if index == list.tree.count { throw .refused(.sentinelUndeletable) }
      throw .refused(.invalid([FieldError(["index"], "No row has this index.")]))
    }
    return try delete(try change.access.entry(key), of: list, isRecursive: isRecursive)
  }

  /// Deletes only the top row. What is below it stays there, but cannot be accessed.
  private func delete(
    _ entry: Access.Entry, of list: ListRecord, isRecursive: Bool
  ) throws(StorageError) -> Outcome {
    try change.require(.delete, in: list)
    try requireDeletable(entry, isRecursive)
    guard let place = entry.place else { throw .broken("row \(entry.key) has no place") }
    try change.trash(entry, of: list.key, at: try change.index(of: place, in: list.key))
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
}
