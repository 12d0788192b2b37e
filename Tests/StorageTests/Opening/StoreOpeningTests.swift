import FoundationEssentials
import Glibc
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `Opening a store` {
  /// A database file in a folder of its own.
  private struct Place {
    private let folder: TemporaryFolder
    var path: String { folder.database }
    init() throws { folder = try TemporaryFolder() }

    func bytes() throws -> [UInt8] {
      let file = try #require(fopen(path, "r"))
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
      return bytes
    }

    func write(_ bytes: [UInt8]) throws {
      let file = try #require(fopen(path, "w"))
      defer { fclose(file) }
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
  }

  private func refusal(_ path: String) -> StoreOpeningError? {
    do throws(StoreOpeningError) {
      try DatabaseStore(DatabaseStore.Configuration(path: path)).close()
      return nil
    } catch { return error }
  }

  @Test func `a second store on the same file is refused, and the error names the first process`()
    throws
  {
    let place = try Place()
    let store = try DatabaseStore(DatabaseStore.Configuration(path: place.path))
    defer { store.close() }
    guard case .inUse(let path, let process)? = refusal(place.path) else {
      Issue.record("not refused")
      return
    }
    #expect(path == place.path)
    #expect(process == getpid())
  }

  @Test func `a closed store that its listener holds gives the file back`() throws {
    let place = try Place()
    do {
      let store = try DatabaseStore(DatabaseStore.Configuration(path: place.path))
      store.onCommit { _ = store.hasTokens }
      store.close()
    }
    #expect(refusal(place.path) == nil)
  }

  /// SQLite would write to a file without a name, which is gone with the process.
  @Test func `a store whose file was moved or replaced refuses writes until it is back`() throws {
    let folder = try TemporaryFolder()
    let store = try OpenStore { $0.path = folder.database }
    try store.addThing("before")
    func expectRefusal(_ state: String) {
      for result in [store.readiness(), store.result(.setAppearance(.calm)).map { _ in }] {
        guard case .failure(.storageFailed(let cause)) = result else {
          Issue.record("\(state): \(result)")
          continue
        }
        #expect(cause.contains("the database file was moved, removed or replaced"))
      }
    }
    let (path, aside) = (folder.database, folder.database + ".aside")
    #expect(rename(path, aside) == 0)
    expectRefusal("moved")
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    expectRefusal("replaced")
    #expect(rename(aside, path) == 0)
    try store.addThing("after")
    #expect(try store.titles() == ["before", "after"])
    guard case .success = store.readiness() else {
      Issue.record("The store is not ready.")
      return
    }
  }

  @Test(arguments: ["-wal", "-shm", ".lock"])
  func `a store one of whose files was removed refuses writes, and loses nothing at its end`(
    suffix: String
  ) throws {
    let folder = try TemporaryFolder()
    do {
      let store = try OpenStore { $0.path = folder.database }
      try store.addThing("before")
      #expect(unlink(folder.database + suffix) == 0)
      for result in [store.readiness(), store.result(.setAppearance(.calm)).map { _ in }] {
        guard case .failure(.storageFailed(let cause)) = result else {
          Issue.record("\(result)")
          continue
        }
        #expect(cause.contains("\(suffix) file was moved, removed or replaced"))
      }
    }
    let store = try OpenStore { $0.path = folder.database }
    #expect(try store.titles() == ["before"])
    try store.addThing("after")
  }

  @Test func `a write is refused for a time while another program has the file locked`() throws {
    let store = try OpenStore()
    try store.addThing("before")
    let other = try store.connection()
    try other.execute("BEGIN IMMEDIATE")
    for result in [store.readiness(), store.result(.setAppearance(.calm)).map { _ in }] {
      guard case .failure(.storeUnavailable(let cause)) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(cause.contains("locked"))
    }
    try other.execute("ROLLBACK")
    try store.addThing("after")
    #expect(try store.titles() == ["before", "after"])
  }

  @Test func `readiness is found out by a write`() throws {
    let folder = try TemporaryFolder()
    let store = try OpenStore { $0.path = folder.database }
    try store.addThing("before")
    func size() throws -> Int {
      try #require(
        FileManager.default.attributesOfItem(atPath: folder.database + "-wal")[.size] as? Int)
    }
    let before = try size()
    _ = store.readiness()
    #expect(try size() > before)
  }

  @Test func `a second store on a link to the file is kept out too`() throws {
    let place = try Place()
    let store = try DatabaseStore(DatabaseStore.Configuration(path: place.path))
    defer { store.close() }
    #expect(symlink(place.path, place.path + ".link") == 0)
    guard case .inUse? = refusal(place.path + ".link") else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `a database whose lists contain each other is refused`() throws {
    let place = try Place()
    #expect(refusal(place.path) == nil)
    let db = try Connection(path: place.path, mode: .readWrite)
    try db.execute(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, contents, created_at)
      VALUES (1, 1, 0, 0, 1, randomblob(16), 'box', 1, 0)
      """)
    let error = refusal(place.path)
    guard case .damaged(_, let what)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(what.description.contains("item 2: its contents list is not below it"))
  }

  @Test func `a database without room for a change is no damaged one, and can be read`() throws {
    let place = try Place()
    try OpenStore { $0.path = place.path }.addThing("one")
    func uploads() throws -> Int? {
      try Connection(path: place.path, mode: .readWrite)
        .prepare("SELECT count(*) FROM photo WHERE state = 0").first { $0.int(0) }
    }
    // Discarding them gives them other ids, for which a full index needs further pages.
    try Connection(path: place.path, mode: .readWrite).execute(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
      INSERT INTO photo (inventory, id, item, state, created_at)
      SELECT 1, CAST(printf('%016d', n) AS BLOB), 1, 0, 0 FROM number
      """)
    do {
      let full = try OpenStore {
        $0.path = place.path
        $0.sizeLimit = 1
      }
      #expect(try full.titles() == ["one"])
    }
    #expect(try uploads() == 5_000)
    #expect(try OpenStore { $0.path = place.path }.titles() == ["one"])
    #expect(try uploads() == 0)
  }

  @Test func `only what shows wrong data is called damage`() {
    func isDamage(_ code: Int32) -> Bool {
      let cause = DatabaseError(extendedCode: code, message: "", context: "")
      guard case .damaged = StoreOpeningError.wrapping(StorageError.database(cause), path: "")
      else {
        return false
      }
      return true
    }
    // Corrupt, no database, a constraint; full, failed reads, writes and syncs, busy, no file.
    #expect([11, 26, 275].allSatisfy(isDamage))
    #expect(![13, 266, 778, 1_034, 5, 14].contains(where: isDamage))
  }

  @Test func `what was written is there after closing and opening`() throws {
    let place = try Place()
    for round in 0..<3 {
      let store = try OpenStore { $0.path = place.path }
      #expect(try store.titles() == (0..<round).map { "thing \($0)" })
      try store.addThing("thing \(round)")
    }
  }

  @Test func `a file that is no database is refused and left as it was`() throws {
    let place = try Place()
    let bytes = Array(repeating: UInt8(ascii: "x"), count: 5_000)
    try place.write(bytes)
    #expect(refusal(place.path) != nil)
    #expect(try place.bytes() == bytes)
  }

  @Test(arguments: [
    "CREATE TABLE other (a)", "PRAGMA application_id = 7; CREATE TABLE other (a)",
  ])
  func `another application's database is refused and left as it was`(_ sql: String) throws {
    let place = try Place()
    do { try Connection(path: place.path, mode: .readWriteCreate).execute(sql) }
    let bytes = try place.bytes()
    guard case .migration(.foreignFile)? = refusal(place.path) else {
      Issue.record("not refused")
      return
    }
    #expect(try place.bytes() == bytes)
  }

  @Test func `a newer schema is refused and left as it was`() throws {
    let place = try Place()
    try DatabaseStore(DatabaseStore.Configuration(path: place.path)).close()
    do { try Connection(path: place.path, mode: .readWrite).execute("PRAGMA user_version = 99") }
    let bytes = try place.bytes()
    guard case .migration(.newerSchema(_, version: 99, _))? = refusal(place.path) else {
      Issue.record("not refused")
      return
    }
    #expect(try place.bytes() == bytes)
  }

  @Test func `a temporary store leaves nothing behind`() throws {
    let store = try DatabaseStore(DatabaseStore.Configuration(path: ":memory:"))
    let path = store.path
    #expect(access(path, F_OK) == 0)
    store.close()
    #expect(access(path, F_OK) != 0)
    #expect(access(String(path.dropLast(StoreFile.temporaryName.count)), F_OK) != 0)
  }
}
