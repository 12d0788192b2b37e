import FoundationEssentials
import Inventory
import SQLite

/// Runs one command in the writer's transaction: makes the change, or throws the refusal.
///
/// Every command checks in this order: the named rows exist and are visible; the caller's role; `If-Match` and
/// `If-None-Match`; the rules of the domain.
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
    case .finishImport(let id): try finishImport(id)
    case .abandonImport(let id): try abandonImport(id)
    case .batch(let list, let batch): try self.batch(batch, in: list)
    case .recall: unchanged
    }
  }
}

extension CommandRunner {
  /// The index of a new row in a list. Anchors must be in the list, and `taken` is counted as removed.
  func landing(
    _ position: Position, in list: ListRecord, excluding taken: TreeSlot? = nil
  ) throws(StorageError) -> Landing {
    let count = list.tree.count - (taken == nil ? 0 : 1)
    switch position {
    case .first: return Landing(index: 0)
    case .last: return Landing(index: count)
    case .index(let index):
      do throws(InventoryError) {
        return try Landing.above(
          sentinelOf: count, proposed: index, isStrict: change.context.isStrict,
          field: ["position", "index"])
      } catch { throw .refused(error) }
    case .before(let anchor), .after(let anchor):
      guard let entry = try change.access.find(anchor), entry.parent == list.key,
        let place = entry.place, place != taken
      else { throw .refused(.anchorGone(anchor)) }
      var index = try change.index(of: place, in: list.key)
      // Counted after the removal of the row.
      if let taken, try change.index(of: taken, in: list.key) < index { index -= 1 }
      if case .after = position { index += 1 }
      return Landing(index: index)
    }
  }
}
