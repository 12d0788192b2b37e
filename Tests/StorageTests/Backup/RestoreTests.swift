import FoundationEssentials
import Glibc
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `A database that is brought back` {
  private let folder: TemporaryFolder
  private var copy: String { folder.file("copy.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> OpenStore {
    try OpenStore { [folder] in $0.path = folder.database }
  }

  private func restore(replacing: Bool = true, now: Date = Date()) throws(BackupError)
    -> Restoration
  {
    try Database.restore(from: copy, to: folder.database, replacing: replacing, now: now)
  }

  private func failure(replacing: Bool = true, now: Date = Date()) -> BackupError? {
    do throws(BackupError) {
      _ = try restore(replacing: replacing, now: now)
      return nil
    } catch { return error }
  }

  private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  private func delta(
    of list: ListReference, since: Revision, _ store: OpenStore
  ) throws -> Delta {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.delta(of: list, since: since)
    }
  }

  private func list(_ list: ListReference, _ store: OpenStore) throws -> List {
    try store.read { (snapshot) throws(InventoryError) in try snapshot.list(list) }
  }

  @Test func `has the data of the backup, under revisions that no client has seen`() throws {
    var seen: Set<Revision> = []
    let shelf: ListID
    do {
      let store = try open()
      shelf = try store.addList("Shelf")
      try store.addThing("one", to: .id(shelf))
      _ = try store.store.backUp(to: copy)
      for number in 0..<30 {
        try store.addThing("lost \(number)", to: number % 2 == 0 ? .root : .id(shelf), .first)
      }
      for reference in [ListReference.root, .id(shelf)] {
        seen.insert(try list(reference, store).revision)
      }
    }
    // Twice the same one: what was done after the first time is gone in turn.
    for round in 1...2 {
      let result = try restore()
      let highest = try #require(seen.max())
      let lowest = try #require(result.inventories.first).revision
      #expect(lowest > highest, "round \(round)")
      #expect(try Database.check(path: folder.database) == [])
      let store = try open()
      #expect(try store.titles() == ["Shelf"])
      #expect(try store.titles(of: .id(shelf)) == ["one"])
      for reference in [ListReference.root, .id(shelf)] {
        let now = try list(reference, store).revision
        #expect(now > highest)
        for revision in seen where revision <= highest {
          #expect(try delta(of: reference, since: revision, store).content == .resync)
        }
        // A client that has read the rows again continues with deltas.
        try store.addThing("new", to: reference)
        guard case .changes(let changes) = try delta(of: reference, since: now, store).content
        else {
          Issue.record("no delta")
          continue
        }
        #expect(changes.inserts.count == 1)
        seen.insert(try list(reference, store).revision)
      }
      for revision in seen where revision <= highest {
        let activity = try store.read { (snapshot) throws(InventoryError) in
          try snapshot.activity(since: revision, limit: 10).content
        }
        #expect(activity == .historyGone)
      }
    }
  }

  /// As is one that was replaced soon after a backup was brought back.
  @Test func `has them even if the backup is ahead of the clock, and the one before is lost`()
    throws
  {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
    }
    _ = try restore(now: Date() + 1_000)
    let second = folder.file("second.sqlite")
    let seen: Revision
    do {
      let store = try open()
      _ = try store.store.backUp(to: second)
      for _ in 0..<3 { try store.addThing("lost") }
      seen = try list(.root, store).revision
    }
    let target = folder.file("new.sqlite")
    _ = try Database.restore(from: second, to: target)
    let store = try OpenStore { $0.path = target }
    #expect(try list(.root, store).revision > seen)
    #expect(try delta(of: .root, since: seen, store).content == .resync)
  }

  @Test func `has them even if the clock was set back since the one that it replaces was made`()
    throws
  {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
    }
    _ = try restore(now: Date() + 1_000)
    let seen: Revision
    do {
      let store = try open()
      try store.addThing("lost")
      seen = try list(.root, store).revision
    }
    _ = try restore()
    let store = try open()
    #expect(try list(.root, store).revision > seen)
    #expect(try delta(of: .root, since: seen, store).content == .resync)
  }

  @Test func `keeps its log: what was done before the backup can be undone`() throws {
    do {
      let store = try open()
      try store.addThing("one")
      try store.addThing("two")
      _ = try store.store.backUp(to: copy)
    }
    let revision = try #require(try restore().inventories.first).revision
    let store = try open()
    try store.write(.undo(revision))
    #expect(try store.titles() == ["one"])
    let log = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.changes(since: nil, before: nil, offset: 0, limit: 10)
    }
    #expect(
      log.changes.map(\.revision.number) == [1, 0, -1].map { revision.number + Int64($0) })
  }

  @Test func `has versions of navigators and tints that no client has seen`() throws {
    let phone: NavigatorID
    do {
      let store = try open()
      phone = try store.addNavigator(showing: try store.addList("Shelf"))
      _ = try store.store.backUp(to: copy)
      var loud = Appearance.calm
      loud.button = Tint(0x7C2F2F)
      try store.write(.setAppearance(loud))
    }
    _ = try restore()
    let store = try open()
    let (tints, place) = try store.read { (snapshot) throws(InventoryError) in
      (
        try snapshot.appearance(),
        try snapshot.navigator(phone).version
      )
    }
    #expect(tints.appearance == .calm)
    #expect(tints.version > 1)
    #expect(place > 1)
  }

  /// A new column of revisions has to be raised, too.
  @Test func `has every column raised that holds revisions`() throws {
    let names = ["revision", "history_start", "placed", "added", "removed"]
    let store = try OpenStore()
    let db = try store.connection()
    var found: Set<String> = []
    try db.prepare(
      """
      SELECT entry.name, field.name FROM sqlite_schema AS entry, pragma_table_info(entry.name) AS field
      WHERE entry.type = 'table' AND field.type = 'INTEGER'
      """
    ).forEach { row in
      let column = row.string(1)
      if names.contains(where: column.contains) { found.insert("\(row.string(0)).\(column)") }
    }
    let raised = RevisionRebase.places.flatMap { place in
      place.columns.map { "\(place.table.prefix { $0 != " " }).\($0)" }
    }
    #expect(found == Set(raised))
  }

  @Test func `takes another's place only where that is meant, and keeps it`() throws {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
      try store.addThing("two")
    }
    let before = bytes(folder.database)
    guard case .exists? = failure(replacing: false) else {
      Issue.record("replaced")
      return
    }
    #expect(bytes(folder.database) == before)
    let aside = try #require(try restore().keptAside)
    #expect(try open().titles() == ["one"])
    #expect(try OpenStore { $0.path = aside }.titles() == ["one", "two"])
    let second = try #require(try restore().keptAside)
    #expect(second != aside)
  }

  @Test func `removes what killed restores left, and nothing else`() throws {
    _ = try open().store.backUp(to: copy)
    let draft = ".rowhouse-1f2e3d4c5b6a7988.part"
    let left = [draft, draft + "-wal"]
    let others = [
      ".backup.part", ".1z141z3.part", ".rowhouse-1.part", draft + "-aa", "-copy" + draft,
    ]
    for name in left + others { #expect(creat(folder.database + name, 0o600) >= 0) }
    _ = try restore()
    for name in left { #expect(access(folder.database + name, F_OK) != 0, "\(name)") }
    for name in others { #expect(access(folder.database + name, F_OK) == 0, "\(name)") }
  }

  @Test(.enabled(if: geteuid() == 0, "takes root"), arguments: [true, false])
  func `belongs to whom the one before belonged, or else its folder`(isThere: Bool) throws {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
    }
    if !isThere { for suffix in ["", "-wal", "-shm"] { unlink(folder.database + suffix) } }
    #expect(chown(isThere ? folder.database : folder.path, 12_345, 12_346) == 0)
    _ = try restore(replacing: isThere)
    var status = stat()
    #expect(stat(folder.database, &status) == 0)
    #expect([status.st_uid, status.st_gid] == [12_345, 12_346])
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `never gets what was left in the log of the one before`() throws {
    let crashed = folder.file("crashed.sqlite")
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
      try store.addThing("two")
      // As a crash leaves them.
      for suffix in ["", "-wal", "-shm"] {
        #expect(bytes(folder.database + suffix)?.isEmpty == false)
        try FileManager.default.copyItem(
          atPath: folder.database + suffix, toPath: crashed + suffix)
      }
    }
    let result = try Database.restore(from: copy, to: crashed, replacing: true)
    #expect(access(crashed + "-wal", F_OK) != 0)
    #expect(try OpenStore { $0.path = crashed }.titles() == ["one"])
    let aside = try #require(result.keptAside)
    #expect(try OpenStore { $0.path = aside }.titles() == ["one", "two"])
  }

  @Test(arguments: [true, false])
  func `has the logs of a broken or missing one put aside`(isThere: Bool) throws {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
    }
    let path = folder.file("broken.sqlite")
    let garbage = Data(repeating: 0xA5, count: 20_000)
    for suffix in (isThere ? [""] : []) + ["-wal", "-shm", "-journal"] {
      try garbage.write(to: URL(filePath: path + suffix))
    }
    let result = try Database.restore(from: copy, to: path, replacing: isThere)
    let aside = try #require(result.keptAside)
    #expect(bytes(aside + "-wal") == garbage)
    #expect(bytes(aside + "-journal") == garbage)
    #expect(bytes(aside) == (isThere ? garbage : nil))
    for suffix in ["-wal", "-shm", "-journal"] { #expect(access(path + suffix, F_OK) != 0) }
    #expect(try OpenStore { $0.path = path }.titles() == ["one"])
  }

  @Test func `is made even if its last change is later than the clock, and reports that`() throws {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
    }
    let now = Date()
    #expect(try restore(now: now + 60).futureChange == nil)
    let behind = try restore(now: now - 1_000_000)
    #expect(behind.futureChange.map { $0.seconds >= Timestamp(now).seconds - 60 } == true)
    #expect(behind.inventories.allSatisfy { $0.revision > Revision(1) })
    for (now, count) in [(now + 60, 0), (now - 1_000_000, 1)] {
      var notes: [String] = []
      #expect(try Database.check(path: folder.database, now: now, note: { notes.append($0) }) == [])
      #expect(notes.count == count)
    }
    #expect(try open().titles() == ["one"])
  }

  @Test func `is refused while a server runs on it`() throws {
    let store = try open()
    _ = try store.store.backUp(to: copy)
    guard case .opening(.inUse)? = failure() else {
      Issue.record("not refused")
      return
    }
    try store.addThing("one")
  }

  @Test(arguments: ["newer", "foreign", "damaged", "unsound", "empty", "itself"])
  func `is refused for an invalid backup, and nothing changes`(what: String) throws {
    do {
      let store = try open()
      try store.addThing("one")
      _ = try store.store.backUp(to: copy)
    }
    func change(_ sql: String) throws {
      try Connection(path: copy, mode: .readWrite).execute(sql)
    }
    switch what {
    case "newer": try change("PRAGMA user_version = 99")
    case "foreign": try change("PRAGMA application_id = 7")
    case "unsound": try change("UPDATE list SET row_count = 7")
    case "damaged":
      var broken = try #require(bytes(copy))
      let page = broken.count / 4_096 / 2 * 4_096
      broken.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0xA5, count: 4_096))
      try broken.write(to: URL(filePath: copy))
    case "empty": try Data().write(to: URL(filePath: copy))
    default:
      unlink(copy)
      #expect(link(folder.database, copy) == 0)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let before = bytes(folder.database)
    let error = failure()
    switch (what, error) {
    case ("newer", .opening(.migration(.newerSchema(copy, 99, _)))?),
      ("foreign", .opening(.migration(.foreignFile))?), ("damaged", .unsound(copy, _)?),
      ("unsound", .unsound(copy, _)?), ("empty", .unsound(copy, _)?), ("itself", .itself?):
      break
    default: Issue.record("\(what): \(String(describing: error))")
    }
    #expect(bytes(folder.database) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files)
  }
}
