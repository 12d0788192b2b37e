import FoundationEssentials
import Inventory
import SQLite

/// What making a list and making an item have in common.
extension CommandRunner {
  /// Passes where the caller may know what has the id that something new was to have.
  func requireVisible(_ entry: Access.Entry) throws(StorageError) {
    switch try change.access.visibility(entry.key, entry.parent) {
    case .live: break
    case .inTrash(let top):
      throw .refused(.idInTrash(entry.id, top: RowID(try change.access.id(of: top))))
    // What stands outside of the caller's root has taken the id all the same.
    case .purged, .outside, .arriving: throw .refused(.idTaken(entry.id))
    }
  }

  /// The answer to a creation that is repeated, as a client does that was cut off; nil for a new id.
  ///
  /// - Parameter kind: of an item to be made; nil for a list.
  func existing(_ id: RowID, kind: ItemKind?, parent: Int64) throws(StorageError) -> Outcome? {
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
