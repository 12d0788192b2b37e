import SQL
import Testing

/// A schema comes about step by step, or the file is refused as it was.
@Suite struct MigratorTests {
  private static let ours: Int32 = 0x526f_7768

  private static let migrations = [
    Migration(number: 1, name: "lists", sql: Array("CREATE TABLE list (id INTEGER) STRICT;".utf8)),
    Migration(
      number: 2, name: "items",
      sql: Array("CREATE TABLE item (id INTEGER) STRICT; INSERT INTO item VALUES (7);".utf8)),
  ]

  private func migrator(_ migrations: [Migration] = migrations) -> Migrator {
    Migrator(applicationID: Self.ours, migrations: migrations)
  }

  private func refusal(_ migrator: Migrator, _ file: TemporaryDatabase) throws -> MigrationError? {
    let connection = try file.open()
    return failure { () throws(MigrationError) in try migrator.migrate(connection) }
  }

  private func name(_ error: MigrationError?) -> String? {
    switch error {
    case .notADatabase: "notADatabase"
    case .foreignFile: "foreignFile"
    case .foreignTables: "foreignTables"
    case .newerSchema: "newerSchema"
    case .changedMigration: "changedMigration"
    case .unrecordedMigration: "unrecordedMigration"
    case .misnumbered: "misnumbered"
    case .failed: "failed"
    case .database: "database"
    case nil: nil
    }
  }

