import CSQLite

extension Connection {
  /// Switches of https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
  package enum Option: Sendable {
    /// No SQL may corrupt the file on purpose (`writable_schema`, shadow tables, …).
    case defensive
    /// The last connection to close leaves the WAL as it is.
    case noCheckpointOnClose
    /// The schema may call functions and virtual tables that have side effects.
    case trustedSchema
    case foreignKeys
    /// A string in double quotes that names no column is an error when off; sets both of
    /// SQLite's switches.
    case doubleQuotedStrings
  }

  package func configure(_ option: Option, _ on: Bool) throws(SQLiteError) {
    let codes: [Int32] =
      switch option {
      case .defensive: [SQLITE_DBCONFIG_DEFENSIVE]
      case .noCheckpointOnClose: [SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE]
      case .trustedSchema: [SQLITE_DBCONFIG_TRUSTED_SCHEMA]
      case .foreignKeys: [SQLITE_DBCONFIG_ENABLE_FKEY]
      case .doubleQuotedStrings: [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL]
      }
    for option in codes {
      let code = rowhouse_configure(handle, option, on ? 1 : 0)
      guard code == SQLITE_OK else { throw error(code, "sqlite3_db_config \(option)") }
    }
  }

  /// How long a call waits for another connection's lock before SQLITE_BUSY; 0 is not at all.
  package func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Whether a commit is on the disk when it returns; to be said outside of a transaction.
  ///
  /// One that does not wait is lost with the power only together with all that came behind it, and is there for
  /// good once a later one has waited: https://www.sqlite.org/pragma.html#pragma_synchronous
  package func setCommitsWait(_ wait: Bool) throws(SQLiteError) {
    try execute("PRAGMA synchronous = \(wait ? "FULL" : "NORMAL")")
  }

  /// Keeps `walPages` up to date from the next commit on, in place of automatic checkpoints; setting
  /// `wal_autocheckpoint` ends it: https://www.sqlite.org/c3ref/wal_hook.html
  package func countWALPages() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, walPageCount)
  }

  /// How many pages the WAL held after this connection's last commit, or its cut behind it.
  package var walPages: Int { Int(walPageCount.pointee) }

  /// https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
  package enum CheckpointMode: Sendable {
    /// Copies what no reader needs in the WAL, and waits for nobody.
    case passive
    /// Waits, as the busy timeout allows, until all is copied, and cuts the WAL to no bytes.
    case truncate
  }

  /// Copies the WAL's pages into the database; both counts are −1 if there is no WAL.
  ///
  /// `isBusy` is thrown where `truncate` could not finish.
  @discardableResult
  package func checkpoint(
    _ mode: CheckpointMode
  ) throws(SQLiteError) -> (logPages: Int, checkpointedPages: Int) {
    let code =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var logged: Int32 = -1
    var copied: Int32 = -1
    let result = sqlite3_wal_checkpoint_v2(handle, "main", code, &logged, &copied)
    guard result == SQLITE_OK else { throw error(result, "checkpoint \(mode)") }
    if case .truncate = mode { walPageCount.pointee = 0 }
    return (Int(logged), Int(copied))
  }
}
