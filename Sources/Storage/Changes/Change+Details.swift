import FoundationEssentials
import Inventory
import SQL

/// Adds items and replaces their details.
extension Change {
  /// Adds a new item at an index.
  func add(_ new: NewItem, to list: ListRecord, at index: Int) throws(StorageError) -> Item {
    let place = try reserve(at: index, in: list.key)
    try insertItem(new, list: list.key, place: place)
    try update(list.key) { $0.total += new.details.total }
    let item = Item(
      id: new.id, listID: list.id, details: new.details, contentsListID: nil,
      revision: revision, createdAt: new.createdAt ?? now, updatedAt: now)
    record(.insert(RowID(new.id), at: index), on: list.key)
    summaryChanged(of: list.key)
    return item
  }

  /// Replaces the details of the item at an index.
  func replace(
    _ item: inout ItemRecord, with new: ItemDetails, at index: Int, of list: ListRecord
  ) throws(StorageError) {
    let old = item.details
    guard new != old else { return }
    let id = RowID(item.id)
    item.details = new
    item.revision = revision
    item.updatedAt = now
    try item.save(in: db)
    countText(of: old)
    countText(of: new)
    for edit in ChangeLog.Edit.between(old, new, of: id) { record(edit) }
    if Self.shown(old) != Self.shown(new) {
      know(.item(ItemSummary(item.item(in: list.id))), of: id)
      record(.reload(id, at: index), on: list.key)
    }
    if new.total != old.total {
      try update(list.key) { $0.total += new.total - old.total }
      summaryChanged(of: list.key)
    }
  }

  /// Inserts an item at a reserved place, without a step in the log. Returns its key.
  @discardableResult
  func insertItem(_ new: NewItem, list: RowKey, place: TreeSlot) throws(StorageError) -> RowKey {
    let key = try ItemRecord.insert(
      new.id, new.details, inventory: access.inventory, list: list, at: place,
      createdAt: new.createdAt ?? now, updatedAt: new.updatedAt ?? now, revision: revision,
      placed: revision, in: db)
    know(.item(ItemSummary(new.id, new.details)), of: RowID(new.id))
    countText(of: new.details)
    newItems += 1
    return key
  }

  /// Gives an item without contents a contents list, which has been inserted.
  ///
  /// - Parameter isKnown: whether the item existed before the change.
  func setContents(
    of item: inout ItemRecord, to contents: (key: RowKey, id: ListID), isKnown: Bool = true
  ) throws(StorageError) {
    let (home, place) = try home(of: item)
    item.contents = contents
    item.revision = revision
    if isKnown { item.updatedAt = now }
    try item.save(in: db)
    let row = RowID(item.id)
    // The change may have noted the row's content without the contents list.
    know(.item(ItemSummary(item.item(in: home.id))), of: row)
    guard isKnown else { return }
    record(
      ChangeLog.Edit(
        row: row, field: "contents", before: .null, after: .text(contents.id.description)))
    record(.reload(row, at: try index(of: place, in: home.key)), on: home.key)
  }

  /// The details that a row shows of the item.
  private static func shown(_ details: ItemDetails) -> ItemDetails {
    var shown = details
    shown.notes = nil
    shown.fields = .none
    return shown
  }
}

/// Adds lists and replaces their details.
extension Change {
  /// Adds a new list at an index of another. Returns its key.
  @discardableResult
  func add(
    _ id: ListID, _ details: ListDetails, to parent: ListRecord, at index: Int
  ) throws(StorageError) -> RowKey {
    let place = try reserve(at: index, in: parent.key)
    let key = try insertList(id, parent: parent.key, place: place, details: details)
    know(.list(try list(key).summary), of: RowID(id))
    record(.insert(RowID(id), at: index), on: parent.key)
    summaryChanged(of: parent.key)
    return key
  }

  /// Replaces the details of a list. Does nothing if they are the same.
  func replace(_ list: ListRecord, with new: ListDetails) throws(StorageError) {
    let fields = ListFields(between: list.details, and: new)
    guard fields != [] else { return }
    try update(list.key) { $0.details = new }
    record(.fields(fields), on: list.key)
    let edits = ChangeLog.Edit.between(list.details, new, of: RowID(list.id))
    for edit in edits { record(edit) }
    if fields.contains(.title) { try ListRecord.setTitle(new.title, of: list.key, in: db) }
    if !fields.isDisjoint(with: .shownByRow) { summaryChanged(of: list.key) }
  }

  /// Inserts a list without rows, without a step in the log. Returns its key.
  func insertList(
    _ id: ListID, parent: RowKey, place: TreeSlot?, details: ListDetails,
    createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil
  ) throws(StorageError) -> RowKey {
    let record = try ListRecord.insert(
      id, details, inventory: access.inventory, parent: parent, at: place,
      createdAt: createdAt ?? now, updatedAt: updatedAt ?? now, revision: revision,
      placed: revision, in: db)
    newLists += 1
    // Logs the creation.
    recordQuietly(.fields([]), on: record.key)
    return record.key
  }
}
