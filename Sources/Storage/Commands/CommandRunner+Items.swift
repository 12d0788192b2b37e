import FoundationEssentials
import Inventory
import SQLite

extension CommandRunner {
  func createItem(
    _ new: NewItem, in reference: ListReference, _ position: Position
  ) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try requireRole(.editor)
    try refuse(new.details.violations(currentYear: currentYear))
    if let outcome = try existing(RowID(new.id), kind: new.details.kind, parent: list.key) {
      return outcome
    }
    try requireMatch(list)
    try require(.add, in: list)
    try requireAccepted(new.details.kind, by: list)
    let landing = try landing(position, in: list)
    let item = try add(new, to: list, at: landing.index)
    let receipt = try change.commit(
      action: "create item", isRetargeted: landing.isRetargeted)
    return Outcome(
      receipt: receipt, resource: .item(item, index: RowIndex(landing.index)), isCreated: true)
  }

  /// Makes an item at an index.
  func add(_ new: NewItem, to list: ListRecord, at index: Int) throws(StorageError) -> Item {
    let place = try reserve(at: index, in: list.key)
    try insertItem(new, list: list.key, place: place)
    try change.update(list.key) { $0.total += new.details.total }
    let item = Item(
      id: new.id, listID: list.id, details: new.details, contentsListID: nil,
      revision: change.revision, createdAt: new.createdAt ?? change.now, updatedAt: change.now)
    change.record(.insert(RowID(new.id), at: index), on: list.key)
    change.summaryChanged(of: list.key)
    return item
  }

  func appendItems(_ items: [NewItem], to reference: ListReference) throws(StorageError) -> Outcome
  {
    var list = try change.list(reference)
    try requireRole(.editor)
    guard items.count <= Limits.rowsInOneChange else {
      throw .refused(.tooManyRows(limit: Limits.rowsInOneChange))
    }
    for (number, item) in items.enumerated() {
      try refuse(
        item.details.violations(currentYear: currentYear).map {
          FieldError([String(number)] + $0.path, $0.detail)
        })
    }
    try requireMatch(list)
    try require(.add, in: list)
    let start = list.tree.count
    let places = try list.tree.reserve(atEnd: items.count, shape: change.shape, in: db)
    for (number, item) in items.enumerated() {
      guard try change.access.taken(RowID(item.id)) == nil else {
        throw .refused(.idTaken(RowID(item.id)))
      }
      try requireAccepted(item.details.kind, by: list)
      try insertItem(item, list: list.key, place: places[number])
      list.total += item.details.total
      change.record(.insert(RowID(item.id), at: start + number), on: list.key)
    }
    if !items.isEmpty { change.summaryChanged(of: list.key) }
    let (tree, total) = (list.tree, list.total)
    try change.update(list.key) {
      $0.tree = tree
      $0.total = total
    }
    return Outcome(receipt: try change.commit(action: "append items"))
  }

  func editItem(
    _ id: ItemID, _ edit: (ItemDetails) throws(InventoryError) -> ItemDetails
  ) throws(StorageError) -> Outcome {
    var item = try change.access.item(id)
    try requireRole(.editor)
    let (list, place) = try home(of: item)
    let old = item.details
    let new: ItemDetails
    do throws(InventoryError) { new = try edit(old) } catch { throw .refused(error) }
    try refuse(violations(of: new, replacing: old))
    try requireMatch(item, in: list)
    try require(.edit, in: list)
    let index = try change.index(of: place, in: list.key)
    try replace(&item, with: new, at: index, of: list)
    let receipt = try change.commit(action: "edit item")
    return Outcome(
      receipt: receipt, resource: .item(item.item(in: list.id), index: RowIndex(index)))
  }

  func violations(of new: ItemDetails, replacing old: ItemDetails) -> [FieldError] {
    new.violations(currentYear: currentYear)
      + (new.kind == old.kind ? [] : [FieldError(["kind"], "An item keeps its kind.")])
  }

  /// Gives the item at an index new details.
  func replace(
    _ item: inout ItemRecord, with new: ItemDetails, at index: Int, of list: ListRecord
  ) throws(StorageError) {
    let old = item.details
    guard new != old else { return }
    let id = RowID(item.id)
    item.details = new
    item.revision = change.revision
    item.updatedAt = change.now
    try item.save(in: db)
    change.countText(of: old)
    change.countText(of: new)
    for edit in Self.edits(id, from: old, to: new) { change.record(edit) }
    if Self.shown(old) != Self.shown(new) {
      change.know(.item(ItemSummary(item.item(in: list.id))), of: id)
      change.record(.reload(id, at: index), on: list.key)
    }
    if new.total != old.total {
      try change.update(list.key) { $0.total += new.total - old.total }
      change.summaryChanged(of: list.key)
    }
  }

  func requireAccepted(_ kind: ItemKind, by list: ListRecord) throws(StorageError) {
    guard list.details.itemKind.accepts(kind) else {
      throw .refused(.kindMismatch(list: list.id, accepts: list.details.itemKind))
    }
  }

  var currentYear: Int { change.now.year }

  func insertItem(
    _ new: NewItem, list: Int64, place: TreeSlot
  ) throws(StorageError) {
    let columns = ItemBindings(new.details)
    try db.sql(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, name, serial_number, value,
        quantity, tags, make, model, year, fuel, fields, notes, created_at, updated_at, revision,
        placed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22)
      """
    ).bind(change.access.inventory).bind(list).bind(place.leaf).bind(place.pos).bind(columns.kind)
      .bind(new.id).bind(columns).bind((new.createdAt ?? change.now).seconds)
      .bind((new.updatedAt ?? change.now).seconds).bind(change.revision.number)
      .bind(change.revision.number).perform()
    change.know(.item(ItemSummary(new.id, new.details)), of: RowID(new.id))
    change.countText(of: new.details)
    change.countNew(items: 1)
  }

  /// What a row shows of the item.
  private static func shown(_ details: ItemDetails) -> ItemDetails {
    var shown = details
    shown.notes = nil
    shown.fields = .none
    return shown
  }

  private static func edits(
    _ row: RowID, from old: ItemDetails, to new: ItemDetails
  ) -> [ChangeLog.Edit] {
    ChangeLog.Edit.between(old.logged, new.logged, of: row)
  }
}
