import CSQLite

/// One connection to one database file, for one thread at a time.
///
/// It opens without SQLite's mutexes (https://www.sqlite.org/threadsafe.html, "multi-thread"), so it
/// may be handed from thread to thread, but two must never use it at once. Its end finalizes its
/// statements and closes the file.
package final class Connection {
  package enum Mode: Sendable {
    case readWriteCreate, readWrite, readOnly
  }

  let handle: OpaquePointer
  package let path: String

  /// Once, before the first connection; too late, it is refused and changes nothing.
  private static let configured = rowhouse_leave_out_statistics()

  private var statements: [UInt: Statement] = [:]
  private var compositions: [Composition: Statement] = [:]
  private var progress: ProgressCheck?
  /// What cuts texts into words for the search index; made with the connection, which calls it in SQL too.
  package let tokenizer: Tokenizer
  /// Of one address for as long as SQLite may write to it.
  let walPageCount: UnsafeMutablePointer<Int32>
  /// What the connection's owner remembers of the rows that it has read.
  package var memory: (any ConnectionMemory)?

  /// Opens the file at a path, never a URI; extended result codes are on.
  package init(path: String, mode: Mode) throws(SQLiteError) {
    let access =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    _ = Self.configured
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError(connection: opened, code: code, context: "open \(path)")
      // A failed open leaves a handle that is the caller's to close:
      // https://www.sqlite.org/c3ref/open.html
      sqlite3_close_v2(opened)
      throw error
    }
    do throws(SQLiteError) {
      tokenizer = try Tokenizer(opened)
      try Relevance.add(to: opened)
      try ScopedWords.add(to: opened, tokenizer)
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    self.path = path
    walPageCount = .allocate(capacity: 1)
    walPageCount.initialize(to: 0)
  }

  deinit {
    sqlite3_progress_handler(handle, 0, nil, nil)
    statements.removeAll()
    compositions.removeAll()
    // Unlike sqlite3_close it succeeds while the caller still holds a statement, and closes
    // with the last of them: https://www.sqlite.org/c3ref/close.html
    sqlite3_wal_hook(handle, nil, nil)
    sqlite3_close_v2(handle)
    walPageCount.deallocate()
  }

  /// Runs a script of statements one after another and drops their rows; for pragmas and schemas.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql) }
  }

  /// The prepared statement of a literal, kept for the connection's life and ready to be bound.
  ///
  /// The key is the literal's address: what the linker puts at one address is one text. While the
  /// kept statement is in the middle of its rows (a recursion, say), another is made.
  package func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
    guard sql.hasPointerRepresentation else { return try prepare(sql.description) }
    let key = UInt(bitPattern: sql.utf8Start)
    if let kept = statements[key] {
      if kept.makeReady() { return kept }
      return try prepare(sql, persistent: false)
    }
    let made = try prepare(sql, persistent: true)
    statements[key] = made
    return made
  }

  private struct Composition: Hashable {
    let columns: UInt
    let rest: UInt
  }

  /// The prepared statement of two literals, kept like that of one: columns that several statements read, and where
  /// each reads them.
  package func statement(
    _ columns: StaticString, _ rest: StaticString
  ) throws(SQLiteError) -> Statement {
    let sql = { "\(columns)\n\(rest)" }
    guard columns.hasPointerRepresentation, rest.hasPointerRepresentation else {
      return try prepare(sql())
    }
    let key = Composition(
      columns: UInt(bitPattern: columns.utf8Start), rest: UInt(bitPattern: rest.utf8Start))
    if let kept = compositions[key] {
      if kept.makeReady() { return kept }
      return try prepare(sql())
    }
    let made = try prepare(sql(), flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    compositions[key] = made
    return made
  }

  /// A statement that lives as long as it is held, for SQL that is made at run time. Here as in
  /// `statement`, a text of none or several statements is refused (`isMisuse`).
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try prepare(sql, flags: 0)
  }

  private func prepare(_ sql: String, flags: UInt32) throws(SQLiteError) -> Statement {
    var sql = sql
    let (prepared, code) = sql.withUTF8 { text in
      Self.prepare(handle, text, flags: flags)
    }
    guard let prepared else { throw error(code, sql) }
    return Statement(prepared)
  }

  private func prepare(_ sql: StaticString, persistent: Bool) throws(SQLiteError) -> Statement {
    let text = UnsafeBufferPointer(start: sql.utf8Start, count: sql.utf8CodeUnitCount)
    // Keeps long-lived statements out of the lookaside memory:
    // https://www.sqlite.org/c3ref/c_prepare_normalize.html
    let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let (prepared, code) = Self.prepare(handle, text, flags: flags)
    guard let prepared else { throw error(code, sql.description) }
    return Statement(prepared)
  }

  /// Nil comes with the code to report, also for a text that holds no statement.
  private static func prepare(
    _ connection: OpaquePointer, _ sql: UnsafeBufferPointer<UInt8>, flags: UInt32
  ) -> (OpaquePointer?, Int32) {
    sql.withMemoryRebound(to: CChar.self) { text in
      var prepared: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(
        connection, text.baseAddress, Int32(clamping: text.count), flags, &prepared, &tail)
      guard code == SQLITE_OK else { return (nil, code) }
      // An empty text or a mere comment prepares to nothing, and of several statements only the
      // first is prepared; both with SQLITE_OK.
      guard prepared != nil, isBlank(text, from: tail) else {
        sqlite3_finalize(prepared)
        return (nil, SQLITE_MISUSE)
      }
      return (prepared, SQLITE_OK)
    }
  }

  private static func isBlank(
    _ text: UnsafeBufferPointer<CChar>, from tail: UnsafePointer<CChar>?
  ) -> Bool {
    guard let start = text.baseAddress, let tail else { return true }
    return text[(tail - start)...].allSatisfy { byte in
      [" ", "\n", "\r", "\t", ";"].contains(Unicode.Scalar(UInt8(bitPattern: byte)))
    }
  }

  /// No transaction is open; it also tells that SQLite has rolled one back by itself:
  /// https://www.sqlite.org/c3ref/get_autocommit.html
  package var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

  /// Rows that the last INSERT, UPDATE or DELETE changed, without those of triggers.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Rows changed since the connection was opened, with those of triggers.
  package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Gives back the memory of cached pages: https://www.sqlite.org/c3ref/db_release_memory.html
  package func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// Calls the check about every so many virtual-machine instructions; where it answers true, the
  /// running statement ends with SQLITE_INTERRUPT. The check must not use the connection:
  /// https://www.sqlite.org/c3ref/progress_handler.html
  package func setProgress(every instructions: Int32, _ shouldStop: (() -> Bool)?) {
    guard let shouldStop else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      progress = nil
      return
    }
    let check = ProgressCheck(shouldStop)
    sqlite3_progress_handler(
      handle, instructions,
      { context in
        guard let context else { return 0 }
        let check = Unmanaged<ProgressCheck>.fromOpaque(context).takeUnretainedValue()
        return check.shouldStop() ? 1 : 0
      }, Unmanaged.passUnretained(check).toOpaque())
    // The connection keeps it alive for SQLite, which holds a bare pointer; the former one dies
    // only now that it is replaced.
    progress = check
  }

  /// Asks the check that `setProgress` has set, for work that is done between a statement's rows.
  ///
  /// Throws `isInterrupted` if it says stop.
  package func checkProgress() throws(SQLiteError) {
    guard progress?.shouldStop() == true else { return }
    throw SQLiteError(extendedCode: SQLITE_INTERRUPT, context: "between two rows")
  }

  func error(_ code: Int32, _ context: String) -> SQLiteError {
    SQLiteError(connection: handle, code: code, context: context)
  }
}

/// Knowledge from reads on a connection, which a rollback may make wrong.
package protocol ConnectionMemory: AnyObject {
  /// Called after a transaction or a savepoint that has changed rows was rolled back.
  func forgetRolledBack()
}

private final class ProgressCheck {
  let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}
