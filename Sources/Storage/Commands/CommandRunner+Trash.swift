import Inventory
import SQLite

extension CommandRunner {
  func restore(
    _ id: RowID, into reference: ListReference?, _ position: Position?
  ) throws(StorageError) -> Outcome {
    let (entry, deleted) = try deleted(id)
    let named = try reference.map { (list) throws(StorageError) in try change.list(list) }
    try change.requireRole(.editor)
    let target = if let named { named } else { try oldList(deleted, of: id) }
    try change.require(.add, in: target)
    let isOld = deleted.isFrom(target.key)
    // The list had the row, whatever items it takes now.
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
      receipt: try change.commit(action: "restore row", isRetargeted: landing.isRetargeted))
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

  /// Behind its old previous neighbour if that is in the list, otherwise before the next one, otherwise at its old
  /// index.
  private func oldIndex(_ deleted: TrashRecord, in list: ListRecord) throws(StorageError) -> Int {
    if let previous = try index(of: deleted.previous, in: list) { return previous + 1 }
    return try index(of: deleted.next, in: list) ?? min(deleted.index, list.tree.count)
  }

  private func index(of id: RowID?, in list: ListRecord) throws(StorageError) -> Int? {
    guard let id, let entry = try change.access.find(id), entry.parent == list.key,
      let place = entry.place
    else { return nil }
    return try change.index(of: place, in: list.key)
  }
}
