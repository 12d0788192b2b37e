import Foundation
import SQL
import Testing

/// Opening, errors and settings of connections.
@Suite struct ConnectionTests {
  @Test func `the library is one that is supported`() {
    #expect(SQLiteVersion.isSupported)
    #expect(SQLiteVersion.text.hasPrefix("3."))
  }

  @Test func `a file that is not there opens only to be created`() throws {
    let file = TemporaryDatabase()
    #expect(
      failure { () throws(DatabaseError) in _ = try file.open(.readWrite) }?.isCannotOpen == true)
    #expect(
      failure { () throws(DatabaseError) in _ = try file.open(.readOnly) }?.isCannotOpen == true)
    _ = try file.open()
    let missing = file.folder + "/no/such/folder"
    let error = failure { () throws(DatabaseError) in
      _ = try Connection(path: missing, mode: .readWriteCreate)
    }
    #expect(error?.isCannotOpen == true)
    #expect(error?.context == "open \(missing)")
  }

  @Test func `a read-only connection cannot write`() throws {
    let file = TemporaryDatabase()
    try file.open().execute("CREATE TABLE t (a INTEGER) STRICT")
    let reader = try file.open(.readOnly)
    let error = failure { () throws(DatabaseError) in
      try reader.statement("INSERT INTO t VALUES (1)").run()
    }
    #expect(error?.code == 8)
    #expect(try reader.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `errors carry primary and extended codes, message and SQL`() throws {
    let connection = try Connection.inMemory(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL) STRICT;
      CREATE TABLE child (parent INTEGER REFERENCES parent) STRICT;
      INSERT INTO parent VALUES (1, 'a');
      """)
    let unique = try #require(
      failure { () throws(DatabaseError) in
        try connection.statement("INSERT INTO parent VALUES (2, ?)").bind("a").run()
      })
    #expect(unique.code == 19)
    #expect(unique.extendedCode == 2067)
    #expect(unique.message == "UNIQUE constraint failed: parent.name")
    #expect(unique.context == "INSERT INTO parent VALUES (2, ?)")
    let key = failure { () throws(DatabaseError) in
      try connection.statement("INSERT INTO parent VALUES (1, 'b')").run()
    }
    #expect(key?.extendedCode == 1555)
    let foreign = failure { () throws(DatabaseError) in
      try connection.statement("INSERT INTO child VALUES (7)").run()
    }
    #expect(foreign?.extendedCode == 787)
    let notNull = failure { () throws(DatabaseError) in
      try connection.statement("INSERT INTO parent VALUES (3, NULL)").run()
    }
    #expect(notNull?.extendedCode == 1299)
  }

  @Test(arguments: [
    "SELEC 1", "SELECT * FROM nowhere", "", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; x",
  ])
  func `SQL that is not one statement is an error`(sql: String) throws {
    let connection = try Connection.inMemory()
    let error = failure { () throws(DatabaseError) in _ = try connection.prepare(sql) }
    #expect(error?.context == sql)
  }

  @Test func `a semicolon and white space may end a statement`() throws {
    let connection = try Connection.inMemory()
    #expect(try connection.integer("SELECT 1 ; \r\n\t;") == 1)
  }

  @Test func `a file that is not a database has its own error`() throws {
    let file = TemporaryDatabase()
    file.write(Array(repeating: UInt8(ascii: "x"), count: 5_000))
    let connection = try file.open()
    let error = failure { () throws(DatabaseError) in try connection.execute("SELECT * FROM t") }
    #expect(error?.isNotADatabase == true)
  }

  @Test(arguments: [false, true])
  func `a statement of literals is prepared once and a busy one twice`(isOfTwo: Bool) throws {
    let connection = try Connection.inMemory()
    func one() throws(DatabaseError) -> Statement {
      isOfTwo
        ? try connection.statement("SELECT 1", "UNION ALL SELECT 2")
        : try connection.statement("SELECT 1 UNION ALL SELECT 2")
    }
    let first = try one()
    #expect(try one() === first)
    #expect(try first.step())
    let second = try one()
    #expect(second !== first)
    #expect(try second.step())
    #expect(try first.step())
    first.reset()
    #expect(try one() === first)
  }

  @Test func `changes and row ids are counted`() throws {
    let connection = try Connection.inMemory("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT")
    let last = try connection.statement("INSERT INTO t VALUES (5), (6)").insert()
    #expect(last == 6)
    #expect(try connection.statement("DELETE FROM t WHERE id = 5").runCounting() == 1)
    #expect(connection.totalChanges == 3)
  }

  static let endless: StaticString =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test func `the progress check interrupts a statement`() throws {
    let connection = try Connection.inMemory()
    var calls = 0
    connection.setProgress(every: 1_000) {
      calls += 1
      return calls == 10
    }
    let error = failure { () throws(DatabaseError) in try connection.statement(Self.endless).run() }
    #expect(error?.isInterrupted == true)
    #expect(calls == 10)
    connection.setProgress(every: 1_000, nil)
    #expect(try connection.integer("SELECT 1") == 1)
    #expect(calls == 10)
  }

  @Test func `defensive mode protects the schema`() throws {
    let connection = try Connection.inMemory("CREATE TABLE t (a INTEGER) STRICT")
    try connection.configure(.defensive, true)
    try connection.configure(.trustedSchema, false)
    try connection.execute("PRAGMA writable_schema = ON")
    #expect(
      failure { () throws(DatabaseError) in try connection.execute("DELETE FROM sqlite_schema") }
        != nil)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
  }

  @Test func `a checkpoint copies the WAL, which stays on close if configured so`() throws {
    let file = TemporaryDatabase()
    let writer = try file.open()
    try writer.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1);
      """)
    let (logged, copied) = try writer.checkpoint(.passive)
    #expect(logged > 0 && copied == logged)
    #expect(!file.contents(of: "test.db-wal").isEmpty)

    let reader = try file.open(.readOnly)
    try reader.begin(.deferred)
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    try writer.execute("INSERT INTO t VALUES (2)")
    let busy = failure { () throws(DatabaseError) in try writer.checkpoint(.truncate) }
    #expect(busy?.isBusy == true)
    try reader.commit()
    try writer.checkpoint(.truncate)
    #expect(file.contents(of: "test.db-wal").isEmpty)

    do {
      let last = try file.open()
      try last.configure(.noCheckpointOnClose, true)
      try writer.configure(.noCheckpointOnClose, true)
      try last.execute("INSERT INTO t VALUES (3)")
    }
    #expect(!file.contents(of: "test.db-wal").isEmpty)
  }
}
