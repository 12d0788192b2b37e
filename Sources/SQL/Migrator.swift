import CSQLite
import Glibc

/// Applies the program's migrations to a database. Refuses, without a change, a database of another application or of a
/// later version of Rowhouse.
///
/// Each migration is one transaction, which also writes its record and, with SQLite, the new `user_version`. So a
/// process killed at any moment leaves the schema between two migrations.
package struct Migrator: Sendable {
  package let applicationID: Int32
  package let migrations: [Migration]

  /// - Parameter applicationID: identifies this application's files:
  ///   https://www.sqlite.org/pragma.html#pragma_application_id
  package init(applicationID: Int32, migrations: [Migration]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// Applies the pending migrations and returns them. An empty file also gets `applicationID` and
  /// `auto_vacuum=INCREMENTAL`.
  ///
  /// - Parameter now: the time to record, in seconds since 1970.
  @discardableResult
  package func migrate(
    _ connection: Connection, now: Int64 = Int64(time(nil))
  ) throws(MigrationError) -> [Migration] {
    for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
      throw .misnumbered(number: migration.number, expected: index + 1)
    }
    #if PostgreSQL
      if connection.engine == .postgreSQL { return try migrateServer(connection, now: now) }
    #endif
    let state = try inspect(connection)
    let due = Array(migrations.dropFirst(state.version))
    if state.isEmpty, !due.isEmpty {
      do throws(DatabaseError) {
        try makeIncremental(connection)
      } catch {
        throw .database(error)
      }
    }
    for migration in due {
      do throws(DatabaseError) {
        try apply(migration, to: connection, now: now)
      } catch {
        throw .failed(number: migration.number, name: migration.name, error)
      }
    }
    return due
  }

  /// The migrations that `migrate` would apply. Throws the errors with which `migrate` refuses a file. Writes nothing.
  package func pending(_ connection: Connection) throws(MigrationError) -> [Migration] {
    #if PostgreSQL
      if connection.engine == .postgreSQL { return try pendingOnServer(connection) }
    #endif
    return Array(migrations.dropFirst(try inspect(connection).version))
  }

  private struct State {
    var isEmpty: Bool
    var version: Int
  }

  private func inspect(_ connection: Connection) throws(MigrationError) -> State {
    do throws(MigrationError) {
      // In two transactions, another process could migrate between the two reads.
      return try connection.transaction(.deferred) { () throws(MigrationError) in
        try read(connection)
      }
    } catch {
      // Closing would copy a leftover WAL into the file, which must stay untouched.
      try? connection.configure(.noCheckpointOnClose, true)
      guard case .database(let cause) = error, cause.isNotADatabase else { throw error }
      throw .notADatabase(path: connection.path)
    }
  }

  private func read(_ connection: Connection) throws(MigrationError) -> State {
    let version = try number(connection, "PRAGMA user_version")
    let found = try number(connection, "PRAGMA application_id")
    let objects = try number(connection, "SELECT count(*) FROM sqlite_schema")
    if objects == 0, version == 0, found == 0 { return State(isEmpty: true, version: 0) }
    guard found == Int(applicationID) else {
      throw .foreignFile(
        path: connection.path, applicationID: Int32(truncatingIfNeeded: found),
        expected: applicationID)
    }
    guard version >= 0, version <= migrations.count else {
      throw .newerSchema(path: connection.path, version: version, known: migrations.count)
    }
    try require(version == 0 ? [:] : try checksums(connection), upTo: version)
    return State(isEmpty: false, version: version)
  }

  /// Throws unless the database has recorded the migrations up to a version as this program has them.
  func require(_ recorded: [Int: String], upTo version: Int) throws(MigrationError) {
    for migration in migrations.prefix(version) {
      guard let checksum = recorded[migration.number] else {
        throw .unrecordedMigration(number: migration.number, name: migration.name)
      }
      guard checksum == migration.checksum else {
        throw .changedMigration(
          number: migration.number, name: migration.name, recorded: checksum,
          present: migration.checksum)
      }
    }
  }

  func number(
    _ connection: Connection, _ sql: String
  ) throws(MigrationError) -> Int {
    do throws(DatabaseError) {
      return try connection.prepare(sql).first { $0.int(0) } ?? 0
    } catch {
      throw .database(error)
    }
  }

  func checksums(_ connection: Connection) throws(MigrationError) -> [Int: String] {
    if connection.engine == .sqlite {
      let tables = try number(
        connection,
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'migration'")
      guard tables == 1 else { return [:] }
    }
    var recorded: [Int: String] = [:]
    do throws(DatabaseError) {
      try connection.prepare("SELECT number, checksum FROM migration").forEach {
        recorded[$0.int(0)] = $0.string(1)
      }
    } catch {
      throw .database(error)
    }
    return recorded
  }

  /// https://www.sqlite.org/pragma.html#pragma_auto_vacuum
  private func makeIncremental(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    let mode = try connection.prepare("PRAGMA auto_vacuum").first { $0.int(0) }
    // Once the first page is written (a change to WAL writes it), only a VACUUM changes the mode.
    if mode != 2 { try connection.execute("VACUUM") }
  }

  private func apply(
    _ migration: Migration, to connection: Connection, now: Int64
  ) throws(DatabaseError) {
    try connection.transaction(.immediate) { () throws(DatabaseError) in
      if migration.number == 1 {
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute(
          """
          CREATE TABLE migration (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            checksum TEXT NOT NULL,
            applied_at INTEGER NOT NULL
          ) STRICT
          """)
      }
      try connection.execute(String(decoding: migration.sql, as: UTF8.self))
      guard !connection.isAutocommit else {
        throw DatabaseError(
          extendedCode: SQLITE_MISUSE, message: "the script ends the transaction it is run in",
          context: migration.name)
      }
      try connection.prepare(
        "INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)"
      ).bind(migration.number).bind(migration.name).bind(migration.checksum).bind(now).run()
      try connection.execute("PRAGMA user_version = \(migration.number)")
    }
  }
}
