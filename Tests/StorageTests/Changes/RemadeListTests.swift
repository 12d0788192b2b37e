import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Testing

/// A list that was purged gives back its id. The list that gets it then is another: no delta leads to its rows.
@Suite struct `A list that has the id of one that was purged` {
  enum Way: CaseIterable { case created, merged, mergedInPieces, staged }

  private let store: OpenStore
  private let tree = RandomImports.tree(lists: 1, items: 2)
  private var lists: [ListID] { tree.prefix(2).map { ListID($0.record.id) } }

  init() throws { store = try OpenStore { $0.housekeepingInterval = .seconds(86_400) } }

  /// More text than one short write takes.
  private var longItems: [NumberedRecord] {
    (1...2).map { number in
      let details = ItemDetails(name: "Long", notes: String(repeating: "n", count: 40_000))
      let item = TransferredItem(
        id: ItemID(.version7()), list: lists[1], details: details,
        createdAt: Timestamp(seconds: 1), updatedAt: Timestamp(seconds: 2))
      return NumberedRecord(line: tree.count + 1 + number, record: .item(item))
    }
  }

  /// The revision at which the lists are another time.
  @discardableResult
  private func makeAgain(_ way: Way) throws -> Revision {
    try store.write(.merge(tree, into: .root))
    try store.addThing("known", to: .id(lists[1]))
    try store.write(.deleteRow(RowID(lists[0]), kind: .list, isRecursive: true))
    try store.addThing("while in the trash")
    try store.write(.purge(RowID(lists[0])))
    try store.store.doChores()
    switch way {
    case .created:
      let details = ListDetails(title: "Shelf")
      let top = NewList(id: lists[0], parent: .root, details: details)
      let outcome = try store.write(.createList(top))
      try store.write(.createList(NewList(id: lists[1], parent: .id(lists[0]), details: details)))
      return outcome.receipt.revision.next
    case .merged: return try store.write(.merge(tree, into: .root)).receipt.revision
    case .mergedInPieces:
      return try store.write(.merge(tree + longItems, into: .root)).receipt.revision
    case .staged:
      let id = ImportID(.version7())
      try store.write(.stage(id, .end(of: .root), tree))
      try store.addThing("meanwhile")
      return try store.write(.finishImport(id)).receipt.revision
    }
  }

  private func delta(of list: ListID, since: Revision) throws -> Delta.Content {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.delta(of: .id(list), since: since).content
    }
  }

  @Test(arguments: Way.allCases)
  func `is read again by who knows a revision before it`(way: Way) throws {
    let made = try makeAgain(way)
    for edits in 0..<2 {
      for number in 0..<made.number where number < made.number - 1 || way != .created {
        for list in lists {
          #expect(try delta(of: list, since: Revision(number)) == .absent, "\(number), \(edits)")
        }
      }
      guard case .changes(let changes) = try delta(of: lists[1], since: made) else {
        Issue.record("no delta since the making")
        return
      }
      #expect(changes.inserts.count == edits)
      #expect(changes.countAfter - changes.countBefore == edits)
      try store.addThing("new", to: .id(lists[1]))
    }
  }

  @Test func `in a restored backup too`() throws {
    let made = try makeAgain(.staged)
    let db = try store.connection()
    try db.transaction(.immediate) { () throws(DatabaseError) in
      try RevisionRebase(db: db, now: Date(timeIntervalSince1970: 2_000_000_000)).make()
    }
    let before = try db.prepare("SELECT revision FROM arrival").first { $0.int64(0) }
    #expect(try #require(before) > made.number)
  }

  @Test func `has the revision that put it in place, in events as in receipts`() throws {
    let made = try makeAgain(.staged)
    try store.addThing("elsewhere")
    let list = lists[1]
    let revision = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.id(list)).revision
    }
    #expect(revision == made)
    let item = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "new"))
    let receipt = try store.write(.createItem(item, in: .id(list), .last)).receipt
    let own = receipt.deltas.first { $0.listID == list }
    #expect(own?.fromRevision == made)
    let activity = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.activity(since: made.next, limit: 100)
    }
    guard case .changes(let changes) = activity.content else {
      Issue.record("no changes")
      return
    }
    #expect(changes.lists.first { $0.id == list }?.revisionBefore == made)
  }

  @Test func `is read again by who would write on what was there before`() throws {
    try makeAgain(.staged)
    let result = store.result(
      .deleteRowAt(.id(lists[1]), index: 0, expecting: nil, isRecursive: false),
      ifMatch: IfMatch.revisions([Revision(2)]))
    guard case .failure(.preconditionFailed(.list(_, let delta))) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(delta.content == .absent)
  }

  @Test func `is the same after the trash gave it back`() throws {
    try store.write(.merge(tree, into: .root))
    try store.write(.deleteRow(RowID(lists[0]), kind: .list, isRecursive: true))
    try store.write(.restore(RowID(lists[0]), into: nil, nil))
    guard case .changes = try delta(of: lists[1], since: Revision(1)) else {
      Issue.record("no delta")
      return
    }
  }
}
