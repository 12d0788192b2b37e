#if PostgreSQL
  extension Migrator {
    /// Applies the pending migrations of a server's database, and returns them.
    ///
    /// One process does it at a time. The others wait, and then find nothing pending. Each migration is one transaction
    /// together with its record.
    func migrateServer(_ connection: Connection, now: Int64) throws(MigrationError) -> [Migration] {
      var applied: [Migration] = []
      while true {
        let next = try step(connection) { (migration) throws(DatabaseError) in
          try connection.execute(String(decoding: migration.sql, as: UTF8.self))
          try connection.prepare(
            "INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)"
          ).bind(migration.number).bind(migration.name).bind(migration.checksum).bind(now).run()
        }
        guard let next else { return applied }
        applied.append(next)
      }
    }

    /// The migrations that a server's database lacks. Throws the errors with which `migrateServer` refuses it.
    func pendingOnServer(_ connection: Connection) throws(MigrationError) -> [Migration] {
      try connection.transaction(.deferred) { () throws(MigrationError) in
        Array(migrations.dropFirst(try version(connection) ?? 0))
      }
    }

    /// Applies the next migration, if there is one.
    private func step(
      _ connection: Connection, _ apply: (Migration) throws(DatabaseError) -> Void
    ) throws(MigrationError) -> Migration? {
      try connection.transaction(.immediate) { () throws(MigrationError) in
        let found: Int?
        do throws(DatabaseError) {
          // Held until the end of the transaction: https://www.postgresql.org/docs/15/explicit-locking.html
          try connection.prepare("SELECT pg_advisory_xact_lock(?)").bind(Int(applicationID)).run()
        } catch { throw .database(error) }
        found = try version(connection)
        guard let migration = migrations.dropFirst(found ?? 0).first else { return nil }
        do throws(DatabaseError) {
          if found == nil {
            try connection.execute(
              """
              CREATE TABLE migration (
                number bigint PRIMARY KEY,
                name text NOT NULL,
                checksum text NOT NULL,
                applied_at bigint NOT NULL
              )
              """)
          }
          try apply(migration)
        } catch {
          throw .failed(number: migration.number, name: migration.name, error)
        }
        return migration
      }
    }

    /// The number of the last migration; nil for an empty schema. Throws if the schema is not ours, or newer.
    private func version(_ connection: Connection) throws(MigrationError) -> Int? {
      let isOurs = try count("relname = 'migration'", connection) == 1
      guard isOurs else {
        guard try count("relkind IN ('r', 'p', 'v', 'S')", connection) == 0 else {
          throw .foreignTables(path: connection.path)
        }
        return nil
      }
      let recorded = try checksums(connection)
      let version = recorded.keys.max() ?? 0
      guard version <= migrations.count else {
        throw .newerSchema(path: connection.path, version: version, known: migrations.count)
      }
      try require(recorded, upTo: version)
      return version
    }

    /// Counts the tables and other relations of the schema that new tables are created in.
    private func count(
      _ condition: String, _ connection: Connection
    ) throws(MigrationError) -> Int {
      try number(
        connection,
        """
        SELECT count(*) FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND \(condition)
        """)
    }
  }
#endif
