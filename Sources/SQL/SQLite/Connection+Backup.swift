import CSQLite

extension Connection {
  /// Copies the database, as this connection sees it, to the file at a path, some pages at a time.
  ///
  /// Calls `progress` after each step except the last, with the pages that remain and the total. If it returns false,
  /// the copy ends with `isInterrupted` and the file at the path is incomplete. A commit of another connection between
  /// two steps restarts the copy, unless this connection holds a read transaction: https://www.sqlite.org/backup.html.
  /// Throws `isBusy` if a lock lasts ten seconds.
  package func backup(
    to path: String, pagesPerStep: Int32 = 256,
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws(DatabaseError) {
    try backup(
      into: Connection(path: path, mode: .readWriteCreate), pagesPerStep: pagesPerStep,
      progress: progress)
  }

  /// Copies the database over the one that another connection has open. That connection must not be in a transaction.
  /// Readers of the target see the copy as one ordinary change.
  package func backup(
    into target: Connection, pagesPerStep: Int32 = 256,
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws(DatabaseError) {
    let context = "back up to \(target.path)"
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      // SQLite stores the error in the target connection: https://www.sqlite.org/c3ref/backup_finish.html
      throw target.error(sqlite3_extended_errcode(target.handle), context)
    }
    var code = sqlite3_backup_step(backup, pagesPerStep)
    var interrupted = false
    var waits = 0
    while code == SQLITE_OK || code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED {
      guard
        progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
      else {
        interrupted = true
        break
      }
      waits = code == SQLITE_OK ? 0 : waits + 1
      if waits > 0 {
        guard waits <= 2000 else { break }
        sqlite3_sleep(5)
      }
      code = sqlite3_backup_step(backup, pagesPerStep)
    }
    let finished = sqlite3_backup_finish(backup)
    guard !interrupted else {
      throw DatabaseError(extendedCode: SQLITE_INTERRUPT, context: context)
    }
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      throw target.error(code == SQLITE_DONE ? finished : code, context)
    }
  }
}
