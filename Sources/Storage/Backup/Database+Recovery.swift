#if PostgreSQL
  import FoundationEssentials
  import Inventory
  import SQL

  extension Database {
    /// Raises all revisions of a server's database that was recovered to an earlier state, as `restore` does with those
    /// of a file. Clients that saw later revisions then read everything again.
    ///
    /// - Returns: the inventories with their new revisions.
    package static func declareRecovered(
      path: String, now: Date = Date()
    ) throws(StoreOpeningError) -> [CopiedInventory] {
      guard let address = ServerAddress(path) else { throw .notOnServer }
      let server = PostgreSQLServer(address, PostgreSQLSettings())
      let db = try server.connect()
      let due: Int
      do throws(MigrationError) { due = try Schema.serverMigrator.pending(db).count } catch {
        throw .opening(error, path: server.path)
      }
      guard due == 0 else { throw .outdated(path: server.path, due: due) }
      do throws(DatabaseError) {
        try db.begin(.immediate)
        var turn = try SharedTurn(of: KnownCounters(SharedCounters.read(in: db)).writer, in: db)
        try RevisionRebase(db: db, now: now).make()
        let inventories = try CopiedInventory.all(in: db)
        try turn.commit(changingTree: true, tokens: true, in: db)
        return inventories
      } catch { throw .wrapping(error, path: server.path) }
    }
  }
#else
  import Inventory

  extension Database {
    /// Throws `onServer` or `notOnServer`: this build has no PostgreSQL.
    package static func declareRecovered(
      path: String
    ) throws(StoreOpeningError) -> [CopiedInventory] {
      throw isOnServer(path) ? .onServer : .notOnServer
    }
  }
#endif
