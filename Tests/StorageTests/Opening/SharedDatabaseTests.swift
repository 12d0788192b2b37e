#if PostgreSQL
  import Foundation
  import Inventory
  import SQL
  import Support
  import Synchronization
  import Testing

  @testable import Storage

  /// Two stores on one database do what two processes do.
  @Suite(.enabled(if: TestDatabase.isOnServer)) struct `A database that several processes use` {
    private let address = TestDatabase.temporary

    private func open() throws -> OpenStore {
      try OpenStore { [address] in
        $0.path = address
        $0.postgreSQL.statementTime = .seconds(60)
      }
    }

    @Test func `shows each of them what the others wrote`() throws {
      let (one, other) = (try open(), try open())
      let list = try one.addList("Shelf")
      #expect(try other.titles() == ["Shelf"])
      try other.addThing("Globe", to: .id(list))
      try one.addThing("Atlas", to: .id(list), .first)
      #expect(try one.titles(of: .id(list)) == ["Atlas", "Globe"])
      #expect(try other.titles(of: .id(list)) == ["Atlas", "Globe"])
      #expect(try one.store.findings() == [])
    }

    @Test func `has revisions without holes, whoever writes`() throws {
      let stores = [try open(), try open()]
      let list = try stores[0].addList("Shelf")
      let revisions = Mutex<[Int64]>([])
      let start = try stores[0].read { (snapshot) throws(InventoryError) in
        try snapshot.revision().number
      }
      let threads = (0..<4).map { number in
        let store = stores[number % 2].store
        let thread = Thread {
          for _ in 0..<25 {
            let item = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
            let answer = Answer<Outcome>()
            store.submit(
              .createItem(item, in: .id(list), .last),
              WriteContext(caller: .local, requestID: "test")
            ) { answer.give($0) }
            guard case .success(let outcome) = answer.wait() else { continue }
            revisions.withLock { $0.append(outcome.receipt.revision.number) }
          }
        }
        thread.start()
        return thread
      }
      while !threads.allSatisfy(\.isFinished) { usleep(1_000) }
      #expect(revisions.withLock { $0.sorted() } == Array(start + 1...start + 100))
      #expect(try stores[1].titles(of: .id(list)).count == 100)
      #expect(try stores[0].store.findings() == [])
    }

    @Test func `wakes the listeners of the others`() throws {
      let (one, other) = (try open(), try open())
      let count = Counter()
      other.store.onCommit { count.value.add(1, ordering: .relaxed) }
      try one.addThing("Globe")
      wait { count.value.load(ordering: .relaxed) > 0 }
    }

    @Test func `refuses a revoked token everywhere at once`() throws {
      let (one, other) = (try open(), try open())
      let sam = try one.owner("Sam")
      let token = try #require(sam.token)
      wait { other.store.isGood(token) }
      let revision = try other.read(as: sam) { (snapshot) throws(InventoryError) in
        try snapshot.revision()
      }
      #expect(revision.number == 0)
      try one.administer(.revokeToken(token))
      #expect(throws: InventoryError.tokenRevoked) {
        try other.read(as: sam) { (snapshot) throws(InventoryError) in try snapshot.revision() }
      }
      #expect(throws: InventoryError.tokenRevoked) {
        try other.write(
          .createList(
            NewList(id: ListID(.version7()), parent: .root, details: ListDetails(title: "x"))),
          as: sam)
      }
    }

    @Test func `is read and written again after all connections were cut`() throws {
      let name = "cut_\(getpid())"
      let named = address + "&application_name=" + name
      let store = try OpenStore { $0.path = named }
      try store.addThing("Globe")
      for _ in 0..<3 {
        let cut = try Connection(postgreSQL: address, PostgreSQLSettings())
          .prepare(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = '\(name)'
            """
          ).first { $0.int(0) }
        #expect(try #require(cut) > 0)
        #expect(try store.titles().first == "Globe")
        try store.addThing("Atlas")
      }
      #expect(try store.titles().count == 4)
    }

    /// The writer caches the parents of deep lists, and must not go by what its own process has only heard of.
    @Test func `has no row added below a list that another process has deleted`() throws {
      let (one, other) = (try open(), try open())
      let top = try one.addList("0")
      var list = top
      for level in 1...20 { list = try one.addList("\(level)", to: .id(list)) }
      try one.addThing("Globe", to: .id(list))
      let count = Counter()
      one.store.onCommit { count.value.add(1, ordering: .relaxed) }
      try other.write(.deleteRow(RowID(top), kind: .any, isRecursive: true))
      wait { count.value.load(ordering: .relaxed) > 0 }
      let item = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Atlas"))
      #expect(
        one.result(.createItem(item, in: .id(list), .last)) == .failure(.inTrash(top: RowID(top))))
    }

    /// A process's own commit must not hide that another one has made a token just before.
    @Test func `has its new tokens known everywhere, whoever writes next`() throws {
      let (one, other) = (try open(), try open())
      for number in 0..<20 {
        let credential = Credential.random().credential
        try other.administer(
          .createToken(NewToken(credential: credential, name: "\(number)", role: .reader)))
        try one.addThing("Globe", to: .root, .last)
        wait { one.store.isGood(credential.token) }
      }
    }

    @Test func `has one inventory, though two processes found it empty`() throws {
      let address = TestDatabase.temporary
      let opened = Mutex<[DatabaseStore]>([])
      let threads = (0..<3).map { _ in
        let thread = Thread {
          guard let store = try? DatabaseStore(DatabaseStore.Configuration(path: address)) else {
            return
          }
          opened.withLock { $0.append(store) }
        }
        thread.start()
        return thread
      }
      while !threads.allSatisfy(\.isFinished) { usleep(1_000) }
      let stores = opened.withLock { $0 }
      #expect(stores.count == 3)
      let count = try stores.first?.medium.openReader()
        .prepare("SELECT count(*) FROM inventory").first { $0.int(0) }
      #expect(count == 1)
      for store in stores { store.close() }
    }

    @Test func `loses what a process has left unfinished, once that is old`() throws {
      let store = try open()
      let id = ImportID(.version7())
      try store.write(.stage(id, .end(of: .root), RandomImports.tree(lists: 1, items: 4)))
      let db = try store.connection()
      func left() throws -> Int? {
        try db.transaction(.immediate) { () throws(StorageError) in
          _ = try AbandonedWork().step(in: db, now: Timestamp(Date()))
          return try db.sql("SELECT count(*) FROM staging").one { $0.int(0) }
        }
      }
      #expect(try left() == 1)
      try db.execute("UPDATE staging SET begun_at = begun_at - \(AbandonedWork.age + 10)")
      #expect(try left() == 0)
      #expect(store.result(.finishImport(id)) == .failure(.importGone))
    }

    @Test func `undoes a savepoint whose change fails, and no other`() throws {
      let db = try Connection(postgreSQL: address, PostgreSQLSettings())
      try db.execute("CREATE TABLE one (key bigint PRIMARY KEY)")
      func add(_ key: Int) throws(DatabaseError) {
        try db.statement("INSERT INTO one VALUES (?1)").bind(key).run()
      }
      try db.transaction(.immediate) { () throws(DatabaseError) in
        try db.savepoint { () throws(DatabaseError) in
          try add(1)
          try add(2)
        }
        // The server refuses the first of these changes once the second has been sent.
        #expect(throws: DatabaseError.self) {
          try db.savepoint { () throws(DatabaseError) in
            try add(2)
            try add(3)
          }
        }
        try db.savepoint { () throws(DatabaseError) in try add(4) }
      }
      func keys() throws -> [Int] {
        var keys: [Int] = []
        try db.prepare("SELECT key FROM one ORDER BY key").forEach { keys.append($0.int(0)) }
        return keys
      }
      #expect(try keys() == [1, 2, 4])
      #expect(throws: DatabaseError.self) {
        try db.transaction(.immediate) { () throws(DatabaseError) in
          try add(5)
          try add(4)
        }
      }
      #expect(try keys() == [1, 2, 4])
      // More than are sent at once.
      try db.transaction(.immediate) { () throws(DatabaseError) in
        for key in 100..<400 { try add(key) }
        #expect(try db.statement("DELETE FROM one WHERE key >= ?1").bind(390).runCounting() == 10)
      }
      #expect(try keys().count == 293)
    }

    @Test func `begins a transaction on a new connection until its first result`() throws {
      let db = try Connection(postgreSQL: address, PostgreSQLSettings())
      let other = try Connection(postgreSQL: address, PostgreSQLSettings())
      func session() throws(DatabaseError) -> Int {
        try db.statement("SELECT pg_backend_pid()").first { $0.int(0) } ?? 0
      }
      func cut(_ session: Int) throws {
        _ = try other.prepare("SELECT pg_terminate_backend(\(session), 10000)").first { _ in true }
      }
      for kind: Connection.TransactionKind in [.immediate, .deferred] {
        try db.begin(kind)
        let first = try session()
        db.rollback()
        // The result of ROLLBACK may not have been read.
        try cut(first)
        try db.begin(kind)
        let second = try session()
        #expect(second != first)
        db.rollback()
        // BEGIN may not have been sent.
        try db.begin(kind)
        try cut(second)
        let third = try session()
        #expect(third != second)
        try cut(third)
        do throws(DatabaseError) {
          _ = try session()
          Issue.record("The transaction went on.")
        } catch { #expect(error.isUnavailable) }
        db.rollback()
      }
      try db.transaction(.deferred) { () throws(DatabaseError) in
        #expect(try db.statement("SELECT 7").first { $0.int(0) } == 7)
      }
    }

    @Test func `counts connections, round trips and waits for turns`() throws {
      let store = try open()
      let before = try #require(store.store.statistics.server)
      try store.addThing("Globe")
      let after = store.store.statistics
      let server = try #require(after.server)
      // The tests beside this one have connections too.
      #expect(server.connections >= 3)
      #expect(server.roundTrips > before.roundTrips)
      #expect(after.turnWait > 0)
    }

    @Test func `makes a process unready whose schema is older`() throws {
      let store = try open()
      guard case .success = store.readiness() else {
        Issue.record("The store was not ready.")
        return
      }
      let db = try Connection(postgreSQL: address, PostgreSQLSettings())
      try db.execute("INSERT INTO migration VALUES (99, 'later', '', 0)")
      guard case .failure(.storageFailed(let why)) = store.readiness() else {
        Issue.record("The store was ready.")
        return
      }
      #expect(why.contains("newer program"))
    }

    @Test func `is copied to a file and back with all that is in it`() throws {
      let folder = try TemporaryFolder()
      let credential = Credential.random().credential
      var state: [String] = []
      do {
        let store = try open()
        let list = try store.addList("Shelf")
        let item = try store.addThing("Globe \u{1F30D} \"x\"\\", to: .id(list))
        try store.addThing("Atlas", to: .id(list))
        try store.write(.deleteRow(RowID(item), kind: .any, isRecursive: false))
        try store.addNavigator(showing: list)
        try store.administer(
          .createToken(NewToken(credential: credential, name: "Sam", role: .owner)))
        state = try Self.state(store)
        #expect(try store.store.findings() == [])
      }
      let path = folder.file("copy.sqlite")
      try Database.copy(from: address, to: path)
      #expect(throws: StoreOpeningError.self) { try Database.copy(from: address, to: path) }
      #expect(try Database.check(path: path) == [])
      do {
        let copy = try OpenStore { $0.path = path }
        #expect(try Self.state(copy) == state)
        #expect(copy.store.isGood(credential.token))
      }
      let second = TestDatabase.temporary
      try Database.copy(from: path, to: second)
      #expect(throws: StoreOpeningError.self) { try Database.copy(from: path, to: second) }
      let back = try OpenStore { $0.path = second }
      #expect(try Self.state(back) == state)
      // What is deleted can be undone, and new keys follow the old ones.
      try back.write(.undo(Revision(4)))
      try back.addThing("Lamp")
      #expect(try back.titles() == ["Shelf", "Lamp"])
      #expect(try back.store.findings() == [])
    }

    @Test func `tells clients to read everything again once it was recovered`() throws {
      var (list, before): (ListID?, Revision?)
      do {
        let store = try open()
        list = try store.addList("Shelf")
        try store.addThing("Globe", to: .root)
        try store.addNavigator(showing: try #require(list))
        before = try store.read { (snapshot) throws(InventoryError) in try snapshot.revision() }
      }
      let known = try #require(before)
      let continued = try Database.declareRecovered(path: address)
      #expect(continued.allSatisfy { $0.revision > known })
      let store = try open()
      let delta = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.delta(of: .root, since: known)
      }
      #expect(delta.content == .resync)
      #expect(try store.titles() == ["Shelf", "Globe"])
      try store.write(.undo(continued[0].revision))
      #expect(try store.titles() == ["Shelf"])
      #expect(try store.store.findings() == [])
      #expect(throws: StoreOpeningError.self) { try Database.declareRecovered(path: "/a/file") }
    }

    /// The rows, the trash, the history and the revision, as the API shows them.
    private static func state(_ store: OpenStore) throws -> [String] {
      try store.read(.everything) { (snapshot) throws(InventoryError) in
        let activity = try snapshot.activity(since: Revision(0), limit: 1_000)
        let counts = try snapshot.counts()
        return [
          "\(try snapshot.revision())", "\(try snapshot.history())", "\(counts)", "\(activity)",
        ]
      } + store.titles()
    }

    private final class Counter: Sendable { let value = Atomic<Int>(0) }
  }
#endif
