import FoundationEssentials
import Inventory
import SQL

extension CommandRunner {
  func createList(_ new: NewList) throws(StorageError) -> Outcome {
    let parent = try change.list(new.parent)
    try change.requireRole(.editor)
    try change.refuse(new.details.fieldErrors)
    if let outcome = try existing(RowID(new.id), kind: nil, parent: parent.key) {
      return outcome
    }
    try change.requireMatch(parent)
    try change.require(.add, in: parent)
    try change.access.requireRoom(below: parent.key)
    let landing = try landing(new.position, in: parent)
    let key = try change.add(new.id, new.details, to: parent, at: landing.index)
    let receipt = try change.commit(action: "create list", landing: landing)
    return Outcome(
      receipt: receipt,
      resource: .list(try change.visible(try change.list(key)), index: RowIndex(landing.index)),
      isCreated: true)
  }

  func editList(
    _ reference: ListReference, _ edit: (ListDetails) throws(InventoryError) -> ListDetails
  ) throws(StorageError) -> Outcome {
    var list = try change.list(reference)
    try change.requireRole(.editor)
    let old = list.details
    let new: ListDetails
    do throws(InventoryError) { new = try edit(old) } catch { throw .refused(error) }
    if old.permissions != new.permissions { try change.requireRole(.owner) }
    try change.refuse(new.fieldErrors)
    try change.requireMatch(list)
    if let parent = change.parentEdited(by: new, of: list) {
      try change.require(.edit, in: try change.list(parent))
    }
    try change.replace(list, with: new)
    let receipt = try change.commit(action: "edit list")
    list = try change.list(list.key)
    return Outcome(
      receipt: receipt, resource: .list(try change.visible(list), index: try index(of: list)))
  }

  /// Returns an item's contents list, and creates it if there is none.
  func makeContents(of id: ItemID, id contentsID: ListID) throws(StorageError) -> Outcome {
    var item = try change.access.item(id)
    try change.requireRole(.editor)
    let home = try change.home(of: item).list
    if let contents = item.contents {
      try change.requireMatch(item, in: home)
      let list = try change.visible(try change.list(contents.key))
      return outcome(isChanged: false, .list(list, index: nil))
    }
    guard try change.access.taken(RowID(contentsID)) == nil else {
      throw .refused(.idTaken(RowID(contentsID)))
    }
    try change.requireMatch(item, in: home)
    try change.require(.edit, in: home)
    try change.access.requireRoom(below: item.key)
    let key = try change.insertList(
      contentsID, parent: item.key, place: nil, details: ListDetails(title: item.details.title))
    try change.setContents(of: &item, to: (key, contentsID))
    let receipt = try change.commit(action: "make contents", isUndoable: false)
    return Outcome(
      receipt: receipt, resource: .list(try change.visible(try change.list(key)), index: nil),
      isCreated: true)
  }

  /// A list's index in its parent; nil for a root and a contents list.
  func index(of list: ListRecord) throws(StorageError) -> RowIndex? {
    guard list.key != change.access.root,
      let (parent, place) = try change.standing(of: list.key)
    else { return nil }
    return RowIndex(try change.index(of: place, in: parent))
  }
}
