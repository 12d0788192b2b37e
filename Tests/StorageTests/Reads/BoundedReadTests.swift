import Inventory
import SQL
import Storage
import Testing

/// A session answers at once what takes few steps; the workers answer the rest, so that no loop waits for it.
@Suite struct `A bounded read` {
  private let store: OpenStore
  private let session: any ReadSession

  init() throws {
    store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    session = try store.store.makeSession()
  }

  /// Whether the session answers at once; what it, or a worker, answers.
  private func ask<Value: Sendable>(
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) throws -> (isAtOnce: Bool, value: Value) {
    defer { session.rest() }
    let later = Answer<Value>()
    if let now = session.read(.bounded, as: .local, body, later: { later.give($0) }) {
      return (true, try now.get())
    }
    return (false, try later.wait().get())
  }

  private func delta(since: Revision) throws -> (isAtOnce: Bool, value: Delta.Content) {
    try ask { (snapshot) throws(InventoryError) in
      try snapshot.delta(of: .root, since: since).content
    }
  }

  private func addThings(_ count: Int) throws -> Revision {
    let items = (0..<count).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\($0)"))
    }
    return try store.write(.appendItems(items, to: .root)).receipt.revision
  }

  @Test func `composes a delta at once by its operations, not by its revisions`() throws {
    let start = try addThings(600)
    var sizes: [Bool: Int] = [:]
    while sizes[false] == nil {
      try store.write(.batch(.root, moves(of: 60, from: 599)))
      let answer = try delta(since: start)
      let steps = try operations(since: start)
      #expect(answer.isAtOnce == (steps <= 500))
      sizes[answer.isAtOnce] = steps
      guard case .changes(let changes) = answer.value else {
        Issue.record("There is no delta.")
        continue
      }
      #expect(changes.moves.count > 10)
    }
    #expect(sizes[true] != nil)
  }

  private func moves(of count: Int, from last: Int) -> Batch {
    Batch(
      moves: (0..<count).map { Batch.Move(.index(2 * $0, expecting: nil), to: last - $0) })
  }

  private func operations(since: Revision) throws -> Int {
    let count = try store.connection().statement(
      "SELECT count(*) FROM operation WHERE revision > ?1"
    ).bind(since.number).first { $0.int64(0) }
    return Int(try #require(count))
  }

  @Test func `reads few rows of a delta at once`() throws {
    let start = try addThings(1)
    _ = try addThings(29)
    #expect(try delta(since: start).isAtOnce)
    _ = try addThings(2)
    let more = try delta(since: start)
    #expect(!more.isAtOnce)
    guard case .changes(let changes) = more.value else {
      Issue.record("There is no delta.")
      return
    }
    #expect(changes.inserts.count == 31)
  }

  @Test func `composes no new orders of many rows at once`() throws {
    let start = try addThings(900)
    for number in 0..<40 {
      try store.write(
        .reorder(
          .root, .sorted(SortOrder(key: .title, isDescending: number.isMultiple(of: 2)))))
      if number == 20 { #expect(try delta(since: start).isAtOnce) }
    }
    #expect(try !delta(since: start).isAtOnce)
  }

  @Test func `shows resync in the refusal of a write instead of composing for long`() throws {
    let start = try addThings(900)
    while try operations(since: start) <= 1_000 {
      try store.write(.batch(.root, moves(of: 100, from: 899)))
    }
    for (revision, isShown) in [(start.next, true), (start, false)] {
      let refused = store.result(.editList(.root) { $0 }, ifMatch: .revisions([revision]))
      guard case .failure(.preconditionFailed(.list(_, let delta))) = refused else {
        Issue.record("\(refused)")
        continue
      }
      #expect((delta.content != .resync) == isShown)
      #expect(delta.fromRevision == revision)
    }
  }

  /// Logs a change of so many lists, of their fields.
  private func logChange(of lists: Int) throws -> Revision {
    let db = try store.connection()
    try db.execute(
      """
      INSERT INTO change (inventory, revision, at, actor, request_id, action)
      SELECT key, revision + 1, 0, 'test', 'test', 'import' FROM inventory;
      INSERT INTO operation (inventory, revision, sequence, list, kind, source)
      SELECT inventory, present + 1, row.key, row.key, 5, 1
      FROM row, (SELECT revision AS present FROM inventory) WHERE kind = 0 AND parent IS NOT NULL
      LIMIT \(lists);
      UPDATE inventory SET revision = revision + 1
      """)
    // Readers take up what others wrote with the store's next commit.
    let commit = try store.write(
      .createItem(
        NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Commit")), in: .root, .last))
    return Revision(commit.receipt.revision.number - 1)
  }

  private func addLists(_ count: Int) throws {
    for start in stride(from: 0, to: count, by: Limits.operationsInBatch) {
      let lists = (start..<min(start + Limits.operationsInBatch, count)).map {
        Batch.Insertion(
          index: $0, new: .list(ListID(.version7()), ListDetails(title: "\($0)")))
      }
      try store.write(.batch(.root, Batch(insertions: lists)))
    }
  }

  @Test func `shows a change of few lists at once, by their ids`() throws {
    try addLists(300)
    for (count, isAtOnce) in [(40, true), (200, false)] {
      let revision = try logChange(of: count)
      let change = try ask { (snapshot) throws(InventoryError) in
        try snapshot.change(revision)
      }
      #expect(change.isAtOnce == isAtOnce)
      let ids = change.value.lists.map(\.description)
      #expect(ids.count == count)
      #expect(ids == ids.sorted())
    }
  }

  @Test func `does not look for an item's neighbours among many lists`() throws {
    let first = try store.addThing("first", to: .root, .first)
    for (isAtOnce, count) in [(true, 400), (false, 400)] {
      try addLists(count)
      try store.write(.relocate(RowID(first), into: nil, .first))
      let neighbours = try ask { (snapshot) throws(InventoryError) in
        try snapshot.neighbours(of: first)
      }
      #expect(neighbours.isAtOnce == isAtOnce)
      #expect(neighbours.value.count == 1)
    }
  }

  @Test func `of the whole log ends a page early at large changes`() throws {
    try addLists(400)
    let start = try logChange(of: 1)
    for _ in 0..<120 { _ = try logChange(of: 400) }
    var seen: [Revision] = []
    var end: Revision?
    var pages = 0
    repeat {
      let before = end
      let page = try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.changes(since: start, before: before, offset: 0, limit: 1_000)
      }
      #expect(page.changes.reduce(0) { $0 + $1.lists.count } <= 10_400)
      seen += page.changes.map(\.revision)
      end = page.next
      pages += 1
    } while end != nil
    // Each of the changes has a commit behind it.
    #expect(seen == seen.sorted(by: >))
    #expect(seen.count == 241)
    #expect(pages == 5)
  }
}
