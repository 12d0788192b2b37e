import CSQLite
import Glibc

extension Connection {
  /// Switches of https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
  package struct Option: Sendable {
    let code: Int32

    /// SQL cannot corrupt the file on purpose (`writable_schema`, shadow tables, …).
    package static let defensive = Option(code: SQLITE_DBCONFIG_DEFENSIVE)
    /// Closing the last connection leaves the WAL as it is.
    package static let noCheckpointOnClose = Option(code: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE)
    /// The schema may call functions and virtual tables that have side effects.
    package static let trustedSchema = Option(code: SQLITE_DBCONFIG_TRUSTED_SCHEMA)
  }

  package func configure(_ option: Option, _ on: Bool) throws(DatabaseError) {
    let code = rowhouse_configure(handle, option.code, on ? 1 : 0)
    guard code == SQLITE_OK else { throw error(code, "sqlite3_db_config \(option.code)") }
  }

  /// Sets how long a call waits for another connection's lock before it fails with SQLITE_BUSY. 0 means no wait.
  package func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Sets whether a commit waits until it is on the disk. Call this outside of a transaction.
  ///
  /// A power failure can lose a commit that did not wait, together with all commits after it. Such a commit becomes
  /// durable with the next commit that waits: https://www.sqlite.org/pragma.html#pragma_synchronous
  package func setCommitsWait(_ wait: Bool) throws(DatabaseError) {
    try execute("PRAGMA synchronous = \(wait ? "FULL" : "NORMAL")")
  }

  /// In WAL mode, SQLite goes on writing to files that were removed, and the changes are lost with the process:
  /// https://www.sqlite.org/howtocorrupt.html, 2.4. Call this before each write.
  ///
  /// - Throws: if the database file has been moved, removed or replaced since it was opened, or its WAL, shared memory or
  ///   lock file since the first call that found it.
  package func requireFilesInPlace() throws(DatabaseError) {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard code != SQLITE_OK || hasMoved == 0 else {
      throw Self.moved("the database file was moved, removed or replaced")
    }
    // Without its lock file, another process may have the database open.
    for suffix in ["-wal", "-shm", ".lock"] {
      var status = stat()
      let isThere = stat(path + suffix, &status) == 0
      if let known = sideFiles[suffix], !isThere || status.st_ino != known {
        throw Self.moved(
          "the database's \(suffix) file was moved, removed or replaced; stop the server with SIGTERM, "
            + "which writes all changes into the database file")
      }
      if isThere { sideFiles[suffix] = status.st_ino }
    }
  }

  /// With the code that SQLite has for this without a WAL: https://www.sqlite.org/rescode.html#readonly_dbmoved
  private static func moved(_ what: String) -> DatabaseError {
    DatabaseError(
      extendedCode: SQLITE_READONLY | (4 << 8), message: what, context: "begin a write")
  }

  /// Updates `walPages` after each commit from now on, instead of running automatic checkpoints. Setting
  /// `wal_autocheckpoint` ends this: https://www.sqlite.org/c3ref/wal_hook.html
  package func countWALPages() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
        return SQLITE_OK
      }, context)
  }

  /// https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
  package enum CheckpointMode: Sendable {
    /// Copies the pages that no reader needs in the WAL, without waiting.
    case passive
    /// Waits, up to the busy timeout, until all pages are copied, and truncates the WAL to zero bytes.
    case truncate
  }

  /// Runs a checkpoint: copies pages of the WAL into the database. Both counts are −1 if there is no WAL.
  ///
  /// Throws `isBusy` if `truncate` could not finish.
  @discardableResult
  package func checkpoint(
    _ mode: CheckpointMode
  ) throws(DatabaseError) -> (logPages: Int, checkpointedPages: Int) {
    let code =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var logged: Int32 = -1
    var copied: Int32 = -1
    let result = sqlite3_wal_checkpoint_v2(handle, "main", code, &logged, &copied)
    guard result == SQLITE_OK else { throw error(result, "checkpoint \(mode)") }
    if case .truncate = mode { walPages = 0 }
    return (Int(logged), Int(copied))
  }
}
