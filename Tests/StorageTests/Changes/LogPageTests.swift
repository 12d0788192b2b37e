import Inventory
import SQL
import Storage
import Testing

/// The log has many changes that touch nothing of one list; a token for that list asks for the log.
@Suite struct `A page of the log for a caller who sees one list` {
  private let store: OpenStore
  private let list: ListID

  init() throws {
    store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    list = try store.addList("Shelf")
    try store.addThing("Globe", to: .id(list))
  }

  /// Adds changes to the root list to the log, each of so many steps.
  private func log(_ changes: Int, steps: Int = 1) throws {
    let db = try store.connection()
    try db.execute(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(changes))
      INSERT INTO change (inventory, revision, at, actor, request_id, action)
      SELECT key, revision + n, 0, 'test', 'test', 'move row' FROM inventory, numbers;
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(changes)),
        steps(s) AS (SELECT 1 UNION ALL SELECT s + 1 FROM steps WHERE s < \(steps))
      INSERT INTO operation (inventory, revision, sequence, list, kind, row, source, target)
      SELECT inventory.key, revision + n, s, 1, 2, randomblob(16), 0, 1
      FROM inventory, numbers, steps;
      UPDATE inventory SET revision = revision + \(changes)
      """)
    // Readers take up what others wrote with the store's next commit.
    try store.addThing("Commit")
  }

  private func page(before end: Revision? = nil, limit: Int = 50) throws -> PageOfChanges {
    let caller = Caller(root: list, role: .reader, name: "test")
    return try store.read(.long, as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.changes(since: nil, before: end, offset: 0, limit: limit)
    }
  }

  @Test func `covers at most a thousand changes, and the next page continues after them`() throws {
    try log(2_400)
    var page = try page()
    #expect(page == PageOfChanges(count: nil, changes: [], next: Revision(1_404)))
    page = try self.page(before: page.next)
    #expect(page == PageOfChanges(count: nil, changes: [], next: Revision(404)))
    page = try self.page(before: page.next)
    #expect(page.changes.map(\.action) == ["create item", "create list"])
    #expect(page.count == 2)
    #expect(page.next == nil)
    #expect(try self.page(before: Revision(1)) == PageOfChanges(count: 0, changes: [], next: nil))
    #expect(try self.page(before: Revision(.max)).next == Revision(1_404))
  }

  @Test func `ends with the last change that it has room for`() throws {
    try log(10)
    let page = try page(limit: 1)
    #expect(page.changes.map(\.action) == ["create item"])
    #expect(page.count == 2)
    #expect(page.next == page.changes.last?.revision)
    #expect(try self.page(before: page.next, limit: 1).next == nil)
  }

  @Test func `looks at ten thousand steps, and at one change at least`() throws {
    try log(8, steps: 4_000)
    // The commit after them has one step; three of the others reach the bound.
    #expect(try page().next == Revision(8))
    try log(1, steps: 12_000)
    #expect(try page().next == Revision(12))
  }
}
