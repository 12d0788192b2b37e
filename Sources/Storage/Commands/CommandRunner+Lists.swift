import FoundationEssentials
import Inventory
import SQLite

extension CommandRunner {
  func createList(_ new: NewList) throws(StorageError) -> Outcome {
    let parent = try change.list(new.parent)
    try requireRole(.editor)
    try refuse(new.details.violations)
    if let outcome = try existing(RowID(new.id), kind: nil, parent: parent.key) {
      return outcome
    }
    try requireMatch(parent)
    try require(.add, in: parent)
    try change.access.requireRoom(below: parent.key)
    let landing = try landing(new.position, in: parent)
    let key = try add(new.id, new.details, to: parent, at: landing.index)
    let receipt = try change.commit(
      action: "create list", isRetargeted: landing.isRetargeted)
    return Outcome(
      receipt: receipt,
      resource: .list(try visible(try change.list(key)), index: RowIndex(landing.index)),
      isCreated: true)
  }

  /// Makes a list at an index of another; its key.
  @discardableResult
  func add(
    _ id: ListID, _ details: ListDetails, to parent: ListRecord, at index: Int
  ) throws(StorageError) -> Int64 {
    let place = try reserve(at: index, in: parent.key)
    let key = try insertList(id, parent: parent.key, place: place, details: details)
    change.know(.list(try change.list(key).summary), of: RowID(id))
    change.record(.insert(RowID(id), at: index), on: parent.key)
    change.summaryChanged(of: parent.key)
    return key
  }

  func editList(
    _ reference: ListReference, _ edit: (ListDetails) throws(InventoryError) -> ListDetails
  ) throws(StorageError) -> Outcome {
    var list = try change.list(reference)
    try requireRole(.editor)
    let old = list.details
    let new: ListDetails
    do throws(InventoryError) { new = try edit(old) } catch { throw .refused(error) }
    if ListFields(between: old, and: new).contains(.permissions) { try requireRole(.owner) }
    try refuse(new.violations)
    try requireMatch(list)
    if let parent = parentEdited(by: new, of: list) {
      try require(.edit, in: try change.list(parent))
    }
    try replace(list, with: new)
    let receipt = try change.commit(action: "edit list")
    list = try change.list(list.key)
    return Outcome(
      receipt: receipt, resource: .list(try visible(list), index: try index(of: list)))
  }

  /// The list whose row shows a title that is new; a caller's own root and contents lists are no rows.
  func parentEdited(by new: ListDetails, of list: ListRecord) -> Int64? {
    guard ListFields(between: list.details, and: new).contains(.title),
      list.key != change.access.root, list.place != nil
    else { return nil }
    return list.parent
  }

  /// Gives a list other details; nothing happens where they are the same.
  func replace(_ list: ListRecord, with new: ListDetails) throws(StorageError) {
    let fields = ListFields(between: list.details, and: new)
    guard fields != [] else { return }
    try change.update(list.key) { $0.details = new }
    change.record(.fields(fields), on: list.key)
    for edit in Self.edits(RowID(list.id), from: list.details, to: new) { change.record(edit) }
    guard fields.contains(.title) else { return }
    try db.sql("UPDATE row SET title = ?2 WHERE key = ?1").bind(list.key).bind(new.title)
      .perform()
    change.summaryChanged(of: list.key)
  }

  /// The contents list that an item has, or a new one.
  func makeContents(of id: ItemID, id contentsID: ListID) throws(StorageError) -> Outcome {
    var item = try change.access.item(id)
    try requireRole(.editor)
    let (home, place) = try home(of: item)
    if let contents = item.contents {
      try requireMatch(item, in: home)
      let list = try change.list(contents.key)
      return Outcome(
        receipt: Receipt(revision: change.access.revision, isChanged: false),
        resource: .list(try visible(list), index: nil))
    }
    guard try change.access.taken(RowID(contentsID)) == nil else {
      throw .refused(.idTaken(RowID(contentsID)))
    }
    try requireMatch(item, in: home)
    try require(.edit, in: home)
    try change.access.requireRoom(below: item.key)
    let key = try insertList(
      contentsID, parent: item.key, place: nil, details: ListDetails(title: item.details.title))
    item.contents = (key, contentsID)
    item.revision = change.revision
    item.updatedAt = change.now
    try item.save(in: db)
    change.record(
      ChangeLog.Edit(
        row: RowID(id), field: "contents", before: .null, after: .text(contentsID.description)))
    change.record(
      .reload(RowID(id), at: try change.index(of: place, in: home.key)), on: home.key)
    let receipt = try change.commit(action: "make contents", isUndoable: false)
    return Outcome(
      receipt: receipt, resource: .list(try visible(try change.list(key)), index: nil),
      isCreated: true)
  }

  /// Inserts both records of a new list; its key.
  func insertList(
    _ id: ListID, parent: Int64, place: TreeSlot?, details: ListDetails
  ) throws(StorageError) -> Int64 {
    try db.sql(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, created_at, placed)
      VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8)
      """
    ).bind(change.access.inventory).bind(parent).bind(place?.leaf).bind(place?.pos).bind(id)
      .bind(details.title).bind(change.now.seconds).bind(change.revision.number).perform()
    let key = db.lastInsertRowID
    try db.sql("INSERT INTO list (key, revision, updated_at) VALUES (?1, ?2, ?3)")
      .bind(key).bind(change.revision.number).bind(change.now.seconds).perform()
    if details != ListDetails(title: details.title) {
      guard var record = try ListRecord.find(key: key, in: db) else {
        throw .broken("list \(key) is gone")
      }
      record.details = details
      try record.save(in: db)
    }
    change.countNew(lists: 1)
    change.recordMaking(of: key)
    return key
  }

  /// A list's index in its parent, unless it is a root or a contents list.
  func index(of list: ListRecord) throws(StorageError) -> RowIndex? {
    guard list.key != change.access.root,
      let (parent, place) = try change.standing(of: list.key)
    else { return nil }
    return RowIndex(try change.index(of: place, in: parent))
  }

  private static func edits(
    _ row: RowID, from old: ListDetails, to new: ListDetails
  ) -> [ChangeLog.Edit] {
    ChangeLog.Edit.between(old.logged, new.logged, of: row)
  }
}

extension ChangeLog.Edit {
  /// The values that differ between two readings of the same fields.
  static func between(
    _ old: [(StaticString, Value)], _ new: [(StaticString, Value)], of row: RowID
  ) -> [Self] {
    zip(old, new).compactMap { old, new in
      old.1 == new.1 ? nil : Self(row: row, field: old.0, before: old.1, after: new.1)
    }
  }
}
