import FoundationEssentials
import Inventory
@testable import Storage
import Support
import Testing

@Suite("The limit to how deep lists go, in the file")
struct DepthLimitTests {
  let store: OpenStore

  init() throws { store = try OpenStore() }

  private func limit(_ level: Int?) throws {
    try store.write(
      .editInventory { _ in level.flatMap { DepthLimit(level: $0) } })
  }

  private func limit() throws -> Int? {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.inventory().depthLimit?.level
    }
  }

  @Test func `a move looks through so many lists, and no more`() throws {
    let top = try store.addList("Top")
    for number in 0..<5 { try store.addList("\(number)", to: .id(top)) }
    let target = try store.addList("Target")
    func room(bound: Int) throws {
      var bound = bound
      let db = try store.connection()
      let access = try Access(.local, in: db)
      let list = try access.entry(RowID(target)).key
      try access.requireRoom(
        for: try access.entry(RowID(top)), in: list, from: 2, bound: &bound)
    }
    try limit(10)
    try room(bound: 6)
    do {
      try room(bound: 5)
      Issue.record("It looked at more lists than it was to.")
    } catch StorageError.refused(.boundExceeded) {}
    try limit(3)
    do {
      try room(bound: 6)
      Issue.record("It found nothing too deep.")
    } catch StorageError.refused(.tooDeep(limit: 3)) {}
    let db = try store.connection()
    let access = try Access(.local, in: db)
    let entry = try access.entry(RowID(top))
    // Where it goes no deeper nothing is looked at.
    var none = 0
    try access.requireRoom(for: entry, in: access.root, from: 2, bound: &none)
  }

  @Test func `what comes in by steps is measured at each and at its end`() throws {
    let shelf = try store.addList("Shelf")
    func stage(_ target: ImportTarget) throws {
      let id = ImportID(.version7())
      for record in RandomImports.chain(lists: 4) { try store.write(.stage(id, target, [record])) }
      try store.write(.finishImport(id))
    }
    func expectLine(_ line: Int, _ target: ImportTarget) throws {
      let error = #expect(throws: InventoryError.self) { try stage(target) }
      guard case .lineConflicts(let conflicts) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(conflicts.map(\.line) == [line])
      #expect(conflicts.map(\.reason) == [.tooDeep])
      try abandonAll()
    }
    try limit(5)
    // Below the shelf the last of the four would be on level 6.
    try expectLine(5, .end(of: .id(shelf)))
    try limit(3)
    try expectLine(5, .inventory)
    try limit(1)
    try expectLine(2, .end(of: .root))
    // The limit comes while it is being staged.
    for target in [ImportTarget.end(of: .root), .inventory] {
      try limit(nil)
      let id = ImportID(.version7())
      for record in RandomImports.chain(lists: 4) {
        try store.write(.stage(id, target, [record]))
      }
      try limit(3)
      #expect(store.result(.finishImport(id)) == .failure(.tooDeep(limit: 3)))
      try limit(5)
      try store.write(.finishImport(id))
      #expect(try limit() == 5)
    }
  }

  private func abandonAll() throws {
    let db = try store.connection()
    var ids: [ImportID] = []
    try db.sql("SELECT id FROM staging").each { ids.append(ImportID($0.uuid(0))) }
    for id in ids { try store.write(.abandonImport(id)) }
  }

  @Test func `a new inventory begins with its own`() throws {
    let id = InventoryID(.version7())
    let made = try store.administer(
      .createInventory(
        id: id, title: "Shed", depthLimit: DepthLimit(level: 1)))
    guard case .inventory(let inventory) = made else {
      Issue.record("no inventory")
      return
    }
    #expect(inventory.depthLimit?.level == 1)
    var there = Caller.local
    there.inventory = id
    let new = NewList(
      id: ListID(.version7()), parent: .root, details: ListDetails(title: "Shelf"))
    #expect(store.result(.createList(new), as: there) == .failure(.tooDeep(limit: 1)))
    try store.write(.createList(new))
    #expect(try limit() == nil)
  }
}
