import CSQLite

extension Connection {
  /// Copies the database, as this connection sees it, over the file at a path, some pages at a time.
  ///
  /// After each step but the last `progress` is told how many pages remain, of how many; false ends
  /// the copy with `isInterrupted`, and the file at the path is then no whole database. Another
  /// connection's commit between two steps starts the copy anew, unless this connection holds a read
  /// transaction: https://www.sqlite.org/backup.html. A lock that lasts ten seconds throws `isBusy`.
  package func backup(
    to path: String, pagesPerStep: Int32 = 256,
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws(SQLiteError) {
    try backup(
      into: Connection(path: path, mode: .readWriteCreate), pagesPerStep: pagesPerStep,
      progress: progress)
  }

  /// Copies the database over another connection's, which is in no transaction; so a change like any
  /// other to who reads there.
  package func backup(
    into target: Connection, pagesPerStep: Int32 = 256,
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws(SQLiteError) {
    let context = "back up to \(target.path)"
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      // The error is left with the target: https://www.sqlite.org/c3ref/backup_finish.html
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
      throw SQLiteError(extendedCode: SQLITE_INTERRUPT, context: context)
    }
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      throw target.error(code == SQLITE_DONE ? finished : code, context)
    }
  }
}
