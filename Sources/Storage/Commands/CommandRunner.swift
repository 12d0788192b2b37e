import FoundationEssentials
import Inventory
import SQL

/// Runs one command in the writer's transaction: makes the change, or throws the refusal.
///
/// Commands on rows check in this order: the named rows exist and are visible; the caller's role; the values in the
/// request, except indices; `If-Match` and `If-None-Match`; the rules of the domain. Creations look at their own id
/// before `If-Match`, so that a repeated creation gets its answer.
struct CommandRunner {
  let change: Change
  /// Lists with more rows are reordered only with a prepared order. Undos that check more steps must be prepared too.
  let orderBound: Int
  let prepared: Prepared?
  /// Seconds after which deleted rows are purged; 0 means never.
  let trashTime: Int64
  var db: Connection { change.db }

  init(
    _ change: Change, orderBound: Int = .max, prepared: Prepared? = nil, trashTime: Int64 = 0
  ) {
    self.change = change
    self.orderBound = orderBound
    self.prepared = prepared
    self.trashTime = trashTime
  }

  var preparedOrder: PreparedOrder? {
    if case .order(let order)? = prepared { order } else { nil }
  }

  var preparedUndo: PreparedUndo? {
    if case .undo(let undo)? = prepared { undo } else { nil }
  }

  func run(_ command: Command) throws(StorageError) -> Outcome {
    switch command {
    case .createList(let new): try createList(new)
    case .editList(let list, let edit): try editList(list, edit)
    case .createItem(let new, let list, let position):
      try createItem(new, in: list, position)
    case .appendItems(let items, let list): try appendItems(items, to: list)
    case .editItem(let item, let edit): try editItem(item, edit)
    case .makeContents(let item, let id): try makeContents(of: item, id: id)
    case .moveRow(let list, let from, let to, let expected):
      try moveRow(in: list, from: from, to: to, expecting: expected)
    case .relocate(let row, let list, let position): try relocate(row, into: list, position)
    case .moveRows(let rows, let list, let position):
      try moveRows(rows, into: list, position)
    case .reorder(let list, let order): try reorder(list, order)
    case .deleteRow(let row, let kind, let isRecursive):
      try deleteRow(row, kind: kind, isRecursive: isRecursive)
    case .deleteRowAt(let list, let index, let expected, let isRecursive):
      try deleteRow(in: list, at: index, expecting: expected, isRecursive: isRecursive)
    case .addPhoto(let new, let item): try addPhoto(new, to: item)
    case .deletePhoto(let photo, let item): try deletePhoto(photo, of: item)
    case .addRendition(let new, let photo, let item):
      try addRendition(new, of: photo, in: item)
    case .reorderPhotos(let item, let photos): try reorderPhotos(of: item, photos)
    case .makeNavigator(let id, let make): try makeNavigator(id, make)
    case .editNavigator(let id, let edit): try editNavigator(id, edit)
    case .deleteNavigator(let id): try deleteNavigator(id)
    case .setAppearance(let appearance): try setAppearance(appearance)
    case .editInventory(let edit): try editInventory(edit)
    case .undo(let revision): try undo(revision)
    case .restore(let row, let list, let position): try restore(row, into: list, position)
    case .purge(let row): try purge(row)
    case .merge(let records, let list): try merge(records, into: list)
    case .upsertItems(let items, let list): try upsert(items, in: list)
    case .stage(let id, let target, let records): try stage(records, of: id, target)
    case .finishImport(let id, let appearance): try finishImport(id, appearance)
    case .abandonImport(let id): try abandonImport(id)
    case .batch(let list, let batch): try self.batch(batch, in: list)
    case .recall: unchanged
    }
  }
}

// The common parts of several commands.
extension CommandRunner {
  /// The outcome of a write that is not logged.
  func outcome(isChanged: Bool, _ resource: Outcome.Resource?, isCreated: Bool = false) -> Outcome {
    Outcome(
      receipt: Receipt(revision: change.access.revision, isChanged: isChanged), resource: resource,
      isCreated: isCreated)
  }

