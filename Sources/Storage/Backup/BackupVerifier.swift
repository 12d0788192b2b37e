import SQL

/// Turns a copy into a single file, and checks its invariants.
struct BackupVerifier {
  let shape: TreeShape
  let progress: BackupProgress

  /// Opens a connection that may change the copy. A failure during a change makes the copy useless.
  func open(_ path: String) throws(BackupError) -> Connection {
    do throws(DatabaseError) {
      let db = try Connection(path: path, mode: .readWrite)
      try db.configure(.trustedSchema, false)
      // With exclusive access, SQLite needs no shared memory to leave WAL mode: https://www.sqlite.org/wal.html#noshm
      try db.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE")
      try db.execute("PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0")
      return db
    } catch { throw .wrapping(error, path: path) }
  }

  /// Checks a copy. In an older schema it checks only the file, because the rules are those of this build's schema.
  ///
  /// - Parameter path: the path in the errors.
  /// - Throws: `unsound` with the violations.
  func look(through db: Connection, as path: String) throws(BackupError) {
    let isCurrent: Bool
    do throws(MigrationError) {
      isCurrent = try Schema.migrator.pending(db).isEmpty
    } catch { throw .opening(.opening(error, path: path)) }
    var isCancelled = false
    var last = (done: 0, all: 0)
    db.setProgress(every: 10_000) {
      isCancelled = isCancelled || !progress(last.done, last.all)
      return isCancelled
    }
    defer {
      db.setProgress(every: 0, nil)
      // The check of the search index leaves the connection read-only.
      try? db.execute("PRAGMA query_only = OFF")
    }
    let check = InvariantCheck(db: db, shape: shape) { done, all in last = (done, all) }
    let findings: [String]
    do throws(StorageError) {
      findings = try isCurrent ? check.findings() : check.fileFindings()
    } catch {
      guard case .database(let cause) = error, !cause.isCorrupt else {
        throw .unsound(path: path, findings: ["\(error)"])
      }
      throw isCancelled ? .cancelled : .wrapping(cause, path: path)
    }
    guard findings.isEmpty else { throw .unsound(path: path, findings: findings) }
  }
}
