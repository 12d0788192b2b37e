import Inventory
import SQLite
@testable import Storage
import Support
import Testing

@Suite struct `Ways up the tree` {
  /// A store whose chores leave alone what waits to be cleared away.
  private let store: OpenStore

  init() throws {
    store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
  }

  private func makeChain(of count: Int) throws -> [RowID] {
    var above: ListID?
    var records: [NumberedRecord] = []
    for number in 0..<count {
      let id = ListID(.version7())
      records.append(
        NumberedRecord(
          line: number + 1,
          record: .list(
            TransferredList(
              id: id, holder: above.map { .list($0) } ?? .nothing,
              details: ListDetails(title: "level"), createdAt: Timestamp(seconds: 0),
              updatedAt: Timestamp(seconds: 0)))))
      above = id
    }
    try store.write(.merge(records, into: .root))
    return records.map(\.record.id)
  }

  /// About how many steps SQLite's virtual machine takes, in hundreds.
  private func effort(
    of body: (Access) throws -> Void
  ) throws -> Int {
    let db = try store.connection()
    let access = try Access(.local, in: db)
    var count = 0
    db.setProgress(every: 100) {
      count += 1
      return false
    }
    try body(access)
    return count
  }

  @Test func `of all lists of a chain take little more than the longest one`() throws {
    let rows = try makeChain(of: 1_000)
    let last = try #require(rows.last)
    let one = try effort { access in _ = try access.entry(last) }
    let all = try effort { access in
      for row in rows.reversed() { _ = try access.entry(row) }
      for row in rows { _ = try access.entry(row) }
    }
    // Walked one by one they would take hundreds of times as much.
    #expect(all < 20 * one)
    let levels = try effort { access in
      for row in rows.reversed() {
        _ = try access.level(of: #require(try access.find(row)).key)
      }
    }
    #expect(levels < 20 * one)
  }

  @Test(arguments: 0..<20)
  func `lead where they lead each by itself, through what was deleted and purged`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var lists: [ListID] = []
    for _ in 0..<80 {
      // Mostly below one of the last, so that ways are long.
      let parent = lists.suffix(3).randomElement(using: &random)
      lists.append(try store.addList("list", to: parent.map { .id($0) } ?? .root))
    }
    for list in lists.shuffled(using: &random).prefix(8) {
      let deletion = Command.deleteRow(RowID(list), kind: .list, isRecursive: true)
      guard case .success = store.result(deletion) else { continue }
      if Bool.random(using: &random) { try store.write(.purge(RowID(list))) }
    }
    let roots = [nil, lists[3], lists[20]]
    let db = try store.connection()
    for root in roots {
      let caller = Caller(root: root, role: .owner, name: "test")
      guard let shared = try? Access(caller, in: db) else { continue }
      for list in lists.shuffled(using: &random) {
        let entry = try #require(try shared.find(RowID(list)))
        let alone = try Access(caller, in: db).reach(entry.key, entry.parent)
        #expect(try shared.reach(entry.key, entry.parent) == alone, "seed \(seed)")
      }
    }
  }

  @Test func `are walked anew once a row has moved`() throws {
    let rows = try makeChain(of: 20)
    let db = try store.connection()
    let access = try Access(.local, in: db)
    let (top, bottom) = (try access.entry(rows[1]), try access.entry(rows[19]))
    #expect(try access.reach(bottom.key, bottom.parent) == .live)
    #expect(try access.level(of: bottom.key) == 21)
    #expect(try access.ways.passes(top.key, from: bottom.key))
    try store.write(.deleteRow(rows[1], kind: .list, isRecursive: true))
    access.ways.forget(movingRow: top.key)
    #expect(try access.reach(bottom.key, bottom.parent) == .inTrash(top: top.key))
    #expect(throws: StorageError.self) { try access.level(of: bottom.key) }
    #expect(try access.ways.passes(top.key, from: bottom.key))
    #expect(try !access.ways.passes(access.root, from: bottom.key))
  }
}
