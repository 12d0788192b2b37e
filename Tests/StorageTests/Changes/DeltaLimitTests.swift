import Inventory
import Storage
import Testing

@Suite struct `A delta over many new orders` {
  private let store: OpenStore
  private let items = (0..<1_000).map { number in
    NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
  }

  init() throws {
    store = try OpenStore()
    try store.write(.appendItems(items, to: .root))
  }

  /// Has the list's first two rows change places an odd number of times, once in truth.
  private func swap(times: Int) throws {
    var order = items.map { RowID($0.id) }
    order.swapAt(0, 1)
    try store.write(.reorder(.root, .ids(order)))
    let db = try store.connection()
    try db.execute(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(times - 1))
      INSERT INTO operation
      SELECT inventory, revision, sequence + n, list, kind, row, source, target, places
      FROM operation, number WHERE kind = 4
      """)
    // Readers take up what others wrote with the store's next commit.
    try store.addList("Commit")
  }

  private func delta(since: Int64) throws -> Delta.Content {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.delta(of: .root, since: Revision(since))
    }.content
  }

  @Test func `has the combined delta if that is no larger than the largest one alone`()
    throws
  {
    try swap(times: 249)
    guard case .changes(let changes) = try delta(since: 1) else {
      Issue.record("There are no changes.")
      return
    }
    #expect(changes.moves.count == 1)
    #expect(changes.inserts.count == 1)
  }

  @Test func `is none where reading them would take too long, in refusals of writes too`() throws {
    try swap(times: 251)
    #expect(try delta(since: 1) == .resync)
    let refused = store.result(
      .editList(.root) { $0 }, ifMatch: .revisions([Revision(1)]))
    guard case .failure(.preconditionFailed(.list(_, let delta))) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(delta.content == .resync)
    guard case .changes = try self.delta(since: 2) else {
      Issue.record("What came later is not told.")
      return
    }
  }
}
