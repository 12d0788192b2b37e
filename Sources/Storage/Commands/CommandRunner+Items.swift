import FoundationEssentials
import Inventory
import SQL

extension CommandRunner {
  func createItem(
    _ new: NewItem, in reference: ListReference, _ position: Position
  ) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    try change.refuse(new.details.fieldErrors(currentYear: change.currentYear))
    if let outcome = try existing(RowID(new.id), kind: new.details.kind, parent: list.key) {
      return outcome
    }
    try change.requireMatch(list)
    try change.require(.add, in: list)
    try change.requireAccepted(new.details.kind, by: list)
    let landing = try landing(position, in: list)
    let item = try change.add(new, to: list, at: landing.index)
    let receipt = try change.commit(action: "create item", landing: landing)
    return Outcome(
      receipt: receipt, resource: .item(item, index: RowIndex(landing.index)), isCreated: true)
  }

  func appendItems(_ items: [NewItem], to reference: ListReference) throws(StorageError) -> Outcome
  {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    try change.requireCount(items.count)
    for (number, item) in items.enumerated() {
      try change.refuse(
        item.details.fieldErrors(currentYear: change.currentYear).map {
          FieldError([String(number)] + $0.path, $0.detail)
        })
    }
    try change.requireMatch(list)
    try change.require(.add, in: list)
    let start = list.tree.count
    let places = try change.update(list.key) { (list) throws(StorageError) in
      try list.tree.reserve(atEnd: items.count, shape: change.shape, in: db)
    }
    for (number, item) in items.enumerated() {
      guard try change.access.taken(RowID(item.id)) == nil else {
        throw .refused(.idTaken(RowID(item.id)))
      }
      try change.requireAccepted(item.details.kind, by: list)
      try change.insertItem(item, list: list.key, place: places[number])
      try change.update(list.key) { $0.total += item.details.total }
      change.record(.insert(RowID(item.id), at: start + number), on: list.key)
    }
    if !items.isEmpty { change.summaryChanged(of: list.key) }
    return Outcome(receipt: try change.commit(action: "append items"))
  }

  func editItem(
    _ id: ItemID, _ edit: (ItemDetails) throws(InventoryError) -> ItemDetails
  ) throws(StorageError) -> Outcome {
    var item = try change.access.item(id)
    try change.requireRole(.editor)
    let (list, place) = try change.home(of: item)
    let old = item.details
    let new: ItemDetails
    do throws(InventoryError) { new = try edit(old) } catch { throw .refused(error) }
    try change.refuse(change.fieldErrors(of: new, replacing: old))
    try change.requireMatch(item, in: list)
    try change.require(.edit, in: list)
    let index = try change.index(of: place, in: list.key)
    try change.replace(&item, with: new, at: index, of: list)
    let receipt = try change.commit(action: "edit item")
    return Outcome(
      receipt: receipt, resource: .item(item.item(in: list.id), index: RowIndex(index)))
  }
}
