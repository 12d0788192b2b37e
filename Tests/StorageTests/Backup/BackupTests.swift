import FoundationEssentials
import Glibc
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `A backup` {
  private let folder: TemporaryFolder
  private var copy: String { folder.file("copy.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> OpenStore {
    try OpenStore { [folder] in $0.path = folder.database }
  }

  /// A store of several megabytes, so that a copy takes several steps.
  private func openLarge() throws -> OpenStore {
    let store = try open()
    let notes = String(repeating: "what is to be known of it ", count: 40)
    try store.write(
      .appendItems(
        (0..<2_000).map {
          NewItem(
            id: ItemID(.version7()), details: ItemDetails(name: "thing \($0)", notes: notes))
        }, to: .root))
    return store
  }

  private var files: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
  }

  private func failure(_ body: () throws(BackupError) -> Backup) -> BackupError? {
    do throws(BackupError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test func `has the state at its start, while changes continue`() throws {
    let store = try openLarge()
    let before = try store.titles()
    var added = 0
    // The writer answers in the midst of the copy, so that it is not held up by it.
    let backup = try store.store.backUp(to: copy) { _, _ in
      if added < 20 {
        added += 1
        _ = try? store.addThing("meanwhile \(added)", to: .root, .first)
      }
      return true
    }
    #expect(added > 2)
    #expect(try store.titles(limit: added).first == "meanwhile \(added)")
    #expect(backup.inventories.map(\.revision) == [Revision(1)])

    var status = stat()
    #expect(stat(copy, &status) == 0)
    #expect(backup.size == Int(status.st_size))
    #expect(status.st_mode & 0o777 == 0o600)
    // One plain file, and nothing else is left.
    let journal = try Connection(path: copy, mode: .readOnly).prepare("PRAGMA journal_mode")
      .first { $0.string(0) }
    #expect(journal == "delete")
    let own = ["", "-wal", "-shm", ".lock"].map { "rowhouse.sqlite" + $0 }
    #expect(try files == Set(own + ["copy.sqlite"]))
    #expect(try Database.check(path: copy) == [])
    #expect(try OpenStore { $0.path = copy }.titles() == before)
  }

  @Test func `is made without a server, too`() throws {
    do { _ = try open().addThing("Globe") }
    let backup = try Database.backUp(path: folder.database, to: copy)
    #expect(backup.inventories.map(\.revision) == [Revision(1)])
    #expect(try OpenStore { $0.path = copy }.titles() == ["Globe"])
    let missing = failure { () throws(BackupError) in
      try Database.backUp(path: folder.file("none"), to: folder.file("new"))
    }
    guard case .opening(.missing)? = missing else {
      Issue.record("\(String(describing: missing))")
      return
    }
  }

  @Test func `takes no name that is taken, unless that is meant`() throws {
    let store = try open()
    try store.addThing("one")
    _ = try store.store.backUp(to: copy)
    try store.addThing("two")
    guard case .exists? = failure({ () throws(BackupError) in try store.store.backUp(to: copy) })
    else {
      Issue.record("replaced")
      return
    }
    #expect(try Connection(path: copy, mode: .readOnly).isFirst)
    _ = try store.store.backUp(to: copy, replacing: true)
    #expect(try OpenStore { $0.path = copy }.titles() == ["one", "two"])
  }

  @Test(arguments: ["", "-wal", "-shm", ".lock", ".link"])
  func `never takes the place of the database or what is beside it`(suffix: String) throws {
    let store = try open()
    try store.addThing("one")
    #expect(symlink(folder.database, folder.database + ".link") == 0)
    let error = failure { () throws(BackupError) in
      try store.store.backUp(to: folder.database + suffix, replacing: true)
    }
    guard case .itself? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try store.addThing("two")
  }

  @Test func `reports what is wrong with its path`() throws {
    let store = try open()
    for (path, isFile) in [(folder.path, false), (folder.file("none/copy"), true)] {
      let error = failure { () throws(BackupError) in
        try store.store.backUp(to: path, replacing: true)
      }
      switch error {
      case .notAFile?: #expect(!isFile)
      case .system(_, code: ENOENT)?: #expect(isFile)
      default: Issue.record("\(path): \(String(describing: error))")
      }
    }
  }

  @Test func `is not made of what is damaged, and leaves the one before`() throws {
    let store = try open()
    try store.addThing("one")
    _ = try store.store.backUp(to: copy)
    let before = try files
    try store.connection().execute("UPDATE list SET row_count = row_count + 1")
    let error = failure { () throws(BackupError) in
      try store.store.backUp(to: copy, replacing: true)
    }
    guard case .unsound(folder.database, let findings)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!findings.isEmpty)
    #expect(try files == before)
    #expect(try OpenStore { $0.path = copy }.titles() == ["one"])
  }

  @Test(arguments: ["user_version = 99", "application_id = 7"])
  func `is not made of a database of a newer or another program`(
    mark: String
  ) throws {
    do { try open().addThing("one") }
    try Connection(path: folder.database, mode: .readWrite).execute("PRAGMA \(mark)")
    let error = failure { () throws(BackupError) in
      try Database.backUp(path: folder.database, to: copy)
    }
    switch error {
    case .opening(.migration(.newerSchema(folder.database, 99, _)))?,
      .opening(.migration(.foreignFile(folder.database, 7, _)))?:
      break
    default: Issue.record("\(String(describing: error))")
    }
    #expect(try files.allSatisfy { !folder.file($0).hasPrefix(copy) })
  }

  @Test func `is abandoned if the log would grow without limit, and leaves no file`() throws {
    let store = try openLarge()
    let before = try files
    var number = 0
    var maker = BackupMaker(file: try #require(store.store.file), shape: TreeShape())
    maker.logLimit = 64 << 10
    let reader = try maker.file.openReader()
    let error = failure { () throws(BackupError) in
      try maker.make(at: copy, replacing: false, from: reader) { _, _ in
        number += 1
        return (try? store.addThing("meanwhile \(number)", to: .root, .first)) != nil
      }
    }
    guard case .crowded(folder.database, limit: 64 << 10)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try files == before)
  }

  @Test(arguments: ["copied", "looked through"])
  func `leaves nothing when it is cancelled while it is`(step: String) throws {
    let store = try openLarge()
    let before = try files
    let error = failure { () throws(BackupError) in
      try store.store.backUp(to: copy) { _, all in
        // Where it begins to look, it knows of no rows yet.
        step == "looked through" && all > 0
      }
    }
    guard case .cancelled? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try files == before)
  }
}

extension Connection {
  fileprivate var isFirst: Bool {
    get throws { try prepare("SELECT revision FROM inventory").first { $0.int(0) } == 1 }
  }
}
