import FoundationEssentials
import Inventory
import SQLite

/// The common parts of creating a list and creating an item.
extension CommandRunner {
  /// Throws `idTaken` or `idInTrash` unless the caller may see the row that already has the id of a new one.
  func requireVisible(_ entry: Access.Entry) throws(StorageError) {
    switch try change.access.visibility(entry.key, entry.parent) {
    case .live: break
    case .inTrash(let top):
      throw .refused(.idInTrash(entry.id, top: RowID(try change.access.id(of: top))))
    // A row that the caller cannot see has taken the id too.
    case .purged, .outside, .arriving: throw .refused(.idTaken(entry.id))
    }
  }

  /// The result of a creation that a client repeats because it got no answer; nil for a new id.
  ///
  /// - Parameter kind: the kind of the item to create; nil for a list.
  func existing(_ id: RowID, kind: ItemKind?, parent: RowKey) throws(StorageError) -> Outcome? {
    guard let entry = try change.access.taken(id) else { return nil }
    try requireVisible(entry)
    guard entry.kind == kind, entry.parent == parent, let place = entry.place else {
      throw .refused(.idTaken(id))
    }
    let index = RowIndex(try change.index(of: place, in: parent))
    guard entry.isList else {
      let item = try ItemRecord.read(entry.key, in: db)
      return Outcome(
        receipt: Receipt(revision: change.access.revision, isChanged: false),
        resource: .item(item.item(in: try change.list(parent).id), index: index))
    }
    let list = try change.list(entry.key)
    return Outcome(
      receipt: Receipt(revision: change.access.revision, isChanged: false),
      resource: .list(try change.visible(list), index: index))
  }
}
