import Inventory
@testable import Storage
import Support
import Synchronization
import Testing

@Suite struct `The activity in a span of revisions` {
  private let store: OpenStore
  private let list: ListID

  init() throws {
    store = try OpenStore()
    list = try store.addList("Shelf")
  }

  private func activity(
    since: Int64, limit: Int = 100, for caller: Caller = .local
  ) throws -> Activity {
    try store.read(as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.activity(since: Revision(since), limit: limit)
    }
  }

  private func changes(since: Int64, for caller: Caller = .local) throws -> Activity.Changes {
    guard case .changes(let changes) = try activity(since: since, for: caller).content else {
      throw Unexpected()
    }
    return changes
  }

  private struct Unexpected: Error {}

  /// Has the log begin at a revision, as old history's removal leaves it.
  private func forget(before revision: Int64) throws {
    let db = try store.connection()
    for table in ["change", "operation", "edit"] {
      try db.execute("DELETE FROM \(table) WHERE revision <= \(revision)")
    }
    try db.execute("UPDATE inventory SET history_start = \(revision)")
    // Readers take up what others wrote with the store's next commit.
    try store.addList("Commit")
  }

  @Test func `revisions that are no longer in the log are reported as gone`() throws {
    for name in ["a", "b", "c"] { try store.addThing(name, to: .id(list)) }
    try forget(before: 3)
    #expect(try activity(since: 2).content == .historyGone)
    #expect(try activity(since: -1).content == .historyGone)
    #expect(try activity(since: 6).content == .historyGone)
    #expect(try changes(since: 3).items.count == 1)
    let history = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.history()
    }
    #expect(history == Revision(3)...Revision(5))
  }

  @Test func `what had an id and is gone is not taken for what has the id now`() throws {
    let gone = try store.addList("Gone")
    try store.write(
      .editList(.id(gone)) { (old) throws(InventoryError) in
        var new = old
        new.title = "Going"
        return new
      })
    try store.write(.deleteRow(RowID(gone), kind: .any, isRecursive: false))
    try store.write(.purge(RowID(gone)))
    let item = NewItem(id: ItemID(gone.uuid), details: ItemDetails(name: "New"))
    try store.write(.createItem(item, in: .id(list), .last))
    let caller = Caller(root: list, role: .editor, name: "test")
    let log = try store.read(as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.changes(since: nil, before: nil, offset: 0, limit: 10)
    }
    #expect(log.changes.map(\.action) == ["create item", "create list"])
  }

  @Test func `changes of a purged item are not reported for a new item with its id`() throws {
    let id = try store.addThing("Secret")
    try store.write(
      .editItem(id) { (old) throws(InventoryError) in
        var new = old
        new.name = "Hidden"
        return new
      })
    try store.write(.deleteRow(RowID(id), kind: .any, isRecursive: false))
    try store.write(.purge(RowID(id)))
    try store.write(
      .createItem(NewItem(id: id, details: ItemDetails(name: "New")), in: .id(list), .last))
    let caller = Caller(root: list, role: .editor, name: "test")
    let log = try store.read(as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.changes(since: nil, before: nil, offset: 0, limit: 10)
    }
    #expect(log.changes.map(\.action) == ["create item", "create list"])
  }

  @Test func `changes of a row that has left a caller's list are hidden`() throws {
    let (other, caller) = (
      try store.addList("Other"), Caller(root: list, role: .editor, name: "test")
    )
    let items = try ["a", "b"].map { try store.addThing($0, to: .id(list)) }
    let inner = ListID(.version7())
    try store.write(
      .createList(NewList(id: inner, parent: .id(list), details: ListDetails(title: "Inner"))))
    let rows = items.map { RowID($0) } + [RowID(inner)]
    let since =
      try store.write(.moveRows(rows, into: .id(other), .last)).receipt.revision.number - 1
    func told() throws -> Activity.Changes {
      var changes = try changes(since: since, for: caller)
      changes.requestID = nil
      return changes
    }
    let first = try told()
    #expect(Set(first.items.map(\.id)) == Set(items))
    #expect(first.lists.map(\.id) == [list])
    #expect(first.hidesLists)
    try store.write(.makeContents(of: items[0], id: ListID(.version7())))
    try store.addThing("c", to: .id(inner))
    #expect(try told() == first)
    for row in rows { try store.write(.deleteRow(row, kind: .any, isRecursive: true)) }
    #expect(try told() == first)
    for row in rows { try store.write(.purge(row)) }
    #expect(try told() == first)
    try store.store.doChores()
    #expect(try told() == first)
  }

  @Test func `a list's revision before the span is that of its change before`() throws {
    try store.addThing("a", to: .id(list))
    try store.addThing("x")
    try store.addThing("b", to: .id(list))
    func before(_ since: Int64) throws -> Revision? {
      try changes(since: since).lists.first { $0.id == list }?.revisionBefore
    }
    #expect(try before(3) == Revision(2))
    #expect(try before(2) == Revision(2))
    #expect(try before(1) == Revision(1))
    // The span has made the list.
    #expect(try before(0) == Revision(1))
    try forget(before: 3)
    // The log does not tell; the span's start is no less right.
    #expect(try before(3) == Revision(3))
  }

  @Test func `a list that came with a large import has no change before`() throws {
    let tree = RandomImports.tree(lists: 1, items: 1)
    let (top, below) = (ListID(tree[0].record.id), ListID(tree[1].record.id))
    let id = ImportID(.version7())
    try store.write(.stage(id, .end(of: .root), tree))
    try store.addThing("meanwhile")
    let since = try store.write(.finishImport(id)).receipt.revision
    try store.addThing("a", to: .id(top))
    try store.addThing("b", to: .id(below))
    let lists = try changes(since: since.number).lists
    for list in [top, below] {
      #expect(lists.first { $0.id == list }?.revisionBefore == since)
    }
  }

  @Test(arguments: [false, true])
  func `what comes in with the id of something purged is not it`(isThere: Bool) throws {
    let tree = RandomImports.tree(lists: 1, items: 1)
    let top = tree[0].record.id
    let id = ImportID(.version7())
    try store.write(.merge(tree, into: .root))
    try store.write(.deleteRow(top, kind: .list, isRecursive: true))
    try store.write(.purge(top))
    try store.write(.stage(id, .end(of: .root), tree))
    if isThere { try store.write(.finishImport(id)) }
    let changes = try changes(since: 1)
    #expect(changes.hidesLists)
    #expect(changes.bringsLists == isThere)
    #expect(changes.items.isEmpty)
    #expect(!changes.lists.contains { $0.id == ListID(top) })
  }

  @Test func `more steps than were asked for are too much`() throws {
    for name in ["a", "b", "c"] { try store.addThing(name, to: .id(list)) }
    // Each adds a row, and reloads the list's own.
    #expect(try activity(since: 1, limit: 5).content == .tooMuch)
    guard case .changes = try activity(since: 1, limit: 6).content else { throw Unexpected() }
    guard case .changes = try activity(since: 2, limit: 5).content else { throw Unexpected() }
  }

  @Test func `a commit is announced before its write is answered, and reads see it then`() throws {
    let told = Atomic<Int64>(-1)
    let session = Mutex<(any ReadSession)?>(try store.store.makeSession())
    store.store.onCommit {
      let revision = session.withLock { session -> Int64? in
        let result = session?.read(.bounded, as: .local) { (snapshot) throws(InventoryError) in
          try snapshot.revision().number
        } later: { _ in
        }
        session?.rest()
        return try? result?.get()
      }
      told.store(revision ?? -2, ordering: .sequentiallyConsistent)
    }
    for number in 2...4 {
      let answered = Atomic<Int64>(0)
      store.store.submit(
        .createItem(
          NewItem(id: ItemID(.version7()), details: ItemDetails(name: "a")), in: .root, .last),
        WriteContext(caller: .local, requestID: "test")
      ) { _ in
        answered.store(
          told.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
      }
      wait { answered.load(ordering: .sequentiallyConsistent) != 0 }
      #expect(answered.load(ordering: .sequentiallyConsistent) == Int64(number))
    }
    session.withLock { $0 = nil }
  }
}
