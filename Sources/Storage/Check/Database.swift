import FoundationEssentials
import Inventory
import SQL

/// Operations on a whole database: a file, or for some of them a database on a PostgreSQL server. No server may run
/// on a file, except during `backUp`.
package enum Database {
  /// Throws `missing` or `lost` if the file cannot be used. Does not open it.
  package static func requireThere(path: String) throws(StoreOpeningError) {
    if ServerAddress(path) == nil { _ = try StoreFile(existing: path) }
  }

  /// Checks the file's invariants. Returns a sentence for each violation.
  ///
  /// - Parameter note: called with a sentence for each oddity that is no damage.
  package static func check(
    path: String, shape: TreeShape = TreeShape(), now: Date = Date(),
    progress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in },
    note: (String) -> Void = { _ in }
  ) throws(StoreOpeningError) -> [String] {
    #if PostgreSQL
      if let address = ServerAddress(path) {
        return try checkCopy(of: address, shape: shape, progress: progress, note: note)
      }
    #endif
    let file = try StoreFile(existing: path)
    return try locked(file) { () throws(StoreOpeningError) in
      let db = try file.openReader()
      try file.requireCurrent(db)
      do throws(StorageError) {
        let check = InvariantCheck(db: db, shape: shape, progress: progress)
        let findings = try check.findings() + check.furtherFindings()
        do throws(DatabaseError) {
          if let time = try ChangeLog.latest(in: db, after: Timestamp(now)) {
            note(
              "The last change is from \(time), which is later than this machine's clock. "
                + "Check the clock.")
          }
        } catch { throw .database(error) }
        return findings
      } catch { throw .wrapping(error, path: file.path) }
    }
  }

  /// Recomputes derived numbers. Returns a sentence for each wrong one.
  ///
  /// After a repair it raises all revisions, as a restore does, because clients may have read wrong numbers at the old
  /// revisions.
  ///
  /// - Throws: `onServer` for a server's database.
  package static func repairCounts(
    path: String, now: Date = Date()
  ) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(existing: path)
    return try locked(file) { () throws(StoreOpeningError) in
      // Before the connection, because closing any descriptor of the file releases the connection's locks.
      let isServed = StoreFile.isServed(file.path)
      let db = try file.openWriter()
      try file.requireCurrent(db)
      try file.settle(db)
      // A backup is not in WAL mode, and stays so.
      if isServed { try file.prepareWriter(db, sizeLimit: nil) }
      do throws(StorageError) {
        return try db.transaction(.immediate) { () throws(StorageError) in
          var repair = CountRepair(db: db)
          guard try !repair.mend().isEmpty else { return [] }
          do throws(DatabaseError) { try RevisionRebase(db: db, now: now).make() } catch {
            throw .database(error)
          }
          return repair.mended
        }
      } catch { throw .wrapping(error, path: file.path) }
    }
  }

  /// Migrates the schema of a database, or creates the file if it is missing. Returns the names of the applied
  /// migrations.
  ///
  /// - Parameter isCancelled: called once a new file is complete. If it returns true, the file is removed.
  package static func migrate(
    path: String, isCancelled: () -> Bool = { false }
  ) throws(StoreOpeningError) -> [String] {
    #if PostgreSQL
      if let address = ServerAddress(path) {
        let server = PostgreSQLServer(address, PostgreSQLSettings())
        return try server.migrate(try server.connect()).map { "\($0.number) \($0.name)" }
      }
    #endif
    let file = try StoreFile(path: path)
    return try locked(file) { () throws(StoreOpeningError) in
      let isNew = !file.isThere
      do throws(StoreOpeningError) {
        let db = try file.openWriter()
        let applied = try file.migrate(db)
        // Without the WAL mode it would be taken for a backup.
        if isNew { try file.prepareWriter(db, sizeLimit: nil) }
        if isNew, isCancelled() { StoreFile.remove(at: file.path) }
        return applied.map { "\($0.number) \($0.name)" }
      } catch {
        if isNew { StoreFile.remove(at: file.path) }
        throw error
      }
    }
  }

  /// Calls the body under the file's lock. The body's connections close when it returns, before the lock is released:
  /// closing one may write to the file.
  private static func locked(
    _ file: StoreFile, _ body: () throws(StoreOpeningError) -> [String]
  ) throws(StoreOpeningError) -> [String] {
    let lock = try StoreLock(database: file.path)
    let result = try body()
    lock.release()
    return result
  }
}
