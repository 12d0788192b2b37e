import FoundationEssentials
import Inventory
import SQL
import Storage
import Support
import Testing

@Suite struct `Repairing stored counts` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let store = try OpenStore(shape: TreeShape(fanOut: 4, gap: 4)) { [folder] in
      $0.path = folder.database
    }
    let shelf = try store.addList("Shelf")
    for number in 0..<40 { try store.addThing("thing \(number)", to: .id(shelf)) }
  }

  private func tamper(_ sql: String) throws {
    try Connection(path: folder.database, mode: .readWrite).execute(sql)
  }

  private func revision() throws -> Int {
    try Connection(path: folder.database, mode: .readWrite)
      .prepare("SELECT revision FROM inventory").first { $0.int(0) } ?? 0
  }

  private var findings: [String] {
    get throws { try Database.check(path: folder.database, shape: TreeShape(fanOut: 4, gap: 4)) }
  }

  @Test(arguments: [
    "UPDATE node SET count = count + 1 WHERE parent = (SELECT root FROM list WHERE key = 2)",
    "UPDATE node SET count = 0", "UPDATE list SET row_count = 7",
    "UPDATE list SET total_high = 1, total_low = 5",
    "UPDATE inventory SET list_count = 9, item_count = 0",
    "UPDATE inventory SET history_size = 1",
    "INSERT INTO search (search, rowid, title) SELECT 'delete', key, title FROM scoped WHERE key = 3",
    "INSERT INTO search_backlog (key) VALUES (3)",
  ])
  func `repairs wrong counts, reports them, and makes clients read again`(sql: String) throws {
    let before = try revision()
    try tamper(sql)
    #expect(try !findings.isEmpty)
    #expect(try !Database.repairCounts(path: folder.database).isEmpty)
    #expect(try findings == [])
    #expect(try revision() > before + 1_000_000)
    #expect(try Database.repairCounts(path: folder.database) == [])
    let store = try OpenStore(shape: TreeShape(fanOut: 4, gap: 4)) { $0.path = folder.database }
    try store.addThing("new", to: .root, .first)
    #expect(try store.titles() == ["new", "Shelf"])
  }

  /// An inventory is ahead of the clock when it was replaced soon after a backup was brought back.
  @Test func `makes clients read again, also if changes are later than the clock`() throws {
    let wrong = "UPDATE list SET row_count = 7"
    for _ in 0..<2 {
      try tamper(wrong)
      let before = try revision()
      #expect(
        try !Database.repairCounts(path: folder.database, now: Date() + 1_000).isEmpty)
      let between = try revision()
      #expect(between > before)
      try tamper(wrong)
      #expect(try !Database.repairCounts(path: folder.database).isEmpty)
      #expect(try revision() > between)
    }
    #expect(try findings == [])
  }

  @Test func `changes nothing where all is right`() throws {
    let before = try revision()
    #expect(try Database.repairCounts(path: folder.database) == [])
    #expect(try revision() == before)
  }

  @Test(arguments: ["", "UPDATE list SET row_count = 7"])
  func `leaves a backup in one file that another backup can replace`(damage: String) throws {
    let copy = folder.file("copy.sqlite")
    _ = try Database.backUp(path: folder.database, to: copy)
    try Connection(path: copy, mode: .readWrite).execute(damage)
    #expect(try Database.repairCounts(path: copy).isEmpty == damage.isEmpty)
    #expect(try Database.check(path: copy) == [])
    let mode = try Connection(path: copy, mode: .readOnly).prepare("PRAGMA journal_mode")
      .first { $0.string(0) }
    #expect(mode == "delete")
    _ = try Database.backUp(path: folder.database, to: copy, replacing: true)
  }

  @Test func `mends nothing else`() throws {
    try tamper("UPDATE row SET revision = 1000000 WHERE key = 3")
    #expect(try Database.repairCounts(path: folder.database) == [])
    #expect(try findings.count == 1)
  }

  @Test func `is refused while a server runs`() throws {
    let store = try OpenStore { $0.path = folder.database }
    do throws(StoreOpeningError) {
      _ = try Database.repairCounts(path: store.store.path)
      Issue.record("not refused")
    } catch {
      guard case .inUse = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
