import Inventory
import SQLite
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

  private func page(offset: Int, limit: Int = 50) throws -> PageOfChanges {
    let caller = Caller(root: list, role: .reader, name: "test")
    return try store.read(.long) { (snapshot) throws(InventoryError) in
      try snapshot.changes(since: nil, offset: offset, limit: limit, for: caller)
    }
  }

  @Test func `looks at a thousand changes at most, and the next page goes on behind them`() throws {
    try log(2_400)
    var offset = 0
    var covered: [Int] = []
    var actions: [String] = []
    repeat {
      let page = try page(offset: offset)
      #expect(page.count == 2_403)
      covered.append(page.covered)
      actions += page.changes.map(\.action)
      offset += page.covered
    } while offset < 2_403
    #expect(covered == [1_000, 1_000, 403])
    #expect(actions == ["create item", "create list"])
    #expect(try page(offset: 2_403) == PageOfChanges(count: 2_403, covered: 0, changes: []))
    #expect(try page(offset: .max).covered == 0)
  }

  @Test func `ends with the last change that it has room for`() throws {
    try log(10)
    let page = try page(offset: 5, limit: 1)
    #expect(page.changes.map(\.action) == ["create item"])
    #expect(page.covered == 7)
  }

  @Test func `looks at ten thousand steps, and at one change at least`() throws {
    try log(8, steps: 4_000)
    #expect(try page(offset: 1).covered == 3)
    try log(1, steps: 12_000)
    #expect(try page(offset: 1).covered == 1)
  }
}
