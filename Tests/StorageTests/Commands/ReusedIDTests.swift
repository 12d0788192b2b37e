import Inventory
@testable import Storage
import Support
import Testing

/// What is gone for good gives back its id. What gets it then is another, which no undo may touch.
@Suite struct `An undo of a change to what has gone for good` {
  private let store: OpenStore
  private let item = ItemID(.version7())

  init() throws { store = try OpenStore { $0.housekeepingInterval = .seconds(86_400) } }

  private func make(_ name: String, in list: ListReference = .root) throws {
    try store.write(
      .createItem(NewItem(id: item, details: ItemDetails(name: name)), in: list, .last))
  }

  private func purge(_ row: RowID) throws {
    try store.write(.deleteRow(row, kind: .any, isRecursive: true))
    try store.write(.purge(row))
    try store.store.doChores()
  }

  private func edit(to name: String) throws -> Revision {
    try store.write(
      .editItem(item) { details in
        var details = details
        details.name = name
        return details
      }
    ).receipt.revision
  }

  private func refusal(of revision: Revision) -> UndoConflict.Reason? {
    guard case .failure(.undoConflict(let conflicts)) = store.result(.undo(revision)) else {
      return nil
    }
    return conflicts.first?.reason
  }

  @Test func `leaves an item alone that has its id by now`() throws {
    try make("Globe")
    let edit = try edit(to: "Lamp")
    try purge(RowID(item))
    try make("Lamp")
    #expect(refusal(of: edit) == .gone)
    #expect(try store.titles() == ["Lamp"])
    // What is done to the other can be undone.
    #expect(throws: Never.self) { try store.write(.undo(try self.edit(to: "Torch"))) }
    #expect(try store.titles() == ["Lamp"])
  }

  @Test func `is unknown to who sees but the item that has its id by now`() throws {
    let shelf = try store.addList("Shelf")
    let caller = Caller(root: shelf, role: .editor, name: "test")
    try make("Globe", in: .id(shelf))
    let edit = try edit(to: "Lamp")
    try purge(RowID(item))
    try make("Lamp", in: .id(shelf))
    guard case .failure(.notFound(.change)) = store.result(.undo(edit), as: caller) else {
      Issue.record("not refused as unknown")
      return
    }
    let logged = try store.read(as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.changes(since: nil, before: nil, offset: 0, limit: 10).changes
    }
    #expect(logged.first { $0.revision == edit }?.isUndoable == false)
  }

  @Test func `leaves a list alone that has its id by now`() throws {
    let list = ListID(.version7())
    func make(_ title: String) throws {
      try store.write(
        .createList(NewList(id: list, parent: .root, details: ListDetails(title: title))))
    }
    try make("Shelf")
    let edit = try store.write(
      .editList(.id(list)) { details in
        var details = details
        details.title = "Box"
        return details
      }
    ).receipt.revision
    try purge(RowID(list))
    try make("Box")
    #expect(refusal(of: edit) == .gone)
    #expect(try store.titles() == ["Box"])
  }

  @Test func `leaves an order alone in which another has its place`() throws {
    try store.addThing("A")
    try make("B")
    try store.addThing("C", to: .root, .first)
    let sorted = try store.write(.reorder(.root, .sorted(SortOrder(key: .title)))).receipt.revision
    try purge(RowID(item))
    try store.write(
      .createItem(
        NewItem(id: item, details: ItemDetails(name: "B")), in: .root, .index(1)))
    #expect(refusal(of: sorted) == .reordered)
    #expect(try store.titles() == ["A", "B", "C"])
  }
}