  /// The index at which a new or moved row lands in a list. Anchors must be in the list.
  ///
  /// - Parameter moved: the indices of the rows that are moved. They cannot be anchors, and are not counted.
  func landing(
    _ position: Position, in list: ListRecord, without moved: [Int] = []
  ) throws(StorageError) -> Landing {
    let count = list.tree.count - moved.count
    switch position {
    case .first: return Landing(index: 0)
    case .last: return Landing(index: count)
    case .index(let index): return try landing(at: index, of: count, field: ["position", "index"])
    case .before(let anchor), .after(let anchor):
      guard let index = try change.index(of: anchor, in: list.key), !moved.contains(index) else {
        throw .refused(.anchorGone(anchor))
      }
      var landing = Landing(index: index - moved.count { $0 < index })
      if case .after = position { landing.index += 1 }
      return landing
    case .either(let preferred, let other):
      do throws(StorageError) {
        return try landing(preferred, in: list, without: moved)
      } catch {
        guard case .refused(.anchorGone) = error else { throw error }
        return try landing(other, in: list, without: moved).found(by: other)
      }
    }
  }

  /// The row at an index. Throws `invalid` if no row can have this index.
  ///
  /// - Parameters:
  ///   - expected: the row that the caller expects there, if any. Throws `rowMoved` if another row is there, or none.
  ///   - sentinel: the refusal for the index behind the last row.
  func entry(
    at index: Int, of list: ListRecord, expecting expected: RowID?, sentinel: InventoryError,
    field: String
  ) throws(StorageError) -> Access.Entry {
    let key = try list.tree.row(at: index, in: db)
    if let expected {
      guard let found = try change.access.find(expected), found.key == key else {
        let now = try change.index(of: expected, in: list.key)
        throw .refused(.rowMoved(expected, now: now.map { RowIndex($0) }))
      }
    }
    guard let key else {
      if index == list.tree.count { throw .refused(sentinel) }
      throw .refused(.invalid([FieldError([field], "No row has this index.")]))
    }
    return try change.access.entry(key)
  }

  /// The index at which a row that is put at `index` lands in a list with `count` other rows. Throws `sentinelLast` or
  /// `invalid`, as `Landing.above` does.
  func landing(at index: Int, of count: Int, field: [String]) throws(StorageError) -> Landing {
    do throws(InventoryError) {
      return try Landing.above(
        sentinelOf: count, proposed: index, isStrict: change.context.isStrict, field: field)
    } catch { throw .refused(error) }
  }

  /// Checks the row that already has the id of a new one. Throws `idInTrash` if it is in the trash, and `idTaken` if
  /// the caller does not see it.
  func requireVisible(_ entry: Access.Entry) throws(StorageError) {
    switch try change.access.visibility(entry.key, entry.parent) {
    case .live: break
    case .inTrash(let top):
      throw .refused(.idInTrash(entry.id, top: RowID(try change.access.id(of: top))))
    // A row that the caller cannot see has taken the id too.
    case .purged, .outside: throw .refused(.idTaken(entry.id))
    // It may never come, so this must not be final.
    case .arriving: throw .refused(.idArriving(entry.id))
    }
  }

  /// The result of a creation that a client repeats because it got no answer; nil for a new id.
  ///
  /// - Parameter kind: the kind of the item to create; nil for a list.
  /// - Throws: `idTaken` if a row of another kind or in another list has the id, and `idInTrash` if it is in the
  ///   trash.
  func existing(_ id: RowID, kind: ItemKind?, parent: RowKey) throws(StorageError) -> Outcome? {
    guard let entry = try change.access.taken(id) else { return nil }
    try requireVisible(entry)
    guard entry.kind == kind, entry.parent == parent, let place = entry.place else {
      throw .refused(.idTaken(id))
    }
    let index = RowIndex(try change.index(of: place, in: parent))
    guard entry.isList else {
      let item = try ItemRecord.read(entry.key, in: db).item(in: try change.list(parent).id)
      return outcome(isChanged: false, .item(item, index: index))
    }
    let list = try change.visible(try change.list(entry.key))
    return outcome(isChanged: false, .list(list, index: index))
  }
}
