#if PostgreSQL
  import SQL

  /// The database of a PostgreSQL server, which several processes may use at once.
  struct PostgreSQLServer: StoreMedium {
    private let address: ServerAddress
    private let settings: PostgreSQLSettings
    let path = ServerAddress.name
    let isTemporary = false
    let isShared = true

    init(_ address: ServerAddress, _ settings: PostgreSQLSettings) {
      self.address = address
      self.settings = settings
    }

    func connect() throws(StoreOpeningError) -> Connection {
      do throws(DatabaseError) {
        return try Connection(postgreSQL: address.text, settings)
      } catch { throw .wrapping(error, path: path) }
    }

    func openReader(cacheSize: Int) throws(StoreOpeningError) -> Connection { try connect() }

    /// Migrates the schema. Returns the applied migrations.
    func migrate(_ db: Connection) throws(StoreOpeningError) -> [Migration] {
      do throws(MigrationError) { return try Schema.serverMigrator.migrate(db) } catch {
        throw .opening(error, path: path)
      }
    }

    func isFull(_ error: DatabaseError) -> Bool { error.isFull }
  }
#endif