  @Test(arguments: [true, false])
  func `an empty file becomes ours`(isWALBefore: Bool) throws {
    let file = TemporaryDatabase()
    let connection = try file.open()
    if isWALBefore { try connection.execute("PRAGMA journal_mode = WAL") }
    #expect(try migrator().pending(connection) == Self.migrations)
    #expect(try migrator().migrate(connection, now: 1_700_000_000) == Self.migrations)
    #expect(try connection.integer("PRAGMA application_id") == Int(Self.ours))
    #expect(try connection.integer("PRAGMA user_version") == 2)
    #expect(try connection.integer("PRAGMA auto_vacuum") == 2)
    #expect(try connection.integer("SELECT id FROM item") == 7)
    var records: [String] = []
    try connection.statement(
      "SELECT number, name, checksum, applied_at FROM migration ORDER BY number"
    ).forEach { row in
      records.append("\(row.int(0)) \(row.string(1)) \(row.string(2)) \(row.int(3))")
    }
    #expect(
      records == Self.migrations.map { "\($0.number) \($0.name) \($0.checksum) 1700000000" })
  }

  @Test func `the checksum is FNV-1a`() {
    func checksum(_ text: String) -> String {
      Migration(number: 1, name: "", sql: Array(text.utf8)).checksum
    }
    #expect(checksum("") == "cbf29ce484222325")
    #expect(checksum("a") == "af63dc4c8601ec8c")
    #expect(checksum("foobar") == "85944171f73967e8")
  }

  @Test func `only what is due is applied`() throws {
    let file = TemporaryDatabase()
    #expect(try migrator([Self.migrations[0]]).migrate(file.open()).map(\.number) == [1])
    #expect(try migrator().migrate(file.open()).map(\.number) == [2])
    #expect(try migrator().migrate(file.open()) == [])
  }

  @Test func `a failing migration is undone and those before it stay`() throws {
    let file = TemporaryDatabase()
    let wrong = Migration(
      number: 3, name: "wrong", sql: Array("CREATE TABLE half (a INTEGER); CREATE NONSENSE".utf8))
    #expect(name(try refusal(migrator(Self.migrations + [wrong]), file)) == "failed")
    let connection = try file.open()
    #expect(try connection.integer("PRAGMA user_version") == 2)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0)
    let right = Migration(number: 3, name: "right", sql: Array("CREATE TABLE half (a)".utf8))
    #expect(try migrator(Self.migrations + [right]).migrate(connection) == [right])
  }

  @Test(arguments: ["COMMIT", "ROLLBACK"])
  func `a migration that ends its transaction fails`(end: String) throws {
    let file = TemporaryDatabase()
    let wrong = Migration(number: 3, name: "wrong", sql: Array("\(end);".utf8))
    #expect(name(try refusal(migrator(Self.migrations + [wrong]), file)) == "failed")
    #expect(try file.open().integer("PRAGMA user_version") == 2)
  }

  @Test func `a failing first migration leaves the file empty enough to begin again`() throws {
    let file = TemporaryDatabase()
    let wrong = Migration(number: 1, name: "wrong", sql: Array("CREATE NONSENSE".utf8))
    #expect(name(try refusal(migrator([wrong]), file)) == "failed")
    let connection = try file.open()
    #expect(try migrator().migrate(connection).count == 2)
    #expect(try connection.integer("PRAGMA auto_vacuum") == 2)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a process killed at any moment leaves the schema between two migrations`(
    journal: String
  ) throws {
    let file = TemporaryDatabase()
    let connection = try file.open()
    try connection.execute("PRAGMA journal_mode = \(journal)")
    // What a kill leaves is what the files hold at that moment.
    var moments: [[[UInt8]]] = []
    let names = ["test.db", "test.db-wal", "test.db-journal"]
    connection.setProgress(every: 1) {
      let moment = names.map { file.contents(of: $0) }
      if moment != moments.last { moments.append(moment) }
      return false
    }
    try migrator().migrate(connection)
    connection.setProgress(every: 1, nil)
    #expect(moments.count >= 4)

    var versions: Set<Int> = []
    for moment in moments {
      let killed = TemporaryDatabase()
      for (name, bytes) in zip(names, moment) where !bytes.isEmpty { killed.write(bytes, to: name) }
      let connection = try killed.open()
      let version = try #require(try connection.integer("PRAGMA user_version"))
      versions.insert(version)
      let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
      #expect(try connection.integer(tables) == [0, 2, 3][version])
      #expect(try migrator().migrate(connection).count == 2 - version)
      #expect(try connection.integer("SELECT id FROM item") == 7)
      #expect(try connection.integer("PRAGMA auto_vacuum") == 2)
    }
    #expect(versions == [0, 1, 2])
  }

  private static let refusals: [(setUp: String, expected: String)] = [
    ("CREATE TABLE t (a)", "foreignFile"),
    ("PRAGMA application_id = 5", "foreignFile"),
    ("PRAGMA user_version = 1", "foreignFile"),
    ("PRAGMA application_id = 5; CREATE TABLE t (a)", "foreignFile"),
    ("PRAGMA journal_mode = WAL; CREATE TABLE t (a)", "foreignFile"),
    ("PRAGMA application_id = \(ours); PRAGMA user_version = 3", "newerSchema"),
    ("PRAGMA application_id = \(ours); PRAGMA user_version = 1", "unrecordedMigration"),
  ]

  @Test(arguments: refusals)
  func `a file of another origin is refused untouched`(
    setUp: String, expected: String
  ) throws {
    let file = TemporaryDatabase()
    try file.open().execute(setUp)
    let before = file.contents()
    #expect(name(try refusal(migrator(), file)) == expected)
    #expect(file.contents() == before)
  }

  @Test func `a refused file keeps even the WAL that was left beside it`() throws {
    let file = TemporaryDatabase()
    do {
      let foreign = try file.open()
      try foreign.configure(.noCheckpointOnClose, true)
      try foreign.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    }
    let before = (file.contents(), file.contents(of: "test.db-wal"))
    #expect(!before.1.isEmpty)
    #expect(name(try refusal(migrator(), file)) == "foreignFile")
    #expect(file.contents() == before.0)
    #expect(file.contents(of: "test.db-wal") == before.1)
  }

  @Test func `a file that is not a database is refused and unchanged`() throws {
    let file = TemporaryDatabase()
    let before = Array("Dear diary, ".utf8) + Array(repeating: UInt8(ascii: "z"), count: 9_000)
    file.write(before)
    #expect(try refusal(migrator(), file) == .notADatabase(path: file.path))
    #expect(file.contents() == before)
  }

  @Test func `a newer schema and a changed migration are refused with what differs`() throws {
    let file = TemporaryDatabase()
    try migrator().migrate(file.open())
    let before = file.contents()
    #expect(
      try refusal(migrator([Self.migrations[0]]), file)
        == .newerSchema(path: file.path, version: 2, known: 1))
    let edited = Migration(number: 1, name: "lists", sql: Array("CREATE TABLE list (b)".utf8))
    #expect(
      try refusal(migrator([edited, Self.migrations[1]]), file)
        == .changedMigration(
          number: 1, name: "lists", recorded: Self.migrations[0].checksum,
          present: edited.checksum))
    #expect(file.contents() == before)
  }

  @Test func `migrations are numbered from 1 without gaps`() throws {
    let file = TemporaryDatabase()
    #expect(
      try refusal(migrator([Self.migrations[1]]), file) == .misnumbered(number: 2, expected: 1))
    #expect(file.contents().isEmpty)
  }

  @Test(arguments: [
    (
      MigrationError.foreignFile(path: "x.db", applicationID: 5, expected: 6),
      "x.db belongs to another application: its application_id is 5, not 6."
    ),
    (
      .newerSchema(path: "x.db", version: 9, known: 2),
      "x.db has schema version 9, but this program knows only versions up to 2: "
        + "a newer program has used it."
    ),
    (.notADatabase(path: "x.db"), "x.db is not an SQLite database."),
    (
      .failed(
        number: 3, name: "imports",
        DatabaseError(extendedCode: 778, message: "disk I/O error", context: "CREATE TABLE staging")
      ),
      "Migration 3 (imports) failed and was rolled back: disk I/O error (SQLite code 778)."
    ),
  ])
  func `a refusal is a sentence`(error: MigrationError, sentence: String) {
    #expect(error.description == sentence)
  }
}
