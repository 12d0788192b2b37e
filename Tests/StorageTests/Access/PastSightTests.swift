import Inventory
@testable import Storage
import Testing

@Suite struct `What was done out of a list token's sight` {
  private let store: OpenStore
  private let shared: ListID
  private let secret: ListID
  private let kim: Caller

  init() throws {
    store = try OpenStore()
    shared = try store.addList("Shared")
    secret = try store.addList("Private")
    kim = Caller(root: shared, role: .editor, name: "Kim", grant: .unconditional)
  }

  /// Makes an item, and clears its notes.
  ///
  /// - Returns: the item, and the revision that cleared the notes.
  private func clearedSafe(in list: ListID) throws -> (ItemID, Revision) {
    let safe = try store.addThing("Safe", to: .id(list))
    try setNotes(of: safe, "PIN 1234")
    return (safe, try setNotes(of: safe, nil))
  }

  @discardableResult
  private func setNotes(of item: ItemID, _ notes: String?) throws -> Revision {
    try store.write(
      .editItem(item) {
        var details = $0
        details.notes = notes
        return details
      }
    ).receipt.revision
  }

  private func change(_ revision: Revision) throws -> LoggedChange? {
    let kim = kim
    return try store.read(.long) { (snapshot) throws(InventoryError) in
      let page = try snapshot.changes(since: nil, before: nil, offset: 0, limit: 100, for: kim)
      return page.changes.first { $0.revision == revision }
    }
  }

  private func expectHidden(_ revision: Revision) throws {
    #expect(throws: InventoryError.notFound(.change)) {
      try store.write(.undo(revision), as: kim)
    }
    #expect(try change(revision) == nil)
  }

  @Test func `can't be undone once an item is moved into sight`() throws {
    let (safe, cleared) = try clearedSafe(in: secret)
    try store.write(.relocate(RowID(safe), into: .id(shared), .last))
    try expectHidden(cleared)
    // Nor once it has been moved within sight.
    let drawer = try store.addList("Drawer", to: .id(shared))
    try store.write(.relocate(RowID(safe), into: .id(drawer), .last), as: kim)
    try expectHidden(cleared)
  }

  @Test func `can't be undone once a list around it is moved into sight`() throws {
    let inner = try store.addList("Inner", to: .id(secret))
    let (safe, cleared) = try clearedSafe(in: inner)
    try store.write(.relocate(RowID(inner), into: .id(shared), .last))
    try expectHidden(cleared)
    // Nor once the item has left that list.
    try store.write(.relocate(RowID(safe), into: .id(shared), .first), as: kim)
    try expectHidden(cleared)
  }

  @Test func `does not keep what was done within sight from being undone`() throws {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let (safe, cleared) = try clearedSafe(in: drawer)
    try store.write(.relocate(RowID(safe), into: .id(shared), .last), as: kim)
    try store.write(.relocate(RowID(drawer), into: .id(shared), .first), as: kim)
    #expect(try change(cleared)?.isUndoable == true)
    try store.write(.undo(cleared), as: kim)
  }

  @Test func `is found out by a reader where a lot has happened since`() throws {
    let store = try OpenStore { $0.orderBound = 20 }
    let shared = try store.addList("Shared")
    let kim = Caller(root: shared, role: .editor, name: "Kim", grant: .unconditional)
    let drawer = try store.addList("Drawer", to: .id(shared))
    let safe = try store.addThing("Safe", to: .id(drawer))
    let renamed = try store.write(
      .editItem(safe) {
        var details = $0
        details.name = "Box"
        return details
      }
    ).receipt.revision
    try store.write(.relocate(RowID(safe), into: .id(shared), .last))
    for number in 0..<30 { try store.addThing("\(number)") }
    let db = try store.connection()
    try db.begin(.deferred)
    let change = try Change(
      WriteContext(caller: kim, requestID: "test"), in: db, shape: TreeShape(),
      now: Timestamp(seconds: 5))
    #expect(throws: StorageError.self) {
      try CommandRunner(change, orderBound: 20).run(.undo(renamed))
    }
    db.rollback()
    try store.write(.undo(renamed), as: kim)
    #expect(try store.titles(of: .id(shared)) == ["Drawer", "Safe"])
  }
}
