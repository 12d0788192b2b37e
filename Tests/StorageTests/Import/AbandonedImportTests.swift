import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `Abandoned imports, and the rows that imports replaced` {
  @Test func `what was being staged when the process ended is gone after the next start`() throws {
    let folder = try TemporaryFolder()
    let id = ImportID(.version7())
    let tree = RandomImports.tree(lists: 3, items: 40)
    do {
      let store = try OpenStore { $0.path = folder.database }
      try store.write(.stage(id, .end(of: .root), tree))
    }
    let store = try OpenStore {
      $0.path = folder.database
      $0.housekeepingInterval = .seconds(3_600)
    }
    #expect(store.result(.finishImport(id)) == .failure(.importGone))
    #expect(try store.titles() == [])
    // Its ids are not in the way, though it has yet to be cleared away.
    try store.write(.stage(ImportID(.version7()), .end(of: .root), tree))
  }

  @Test func `what a start that was cut off would have abandoned is abandoned by the next`() throws
  {
    let folder = try TemporaryFolder()
    do {
      let store = try OpenStore { $0.path = folder.database }
      let tree = RandomImports.tree(lists: 3, items: 40)
      try store.write(.stage(ImportID(.version7()), .end(of: .root), tree))
    }
    func change(_ sql: String) throws {
      try Connection(path: folder.database, mode: .readWrite).execute(sql)
    }
    try change(
      """
      CREATE TRIGGER cut_off BEFORE INSERT ON purge BEGIN SELECT RAISE(ABORT, 'cut off'); END
      """)
    #expect(throws: StoreOpeningError.self) { try OpenStore { $0.path = folder.database } }
    try change("DROP TRIGGER cut_off")
    do {
      let store = try OpenStore { $0.path = folder.database }
      try store.store.doChores()
    }
    #expect(try Database.check(path: folder.database) == [])
  }

  @Test func `what the start had no room to abandon is abandoned later, and nothing else`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let context = WriteContext(caller: .local, requestID: "test")
    let ids = (0..<2).map { _ in ImportID(.version7()) }
    func begin(_ id: ImportID) throws {
      try store.write(.stage(id, .end(of: .root), RandomImports.tree(lists: 1, items: 4)))
      _ = try store.store.upload([UInt8](repeating: 7, count: 100), context)
    }
    try begin(ids[0])
    let db = try store.connection()
    let chore = try StartupChore(in: db)
    try begin(ids[1])
    _ = try db.transaction(.immediate) { () throws(StorageError) in
      try chore.step(in: db, now: Timestamp(seconds: 0))
    }
    let uploads = try db.prepare("SELECT count(*) FROM photo WHERE state = 0").first { $0.int(0) }
    #expect(uploads == 1)
    #expect(store.result(.finishImport(ids[0])) == .failure(.importGone))
    try store.write(.finishImport(ids[1]))
  }

  /// Cleared away or not: that may take a while.
  @Test(arguments: [false, true])
  func `an abandoned import can be sent again`(isPurged: Bool) throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let context = WriteContext(caller: .local, requestID: "test")
    let tree = RandomImports.tree(lists: 3, items: 40)
    let item = ItemID(try #require(tree.last).record.id)
    let bytes = SampleImage.png()
    let photos = (0..<2).map { _ in PhotoID(.version7()) }
    func send() throws -> [NumberedRecord] {
      try tree
        + photos.map {
          NumberedRecord(
            line: 99,
            record: .photo(
              TransferredPhoto(
                id: $0, item: item, image: ImageMetadata(type: .png), size: bytes.count,
                createdAt: Timestamp(seconds: 5), upload: try store.store.upload(bytes, context))))
        }
    }
    for target in [ImportTarget.end(of: .root), .end(of: .root), .inventory] {
      let id = ImportID(.version7())
      try store.write(.stage(id, target, try send()))
      guard isPurged, target != .inventory else {
        try store.write(.abandonImport(id))
        continue
      }
      try store.write(.finishImport(id))
      try store.write(.deleteRow(tree[0].record.id, kind: .list, isRecursive: true))
      try store.write(.purge(tree[0].record.id))
    }
    let outcome = try store.write(.merge(try send(), into: .root))
    #expect(outcome.counts == TransferCounts(created: tree.count))
    for _ in 0..<2 {
      let found = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.photos(of: item).map(\.id)
      }
      #expect(found == photos)
      #expect(try store.store.findings() == [])
      try store.store.doChores()
    }
    let left = try store.connection().prepare("SELECT count(*) FROM photo").first { $0.int(0) }
    #expect(left == photos.count)
  }

  @Test(arguments: [false, true])
  func `a list that is gone by the end takes no import in`(isCleared: Bool) throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let list = try store.addList("Shelf")
    let id = ImportID(.version7())
    try store.write(.stage(id, .end(of: .id(list)), RandomImports.tree(lists: 1, items: 4)))
    try store.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    #expect(store.result(.finishImport(id)) == .failure(.inTrash(top: RowID(list))))
    try store.write(.purge(RowID(list)))
    if isCleared { try store.store.doChores() }
    #expect(store.result(.finishImport(id)) == .failure(.notFound(.list)))
    try store.write(.abandonImport(id))
    #expect(try store.store.findings() == [])
    try store.store.doChores()
    #expect(try store.store.findings() == [])
    #expect(try store.titles() == [])
  }

  @Test func `a caller whose own list is gone leaves nothing behind`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let list = try store.addList("Shelf")
    let caller = Caller(root: list, role: .editor, name: "editor")
    let context = WriteContext(caller: caller, requestID: "test")
    let id = ImportID(.version7())
    try store.write(
      .stage(id, .end(of: .root), RandomImports.tree(lists: 1, items: 4)), as: caller)
    let upload = try store.store.upload([UInt8](repeating: 7, count: 100_000), context)
    try store.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    #expect(store.result(.finishImport(id), as: caller) == .failure(.notFound(.list)))
    try store.write(.abandonImport(id), as: caller)
    store.store.discard(upload, context)
    // Nor is it in anybody's way.
    let tree = RandomImports.tree(lists: 1, items: 4)
    let next = ImportID(.version7())
    try store.write(.stage(next, .end(of: .root), tree))
    try store.write(.finishImport(next))
    let db = try store.connection()
    wait { (try? db.prepare("SELECT count(*) FROM photo").first { $0.int(0) }) == 0 }
  }

  @Test func `what was replaced is cleared away, and what was abandoned`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .zero }
    try store.write(.merge(RandomImports.tree(lists: 3, items: 200), into: .root))
    let gone = try store.addThing("Gone")
    try store.write(.deleteRow(RowID(gone), kind: .any, isRecursive: false))
    let id = ImportID(.version7())
    let tree = RandomImports.tree(lists: 2, items: 10)
    try store.write(.stage(id, .inventory, tree))
    try store.write(.finishImport(id))
    for target in [ImportTarget.inventory, .end(of: .root)] {
      let other = ImportID(.version7())
      try store.write(.stage(other, target, RandomImports.tree(lists: 2, items: 100)))
      try store.write(.abandonImport(other))
    }
    let db = try store.connection()
    func count(_ table: String) throws -> Int? {
      try db.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) }
    }
    wait {
      (try? count("inventory")) == 1 && (try? count("purge")) == 0
        && (try? count("row")) == tree.count
    }
    #expect(try count("list") == 3)
    #expect(try count("trash") == 0)
    #expect(try count("change") == 0)
    #expect(try count("operation") == 0)
    #expect(try count("staging") == 0)
  }
}
