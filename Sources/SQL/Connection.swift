import CSQLite

/// A connection to a database, used by one thread at a time: to an SQLite file, or to a PostgreSQL server.
///
/// It opens SQLite without SQLite's mutexes (https://www.sqlite.org/threadsafe.html, "multi-thread"). It may move between
/// threads, but two threads must never use it at once. Deinitialization finalizes its statements and closes the file.
package final class Connection {
  package enum Mode: Sendable {
    case readWriteCreate, readWrite, readOnly
  }

  let handle: OpaquePointer
  package let path: String

  /// Turns off SQLite's memory statistics. This must run before the first connection; later calls have no effect.
  private static let configured = rowhouse_leave_out_statistics()

  private var statements: [UInt: Statement] = [:]
  private var compositions: [Composition: Statement] = [:]
  private var shouldStop: (() -> Bool)?
  /// Splits texts into words for the search index. SQL functions of this connection use it too.
  package let tokenizer: Tokenizer
  /// The number of pages in the WAL after this connection's last commit or truncating checkpoint.
  package internal(set) var walPages = 0
  /// The inodes of the WAL and of its shared memory by their suffixes, once a write has found them.
  var sideFiles: [String: UInt] = [:]
  /// The owner's cache of what it has read on this connection.
  package var memory: (any ConnectionMemory)?

  /// Opens the file at a path (never a URI), with extended result codes on.
  package init(path: String, mode: Mode) throws(DatabaseError) {
    let access =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    let opened = try Self.open(path, access)
    do throws(DatabaseError) {
      tokenizer = try Tokenizer(opened)
      try Relevance.add(to: opened)
      try ScopedWords.add(to: opened, tokenizer)
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    self.path = path
    #if PostgreSQL
      remote = nil
    #endif
  }

  #if PostgreSQL
    /// The session with a PostgreSQL server; nil for a file.
    let remote: PostgreSQLSession?

    /// Connects to a server. `address` is a connection string or a URI:
    /// https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
    ///
    /// An empty SQLite database in memory provides the tokenizer.
    package init(
      postgreSQL address: String, _ settings: PostgreSQLSettings
    ) throws(DatabaseError) {
      let session = try PostgreSQLSession(address, settings)
      let memory = try Self.open(":memory:", SQLITE_OPEN_READWRITE)
      do throws(DatabaseError) { tokenizer = try Tokenizer(memory) } catch {
        sqlite3_close_v2(memory)
        throw error
      }
      handle = memory
      path = "PostgreSQL"
      remote = session
    }
  #endif

  private static func open(
    _ path: String, _ access: Int32
  ) throws(DatabaseError) -> OpaquePointer {
    _ = configured
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      let error = DatabaseError(connection: opened, code: code, context: "open \(path)")
      // After a failed open the caller must still close the handle: https://www.sqlite.org/c3ref/open.html
      sqlite3_close_v2(opened)
      throw error
    }
    return opened
  }

  deinit {
    sqlite3_progress_handler(handle, 0, nil, nil)
    statements.removeAll()
    compositions.removeAll()
    // Unlike sqlite3_close, this succeeds while the caller still holds a statement; the connection then closes with the
    // last statement: https://www.sqlite.org/c3ref/close.html
    sqlite3_wal_hook(handle, nil, nil)
    sqlite3_close_v2(handle)
  }

  /// Runs a script of several statements and discards their rows. For pragmas and schemas.
  package func execute(_ sql: String) throws(DatabaseError) {
    #if PostgreSQL
      if let remote {
        try remote.execute(sql)
        return
      }
    #endif
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql) }
  }

  /// The prepared statement of a literal, ready to be bound. The connection caches it while it is open.
  ///
  /// The cache key is the literal's address, because the linker puts only one text at an address. If the cached
  /// statement is in the middle of its rows (in a recursion, for example), another one is prepared.
  package func statement(_ sql: StaticString) throws(DatabaseError) -> Statement {
    let key = UInt(bitPattern: sql.utf8Start)
    if let kept = statements[key] {
      if kept.makeReady() { return kept }
      return try prepare(sql.description)
    }
    let made = try preparePersistent(sql.description)
    statements[key] = made
    return made
  }

  private struct Composition: Hashable {
    let columns: UInt
    let rest: UInt
  }

  /// The prepared statement of up to three concatenated literals, cached like that of one.
  ///
  /// - Parameters:
  ///   - with: the start of the statement, before `columns`. It is not part of the cache key, so it must always be the
  ///     same for the same `columns` and `rest`.
  ///   - columns: columns that several statements read.
  ///   - rest: the rest of the statement.
  package func statement(
    with: StaticString = "", _ columns: StaticString, _ rest: StaticString
  ) throws(DatabaseError) -> Statement {
    let sql = { "\(with)\n\(columns)\n\(rest)" }
    let key = Composition(
      columns: UInt(bitPattern: columns.utf8Start), rest: UInt(bitPattern: rest.utf8Start))
    if let kept = compositions[key] {
      if kept.makeReady() { return kept }
      return try prepare(sql())
    }
    let made = try preparePersistent(sql())
    compositions[key] = made
    return made
  }

  /// Prepares SQL that is made at run time. The statement lives as long as a reference to it. For SQLite it throws
  /// `isMisuse`, like `statement`, if the text holds no statement or several.
  package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    try prepare(sql, flags: 0)
  }

  /// Keeps a long-lived statement out of the lookaside memory: https://www.sqlite.org/c3ref/c_prepare_normalize.html
  private func preparePersistent(_ sql: String) throws(DatabaseError) -> Statement {
    try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
  }

  private func prepare(_ sql: String, flags: UInt32) throws(DatabaseError) -> Statement {
    #if PostgreSQL
      if let remote {
        let isKept = flags & UInt32(SQLITE_PREPARE_PERSISTENT) != 0 && remote.settings.prepares
        return Statement(PostgreSQLStatement(sql, remote, prepares: isKept))
      }
    #endif
    var prepared: OpaquePointer?
    var code: Int32 = SQLITE_OK
    var isWhole = true
    var text = sql
    text.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        code = sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(clamping: text.count), flags, &prepared, &tail)
        guard let start = text.baseAddress, let tail else { return }
        isWhole = text[(tail - start)...].allSatisfy { byte in
          [" ", "\n", "\r", "\t", ";"].contains(Unicode.Scalar(UInt8(bitPattern: byte)))
        }
      }
    }
    guard code == SQLITE_OK else { throw error(code, sql) }
    // SQLite answers SQLITE_OK to an empty text or a mere comment, and prepares nothing; of several statements it
    // prepares only the first.
    guard let prepared, isWhole else {
      sqlite3_finalize(prepared)
      throw error(SQLITE_MISUSE, sql)
    }
    return Statement(prepared)
  }

  /// The engines that run statements.
  package enum Engine: Sendable { case sqlite, postgreSQL }

  package var engine: Engine {
    #if PostgreSQL
      if remote != nil { return .postgreSQL }
    #endif
    return .sqlite
  }

  /// A number that changes when the connection to a server gets a new session. 0 for a file.
  package var sessionNumber: Int {
    #if PostgreSQL
      if let remote { return remote.generation }
    #endif
    return 0
  }

  /// Connects if necessary, and has the session listen to a channel. Does nothing with SQLite, or behind a transaction
  /// pooler.
  package func listen(to channel: String) throws(DatabaseError) {
    #if PostgreSQL
      try remote?.listen(to: channel)
    #endif
  }

  /// Waits for a notification of a channel that the session listens to. Returns whether one came in time. With SQLite
  /// there are none.
  package func waitForNotification(within time: Duration) throws(DatabaseError) -> Bool {
    #if PostgreSQL
      if let remote { return try remote.waitForNotification(within: time) }
    #endif
    return false
  }

  /// Whether no transaction is open. Also true after SQLite has rolled one back by itself:
  /// https://www.sqlite.org/c3ref/get_autocommit.html
  package var isAutocommit: Bool {
    #if PostgreSQL
      if let remote { return remote.isIdle }
    #endif
    return sqlite3_get_autocommit(handle) != 0
  }

  /// The number of rows changed since the connection was opened. With SQLite this includes those changed by triggers.
  package var totalChanges: Int {
    #if PostgreSQL
      if let remote {
        // A failure is thrown by the next statement, because the server skips all until the transaction ends.
        _ = try? remote.flush()
        return remote.settledChanges
      }
    #endif
    return Int(sqlite3_total_changes64(handle))
  }

  /// Frees the memory of cached pages: https://www.sqlite.org/c3ref/db_release_memory.html
  package func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// Calls a check about every `instructions` virtual-machine instructions. If it returns true, the running statement
  /// fails with SQLITE_INTERRUPT. The check must not use the connection:
  /// https://www.sqlite.org/c3ref/progress_handler.html
  package func setProgress(every instructions: Int32, _ shouldStop: (() -> Bool)?) {
    self.shouldStop = shouldStop
    #if PostgreSQL
      if let remote { return remote.shouldStop = shouldStop }
    #endif
    sqlite3_progress_handler(
      handle, shouldStop == nil ? 0 : instructions,
      { context in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.shouldStop?() == true ? 1 : 0
      }, context)
  }

  /// The context that SQLite passes to callbacks. `deinit` removes the callbacks.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Calls the check set by `setProgress`, for work done between a statement's rows.
  ///
  /// Throws `isInterrupted` if the check returns true.
  package func checkProgress() throws(DatabaseError) {
    guard shouldStop?() == true else { return }
    throw DatabaseError(extendedCode: SQLITE_INTERRUPT, context: "between two rows")
  }

  func error(_ code: Int32, _ context: String) -> DatabaseError {
    DatabaseError(connection: handle, code: code, context: context)
  }
}

/// The owner's cache of what it has read on a connection. A rollback may make the cache wrong.
package protocol ConnectionMemory: AnyObject {
  /// Called after each rollback of a transaction, and of a savepoint that has changed rows.
  func forgetRolledBack()
}
