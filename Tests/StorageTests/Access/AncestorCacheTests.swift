import Inventory
import SQL
@testable import Storage
import Support
import Synchronization
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

  /// Whether a read is answered on the thread that asks for it.
  private func isAnsweredAtOnce(
    _ session: any ReadSession, _ row: RowID, as caller: Caller = .local
  ) throws -> Bool {
    defer { session.rest() }
    let later = Mutex<Result<Bool, InventoryError>?>(nil)
    let now = session.read(.bounded, as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.list(.id(ListID(row))).id == ListID(row)
    } later: { result in
      later.withLock { $0 = result }
    }
    if let now {
      #expect(try now.get())
      return true
    }
    wait { later.withLock { $0 != nil } }
    #expect(try later.withLock { try #require($0) }.get())
    return false
  }

  @Test func `are too long for an event loop once, and not again until a list moves`() throws {
    let rows = try makeChain(of: 990)
    let (bottom, above) = (rows[989], rows[979])
    let shelf = try store.addList("shelf")
    try store.addList("box", to: .id(shelf))
    let caller = Caller(root: ListID(rows[500]), role: .owner, name: "test")
    let (session, other) = (try store.store.makeSession(), try store.store.makeSession())
    #expect(try isAnsweredAtOnce(session, rows[50]))
    #expect(try !isAnsweredAtOnce(session, bottom))
    for session in [session, other] {
      #expect(try isAnsweredAtOnce(session, bottom))
      #expect(try isAnsweredAtOnce(session, above, as: caller))
    }
    // New rows and edits leave all lists where they are.
    let item = try store.addThing("bag", to: .id(ListID(bottom)))
    try store.write(.makeContents(of: item, id: ListID(.version7())))
    try store.write(
      .editList(.id(ListID(above))) { details in
        var details = details
        details.title = "renamed"
        return details
      })
    try store.write(.deleteRow(RowID(try store.addThing("nail")), kind: .item, isRecursive: false))
    #expect(try isAnsweredAtOnce(session, bottom))
    try store.write(.relocate(RowID(shelf), into: .id(ListID(rows[0])), .last))
    #expect(try !isAnsweredAtOnce(session, bottom))
    #expect(try isAnsweredAtOnce(other, bottom))
    try store.write(.deleteRow(rows[970], kind: .list, isRecursive: true))
    #expect(throws: InventoryError.inTrash(top: rows[970])) {
      try isAnsweredAtOnce(session, bottom)
    }
    #expect(throws: InventoryError.inTrash(top: rows[970])) {
      try isAnsweredAtOnce(session, bottom, as: caller)
    }
  }

  @Test func `are answered as they were found, whatever the cache drops later`() throws {
    let rows = try makeChain(of: 60)
    let db = try store.connection()
    let memory = TreeMemory(SharedTree())
    memory.version = 0
    db.memory = memory
    let caller = Caller(root: ListID(rows[10]), role: .owner, name: "test")
    _ = try Access(.local, in: db).entry(rows[40])
    // What the next walk adds takes more room than there is.
    _ = memory.chains.withChains(of: 0) { chains in
      chains.add(-1, above: nil, .root)
      for key in 2...Int64(Chains.limit - chains.count) {
        chains.add(RowKey(-key), above: RowKey(1 - key), nil)
      }
    }
    #expect(memory.chains.count > Chains.limit - 10)
    let access = try Access(caller, in: db)
    let entry = try access.entry(rows[59])
    #expect(try access.visibility(entry.key, entry.parent) == .live)
    #expect(memory.chains.count < 100)
    #expect(try access.ancestors.isAncestor(access.root, of: entry.key))
  }

  @Test func `stay known to the writer where what moves is not on any of them`() throws {
    let rows = try makeChain(of: 990)
    let db = try store.connection()
    let memory = try TreeMemory(SharedTree(), writingTo: db)
    db.memory = memory
    let access = try Access(.local, in: db)
    _ = try access.entry(rows[900])
    let known = memory.chains.count
    #expect(known > 800)
    access.ancestors.forget(movingRow: try access.entry(rows[950]).key, hasLists: true)
    #expect(memory.chains.count >= known)
    access.ancestors.forget(movingRow: try access.entry(rows[500]).key, hasLists: true)
    #expect(memory.chains.count == 0)
  }

  @Test func `cost the writer next to nothing when they are asked for again`() throws {
    let rows = try makeChain(of: 990)
    let db = try store.connection()
    let memory = try TreeMemory(SharedTree(), writingTo: db)
    db.memory = memory
    let last = try #require(rows.last)
    func look(_ access: Access) throws {
      let entry = try access.entry(last)
      #expect(try access.levelInInventory(of: entry.key) == 991)
      #expect(try access.ancestors.isAncestor(access.entry(rows[0]).key, of: entry.key))
      #expect(try !access.ancestors.isAncestor(entry.key, of: access.entry(rows[0]).key))
    }
    #expect(try effort(on: db, of: look) > 100)
    #expect(try effort(on: db, of: look) < 10)
    // What is rolled back may have been read meanwhile.
    try db.begin(.immediate)
    try db.execute("UPDATE row SET title = 'other' WHERE title = 'level'")
    #expect(try effort(on: db, of: look) < 10)
    db.rollback()
    #expect(memory.chains.count == 0)
    #expect(try effort(on: db, of: look) > 100)
    memory.treeChanges()
    #expect(try effort(on: db, of: look) > 100)
  }

  @Test(arguments: 0..<10)
  func `are kept in a form that finds any list above another in few steps`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var chains = Chains()
    var parents: [RowKey: RowKey] = [:]
    chains.add(1, above: nil, .root)
    for number in Int64(2)...600 {
      let key = RowKey(number)
      let parent = RowKey(Int64.random(in: max(1, number - 4)..<number, using: &random))
      parents[key] = parent
      chains.add(key, above: parent, number % 50 == 0 ? .trash : nil)
    }
    func anyKey() -> RowKey { RowKey(Int64.random(in: 1...600, using: &random)) }
    for _ in 0..<2_000 {
      let (one, other) = (anyKey(), anyKey())
      var key: RowKey? = other
      while let next = key, next != one { key = parents[next] }
      #expect(chains.isAncestor(one, of: other) == (key == one))
    }
    for number in Int64(2)...600 {
      let start = RowKey(number)
      var (key, level) = (start, 1)
      while key != 1, key.value % 50 != 0, let parent = parents[key] {
        key = parent
        level += 1
      }
      #expect(chains[start]?.end == key)
      #expect(chains.level(of: start) == level)
    }
    #expect(!chains.isAncestor(1_000, of: 5))
    chains.makeRoom(for: Chains.limit)
    #expect(chains.count == 0)
    chains.add(7, above: 3, nil)
    #expect(chains.count == 0)
  }

  @Test func `that lead into a circle are found out`() throws {
    let rows = try makeChain(of: 40)
    let db = try store.connection()
    let access = try Access(.local, in: db)
    let (top, bottom) = (try access.entry(rows[3]), try access.entry(rows[39]))
    try db.begin(.immediate)
    defer { db.rollback() }
    try db.sql("UPDATE row SET parent = ?2 WHERE key = ?1").bind(top.key).bind(bottom.key).perform()
    #expect(throws: StorageError.self) {
      try Access(.local, in: db).visibility(bottom.key, bottom.parent)
    }
  }

  /// About how many steps SQLite's virtual machine takes, in hundreds.
  private func effort(
    on db: Connection? = nil, of body: (Access) throws -> Void
  ) throws -> Int {
    let db = try db ?? store.connection()
    let access = try Access(.local, in: db)
    var count = 0
    db.setProgress(every: 100) {
      count += 1
      return false
    }
    defer { db.setProgress(every: 100, nil) }
    try body(access)
    return count
  }

  @Test func `of all lists of a chain take little more than the longest one`() throws {
    let rows = try makeChain(of: 990)
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
        let alone = try Access(caller, in: db).visibility(entry.key, entry.parent)
        #expect(try shared.visibility(entry.key, entry.parent) == alone, "seed \(seed)")
      }
    }
  }

  @Test func `are walked again once a row has moved`() throws {
    let rows = try makeChain(of: 20)
    let db = try store.connection()
    let access = try Access(.local, in: db)
    let (top, bottom) = (try access.entry(rows[1]), try access.entry(rows[19]))
    #expect(try access.visibility(bottom.key, bottom.parent) == .live)
    #expect(try access.level(of: bottom.key) == 21)
    #expect(try access.ancestors.isAncestor(top.key, of: bottom.key))
    try store.write(.deleteRow(rows[1], kind: .list, isRecursive: true))
    access.ancestors.forget(movingRow: top.key, hasLists: true)
    #expect(try access.visibility(bottom.key, bottom.parent) == .inTrash(top: top.key))
    #expect(throws: StorageError.self) { try access.level(of: bottom.key) }
    #expect(try access.ancestors.isAncestor(top.key, of: bottom.key))
    #expect(try !access.ancestors.isAncestor(access.root, of: bottom.key))
  }
}

/// So that a test can write keys as numbers.
extension Key: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self.init(value) }
}
