import Inventory
import SQL
import Testing

@testable import Storage

/// Undo of changes of many rows, and of changes after which a lot has happened.
@Suite struct `A long undo` {
  @Test func `of a recursive delete brings ten thousand rows back to their places`() throws {
    let store = try OpenStore()
    try store.addThing("before")
    let list = try store.addList("list")
    try store.addThing("after")
    let items = (0..<10_000).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "thing \($0)"))
    }
    try store.write(.appendItems(items, to: .id(list)))
    let deleted = try store.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    try store.write(.undo(deleted.receipt.revision))
    #expect(try store.titles() == ["before", "list", "after"])
    for offset in stride(from: 0, to: 10_000, by: 1_000) {
      #expect(
        try store.titles(of: .id(list), offset: offset)
          == (offset..<(offset + 1_000)).map { "thing \($0)" })
    }
  }

  @Test func `of ten thousand additions and back keeps their order`() throws {
    let store = try OpenStore()
    try store.addThing("first")
    let items = (0..<10_000).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "thing \($0)"))
    }
    let added = try store.write(.appendItems(items, to: .root))
    try store.addThing("last")
    let undone = try store.write(.undo(added.receipt.revision))
    #expect(try store.titles() == ["first", "last"])
    try store.write(.undo(undone.receipt.revision))
    #expect(try store.titles(offset: 9_999) == ["thing 9998", "thing 9999", "last"])
    #expect(try store.titles(limit: 2) == ["first", "thing 0"])
  }

  private func change(in db: Connection) throws -> Change {
    try Change(
      WriteContext(caller: .local, requestID: "test"), in: db, shape: TreeShape(),
      now: Timestamp(seconds: 5))
  }

  /// Adds more steps to the log than an undo looks at.
  private func logMuch(at revision: Int, in db: Connection) throws {
    try db.execute(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9000)
      INSERT INTO operation (inventory, revision, sequence, list, kind, row, source)
      SELECT 1, \(revision), 10 + n, 1, 3, randomblob(16), 0 FROM numbers
      """)
  }

  /// How often SQLite asks whether to go on, which it does every 100 instructions.
  private func countSteps(in db: Connection, _ body: () throws -> Void) throws -> Int {
    var steps = 0
    db.setProgress(every: 100) {
      steps += 1
      return false
    }
    defer { db.setProgress(every: 0, nil) }
    try body()
    return steps
  }

  private func cost(ofPuttingBack count: Int) throws -> Int {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let items = (0..<2 * count).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "thing \($0)"))
    }
    try store.write(.appendItems(items, to: .root))
    let moved = try store.write(
      .moveRows(items.prefix(count).map { RowID($0.id) }, into: .root, .last))
    try store.addThing("last")
    let db = try store.connection()
    // More has happened since than is looked at.
    try logMuch(at: 3, in: db)
    try db.begin(.immediate)
    defer { db.rollback() }
    let change = try change(in: db)
    let steps = try countSteps(in: db) {
      let outcome = try CommandRunner(change).run(.undo(moved.receipt.revision))
      #expect(outcome.receipt.isChanged)
    }
    let root = try change.access.list(.root).tree
    for index in [0, 1, count - 1, count, 2 * count - 1] {
      let key = try root.row(at: index, in: db)
      #expect(try key.map { RowID(try change.access.id(of: $0)) } == RowID(items[index].id))
    }
    return steps
  }

  @Test func `of a move of many rows long ago takes its time for each, and not for each pair`()
    throws
  {
    let (few, many) = (try cost(ofPuttingBack: 25), try cost(ofPuttingBack: 100))
    #expect(many <= 7 * few)
  }

  private func cost(ofTakingBack count: Int) throws -> Int {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let first = try store.addThing("first")
    let items = (0..<count).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "thing \($0)"))
    }
    let added = try store.write(.appendItems(items, to: .root))
    let last = try store.addThing("last")
    // Leaves a gap between those that go.
    try store.write(
      .relocate(RowID(last), into: .root, .index(count / 2 + 1)))
    let db = try store.connection()
    try db.begin(.immediate)
    defer { db.rollback() }
    let change = try change(in: db)
    let steps = try countSteps(in: db) {
      let outcome = try CommandRunner(change).run(.undo(added.receipt.revision))
      #expect(outcome.receipt.isChanged)
    }
    let before = [first] + items.map(\.id)
    for (number, item) in items.enumerated() {
      let key = try #require(try change.access.find(RowID(item.id))).key
      let record = try #require(try TrashRecord.find(key, in: db))
      let isBelow = number >= count / 2
      #expect(record.index == number + (isBelow ? 2 : 1))
      #expect(record.previous == RowID(number == count / 2 ? last : before[number]))
      #expect(record.next == (isBelow ? nil : RowID(last)))
    }
    return steps
  }

  /// In hundreds of instructions.
  @Test func `of many additions looks for no neighbour of a row that goes with it`() throws {
    let count = 400
    let steps = try cost(ofTakingBack: count)
    #expect(steps < 7 * count)
  }

  @Test func `before which a lot has happened in several lists is left to a reader`() throws {
    let store = try OpenStore { $0.orderBound = 20 }
    // Whose rows in here get new values with each addition.
    let shelf = try store.addList("shelf")
    let target = try store.addList("target")
    let lists = try (0..<5).map { try store.addList("\($0)", to: .id(shelf)) }
    let rows = try lists.map { RowID(try store.addThing("row", to: .id($0))) }
    let moved = try store.write(.moveRows(rows, into: .id(target), .last)).receipt.revision
    // No list has so much that it would be left to one.
    for list in lists { for number in 0..<15 { try store.addThing("\(number)", to: .id(list)) } }
    let db = try store.connection()
    try db.begin(.deferred)
    let change = try change(in: db)
    #expect(throws: StorageError.self) {
      try CommandRunner(change, orderBound: 20).run(.undo(moved))
    }
    db.rollback()
    try store.write(.undo(moved))
    #expect(try store.titles(of: .id(lists[4])).last == "14")
    #expect(try store.titles(of: .id(lists[4])).count == 16)
  }

  /// The writer does no more than look at the rows and count so many steps.
  @Test func `before which a lot has happened is left to a reader`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let items = try ["a", "b", "c"].map { try store.addThing($0) }
    let moved = try store.write(.relocate(RowID(items[0]), into: .root, .last))
    try store.write(.relocate(RowID(items[0]), into: .root, .first))
    try store.write(.relocate(RowID(items[0]), into: .root, .last))
    let deleted = try store.write(.relocate(RowID(items[1]), into: .root, .last))
    try store.write(.deleteRow(RowID(items[1]), kind: .item, isRecursive: false))
    let db = try store.connection()
    try logMuch(at: 8, in: db)
    try db.begin(.deferred)
    defer { db.rollback() }
    func refusal(_ revision: Revision) throws -> InventoryError? {
      let change = try change(in: db)
      do throws(StorageError) {
        _ = try CommandRunner(change, orderBound: 1_000).run(.undo(revision))
        return nil
      } catch { return error.inventoryError }
    }
    let steps = try countSteps(in: db) {
      for revision in [deleted, moved].map(\.receipt.revision) {
        let refusal = try refusal(revision)
        #expect(refusal == .boundExceeded)
      }
    }
    #expect(steps < 2_000)
    guard
      case .failure(.undoConflict(let conflicts)) = store.result(
        .undo(deleted.receipt.revision))
    else {
      Issue.record("not refused")
      return
    }
    #expect(conflicts == [UndoConflict(RowID(items[1]), .gone)])
    try store.write(.undo(moved.receipt.revision))
    #expect(try store.titles() == ["a", "c"])
  }
}
