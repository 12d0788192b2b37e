import Foundation
import Glibc
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `Housekeeping` {
  private func open(
    _ configure: @escaping (inout DatabaseStore.Configuration) -> Void = { _ in }
  ) throws -> OpenStore {
    try OpenStore(shape: TreeShape(fanOut: 8, gap: 8)) {
      $0.housekeepingInterval = .milliseconds(1)
      configure(&$0)
    }
  }

  private func number(_ sql: StaticString, in store: OpenStore) throws -> Int {
    try store.connection().statement(sql).first { $0.int(0) } ?? 0
  }

  private func findings(in store: OpenStore) throws -> [String] {
    try store.store.findings(TreeShape(fanOut: 8, gap: 8))
  }

  private func things(_ count: Int) -> [NewItem] {
    (0..<count).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "thing \($0)"))
    }
  }

  @Test func `purges a large subtree while writes continue`() throws {
    let store = try open()
    let list = try store.addList("large")
    for _ in 0..<3 {
      let sublist = try store.addList("sub", to: .id(list))
      try store.write(.appendItems(things(2_000), to: .id(sublist)))
      let holder = try store.addThing("holder", to: .id(sublist))
      let contents = ListID(.version7())
      try store.write(.makeContents(of: holder, id: contents))
      try store.write(.appendItems(things(100), to: .id(contents)))
    }
    try store.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    let revision = try store.write(.purge(RowID(list))).receipt.revision
    var number = 0
    wait {
      number += 1
      let added = try? store.addThing("meanwhile \(number)")
      let left = try? self.number("SELECT count(*) FROM purge", in: store)
      return added != nil && left == 0
    }
    #expect(try store.titles(limit: 1) == ["meanwhile 1"])
    let last = try store.addThing("last")
    let now = try store.read { (snapshot) throws(InventoryError) in
      (try snapshot.item(last).revision, try snapshot.counts())
    }
    // No hole in the revisions, and nothing left of what went.
    #expect(now.0.number == revision.number + Int64(number) + 1)
    #expect(now.1.lists == 1)
    #expect(now.1.items == number + 1)
    #expect(try findings(in: store) == [])
  }

  @Test(arguments: 1...3)
  func `leaves readers to tell whether a commit is under way`(steps: Int) throws {
    let store = try open()
    for _ in 0..<steps {
      let thing = try store.addThing("thing")
      try store.write(.deleteRow(RowID(thing), kind: .any, isRecursive: false))
      try store.write(.purge(RowID(thing)))
      // One step does it, in a commit of its own.
      wait { (try? number("SELECT count(*) FROM purge", in: store)) == 0 }
    }
    // Answered behind all steps, except the search index's.
    try store.addThing("last")
    wait { store.store.published.value.isMultiple(of: 2) }
  }

  @Test func `waits while readers keep the log from being cut`() throws {
    let cut = 200
    let store = try open { $0.logCut = cut }
    let list = try store.addList("large")
    for _ in 0..<10 { try store.write(.appendItems(things(1_000), to: .id(list))) }
    try store.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    func left() throws -> Int { try number("SELECT count(*) FROM row", in: store) }
    func logSize() -> Int {
      var facts = stat()
      return stat(store.store.path + "-wal", &facts) == 0 ? Int(facts.st_size) : 0
    }
    let reader = try store.connection()
    try reader.begin(.deferred)
    _ = try reader.statement("SELECT count(*) FROM row").first { $0.int(0) }
    try store.write(.purge(RowID(list)))
    // A frame of the WAL is a page and 24 bytes: https://www.sqlite.org/fileformat2.html#walformat
    wait { logSize() > cut * (4_096 + 24) || (try? left()) ?? 0 < 10 }
    try store.addThing("first")
    let before = try left()
    for number in 0..<50 {
      try store.addThing("thing \(number)")
      // Between writes there is time to clear away.
      usleep(10_000)
    }
    #expect(before > 1_000)
    #expect(try left() == before + 50)
    reader.rollback()
    wait { (try? left()) == 52 && logSize() <= cut * (4_096 + 24) }
    #expect(try findings(in: store) == [])
  }

  @Test func `empties the trash of what has been there for long enough`() throws {
    let clock = SetClock()
    let store = try open {
      $0.trashTime = 100
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let (old, young) = (try store.addThing("old"), try store.addThing("young"))
    try store.write(.deleteRow(RowID(old), kind: .any, isRecursive: false))
    clock.set(Timestamp(seconds: clock.now.seconds + 60))
    try store.write(.deleteRow(RowID(young), kind: .any, isRecursive: false))
    clock.set(Timestamp(seconds: clock.now.seconds + 40))
    func trash() throws -> [String] {
      try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.trash(PageWindow()).elements.map(\.title)
      }
    }
    wait { (try? trash()) == ["young"] }
    #expect(store.result(.restore(RowID(old), into: nil, nil)) == .failure(.notFound(.row)))
    #expect(try findings(in: store) == [])
  }

  @Test func `purges what the undo of a restore put back when that was due, and not before`() throws
  {
    let clock = SetClock()
    let store = try open {
      $0.trashTime = 100
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let start = clock.now.seconds
    func trash() throws -> [String] {
      try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.trash(PageWindow()).elements.map {
          "\($0.title) \($0.deletedAt.seconds - start)"
        }
      }
    }
    let rows = try ["early", "late"].map { RowID(try store.addThing($0)) }
    for row in rows { try store.write(.deleteRow(row, kind: .any, isRecursive: false)) }
    let restored = try rows.map { try store.write(.restore($0, into: nil, nil)).receipt.revision }
    clock.set(Timestamp(seconds: start + 90))
    try store.write(.undo(restored[0]))
    #expect(try trash() == ["early 0"])
    clock.set(Timestamp(seconds: start + 100))
    // It would be purged at once with the record that it had.
    try store.write(.undo(restored[1]))
    wait { (try? trash()) == ["late 100"] }
    #expect(try findings(in: store) == [])
  }

  @Test func `keeps the trash for ever if configured to`() throws {
    let clock = SetClock()
    let store = try open {
      $0.trashTime = 0
      $0.history = HistoryLimits(count: 1)
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let thing = try store.addThing("thing")
    try store.write(.deleteRow(RowID(thing), kind: .any, isRecursive: false))
    clock.set(Timestamp(seconds: clock.now.seconds + 1 << 40))
    // Once the log has been cut, all chores have had their turn.
    wait { (try? self.number("SELECT count(*) FROM change", in: store)) == 1 }
    #expect(try store.write(.restore(RowID(thing), into: nil, nil)).receipt.isChanged)
  }

  @Test(arguments: [
    HistoryLimits(count: 50, size: 0), HistoryLimits(count: 0, size: 20_000),
    HistoryLimits(count: 0, size: 0, seconds: 50),
  ])
  func `cuts the log to its limits while writes continue`(limits: HistoryLimits) throws {
    let clock = SetClock()
    let store = try open {
      $0.history = limits
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let quiet = try store.addList("quiet")
    let busy = try store.addList("busy")
    let first = try store.addThing("thing", to: .id(busy))
    for number in 0..<300 {
      clock.set(Timestamp(seconds: clock.now.seconds + 1))
      try store.addThing("thing \(number)", to: .id(busy))
    }
    func log() throws -> (start: Int, kept: Int) {
      (
        try number("SELECT history_start FROM inventory", in: store),
        try number("SELECT count(*) FROM change", in: store)
      )
    }
    wait {
      guard let log = try? log() else { return false }
      return log.kept < 200 && log.start + log.kept == 303
    }
    // From one snapshot, as the log may be cut again meanwhile.
    let (start, deltas) = try store.read { (snapshot) throws(InventoryError) in
      let start = try snapshot.history().lowerBound
      return (
        start,
        [
          try snapshot.delta(of: .id(busy), since: Revision(5)),
          try snapshot.delta(of: .id(quiet), since: Revision(5)),
          try snapshot.delta(of: .id(busy), since: start),
        ]
      )
    }
    #expect(start > Revision(100))
    #expect(deltas[0].content == .resync)
    if case .changes(let changes) = deltas[1].content {
      #expect(changes.inserts.isEmpty)
    } else {
      Issue.record("an unchanged list got a resync")
    }
    if case .changes(let changes) = deltas[2].content {
      #expect(changes.inserts.count == 303 - Int(start.number))
    } else {
      Issue.record("the log does not reach back to its start")
    }
    let revision = Revision(303)
    #expect(store.result(.undo(Revision(3))) == .failure(.historyGone(now: revision)))
    let item = RowID(first)
    #expect(throws: InventoryError.historyGone(now: revision)) {
      try store.read { (snapshot) throws(InventoryError) in
        _ = try snapshot.place(of: item)
        return try snapshot.change(Revision(3))
      }
    }
    #expect(try findings(in: store) == [])
  }

  /// The list that holds the other has the higher key, and is cleared away first.
  @Test func `keeps what was deleted earlier from a list that went with another`() throws {
    let store = try open { $0.housekeepingInterval = .seconds(3_600) }
    let (inner, outer) = (try store.addList("inner"), try store.addList("outer"))
    try store.write(.relocate(RowID(inner), into: .id(outer), .last))
    let thing = RowID(try store.addThing("thing", to: .id(inner)))
    for row in [thing, RowID(inner), RowID(outer)] {
      try store.write(.deleteRow(row, kind: .any, isRecursive: true))
    }
    try store.write(.purge(RowID(inner)))
    try store.write(.purge(RowID(outer)))
    #expect(try findings(in: store) == [])
    try store.store.doChores()
    #expect(try findings(in: store) == [])
    let trash = try store.read(.long) { (snapshot) throws(InventoryError) in
      try snapshot.trash(PageWindow())
    }
    #expect(trash.elements.map(\.title) == ["thing"])
    #expect(trash.elements.map(\.listID) == [nil])
    #expect(store.result(.restore(thing, into: nil, nil)) == .failure(.listGone(thing)))
    try store.write(.restore(thing, into: .root, nil))
    #expect(try store.titles() == ["thing"])
    #expect(try findings(in: store) == [])
  }

  @Test func `cuts a change of many steps in small ones`() throws {
    let store = try open { $0.history = HistoryLimits(count: 1) }
    for _ in 0..<3 { try store.write(.appendItems(things(5_000), to: .root)) }
    wait { (try? self.number("SELECT count(*) FROM operation", in: store)) == 5_000 }
    #expect(try findings(in: store) == [])
  }

  @Test func `brings the log to its limit in one step, whatever is left to be cleared away`() throws
  {
    let store = try open { $0.housekeepingInterval = .seconds(3_600) }
    for thing in 0..<300 { try store.addThing("thing \(thing)") }
    let db = try store.connection()
    func step(_ duration: Duration) throws -> Bool {
      let retention = HistoryRetention(limits: HistoryLimits(count: 10), duration: duration)
      return try db.transaction(.immediate) { () throws(StorageError) in
        try retention.step(in: db, now: Timestamp(seconds: 0))
      }
    }
    func start() throws -> Int { try number("SELECT history_start FROM inventory", in: store) }
    // Without any time it is a little.
    #expect(try step(.zero))
    #expect(try start() == 64)
    #expect(try number("SELECT count(*) FROM operation", in: store) == 300 - 64)
    #expect(try !step(.seconds(60)))
    #expect(try start() == 290)
    #expect(try number("SELECT count(*) FROM change", in: store) == 10)
    #expect(try findings(in: store) == [])
  }

  @Test func `takes small steps through the log of an inventory that was replaced`() throws {
    let store = try open { $0.housekeepingInterval = .seconds(3_600) }
    for _ in 0..<3 { try store.write(.appendItems(things(500), to: .root)) }
    let id = ImportID(.version7())
    try store.write(.stage(id, .inventory, RandomImports.tree(lists: 1, items: 1)))
    try store.write(.finishImport(id))
    let db = try store.connection()
    var left = try number("SELECT count(*) FROM operation", in: store)
    #expect(left == 1_500)
    while left > 0 {
      _ = try ReplacedInventoryCleanup(duration: .zero).step(in: db, now: Timestamp(seconds: 0))
      let now = try number("SELECT count(*) FROM operation", in: store)
      #expect(left - now == min(left, 64))
      left = now
    }
  }

  @Test func `comes more often while writes wait and there is more and more to do`() throws {
    struct Endless: Chore {
      func step(in db: Connection, now: Timestamp) -> Bool { true }
    }
    let store = try open()
    let db = try store.connection()
    let housekeeping = Storage.Housekeeping(
      [Endless()], interval: .seconds(1),
      clock: SettledClock(settlingTime: .zero, certain: Timestamp(seconds: 0)) {
        Timestamp(seconds: 0)
      })
    var pauses: [Duration] = []
    for _ in 0..<100 {
      try housekeeping.step(in: db)
      housekeeping.schedule(isBusy: true)
      pauses.append(housekeeping.busyPause)
    }
    #expect(pauses.first == .milliseconds(100))
    #expect(pauses.last == .milliseconds(25))
    #expect(pauses == pauses.sorted(by: >))
    housekeeping.schedule(isBusy: false)
    #expect(housekeeping.busyPause == .milliseconds(100))
  }

  @Test func `gives room that nothing fills any more back to the disk`() throws {
    let folder = try TemporaryFolder()
    let store = try open {
      $0.path = folder.database
      $0.housekeepingInterval = .seconds(3_600)
    }
    let list = try store.addList("large")
    for _ in 0..<5 { try store.write(.appendItems(things(2_000), to: .id(list))) }
    try store.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    try store.write(.purge(RowID(list)))
    try store.store.doChores()
    try store.awaitIndex()
    let db = try store.connection()
    func pages() throws -> (all: Int, free: Int) {
      (
        try db.prepare("PRAGMA page_count").first { $0.int(0) } ?? 0,
        try db.prepare("PRAGMA freelist_count").first { $0.int(0) } ?? 0
      )
    }
    let before = try pages()
    // So little is kept.
    #expect(before.free > before.all / 4)
    let chore = FreePages(rest: 1 << 20)
    while try chore.step(in: db, now: Timestamp(seconds: 0)) {}
    let after = try pages()
    #expect(after.all < before.all)
    #expect(after.free <= after.all / 4 || after.free * 4_096 <= 1 << 20)
    // A smaller file has fewer pages that point to others: https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages
    #expect(after.all - after.free <= before.all - before.free)
    #expect(try findings(in: store) == [])
    #expect(try store.titles() == [])
  }
}
