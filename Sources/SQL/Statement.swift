import CSQLite

/// A prepared statement. Bind its parameters in their order, then run it.
///
/// The next step throws the error of a failed bind. `run`, `first` and `forEach` reset and unbind the statement, also
/// on errors, and so does `step` at the end of the rows. If you stop stepping earlier, call `reset`; otherwise the read
/// transaction stays open.
package final class Statement {
  /// SQLite's statement; nil for a statement of PostgreSQL.
  let handle: OpaquePointer?
  private let parameterCount: Int32
  private var bound: Int32 = 0
  private var bindCode: Int32 = SQLITE_OK

  #if PostgreSQL
    /// PostgreSQL's statement; nil for a statement of SQLite.
    let remote: PostgreSQLStatement?

    init(_ remote: PostgreSQLStatement) {
      handle = nil
      parameterCount = Int32(remote.parameterCount)
      self.remote = remote
    }
  #endif

  init(_ handle: OpaquePointer) {
    self.handle = handle
    parameterCount = sqlite3_bind_parameter_count(handle)
    #if PostgreSQL
      remote = nil
    #endif
  }

  deinit { sqlite3_finalize(handle) }

  package var sql: String {
    #if PostgreSQL
      if let remote { return remote.sql }
    #endif
    return String(cString: sqlite3_sql(handle))
  }

  // MARK: Binding

  @discardableResult
  package func bind(_ value: Int64?) -> Statement {
    guard let value else { return bindNull() }
    bound &+= 1
    #if PostgreSQL
      if let remote {
        remote.bind(.integer(value))
        return self
      }
    #endif
    note(sqlite3_bind_int64(handle, bound, value))
    return self
  }

  @discardableResult
  package func bind(_ value: Int?) -> Statement { bind(value.map { Int64($0) }) }

  /// Binds true as 1 and false as 0.
  @discardableResult
  package func bind(_ value: Bool) -> Statement { bind(value ? 1 as Int64 : 0) }

  @discardableResult
  package func bind(_ value: String?) -> Statement {
    guard var value else { return bindNull() }
    bound &+= 1
    #if PostgreSQL
      if let remote {
        remote.bind(.text([UInt8](value.utf8)))
        return self
      }
    #endif
    let code = value.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        // A null pointer would bind NULL, and an empty buffer may have one.
        text.isEmpty
          ? rowhouse_bind_text(handle, bound, "", 0)
          : rowhouse_bind_text(handle, bound, text.baseAddress, UInt64(text.count))
      }
    }
    note(code)
    return self
  }

  @discardableResult
  package func bind(_ value: [UInt8]?) -> Statement {
    guard let value else { return bindNull() }
    return value.withUnsafeBytes { bind(bytes: $0) }
  }

  /// Binds a blob; SQLite copies the bytes.
  @discardableResult
  package func bind(bytes: UnsafeRawBufferPointer) -> Statement {
    bound &+= 1
    #if PostgreSQL
      if let remote {
        remote.bind(.bytes([UInt8](bytes)))
        return self
      }
    #endif
    // A null pointer would bind NULL, and an empty buffer may have one.
    note(
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, bound, 0)
        : rowhouse_bind_blob(handle, bound, bytes.baseAddress, UInt64(bytes.count)))
    return self
  }

  @discardableResult
  package func bindNull() -> Statement {
    bound &+= 1
    #if PostgreSQL
      if let remote {
        remote.bind(.null)
        return self
      }
    #endif
    note(sqlite3_bind_null(handle, bound))
    return self
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK, bindCode == SQLITE_OK { bindCode = code }
  }

  // MARK: Running

  private func requireBindings() throws(DatabaseError) {
    if bindCode != SQLITE_OK || bound != parameterCount { throw bindingError() }
  }

  /// Moves to the next row and returns true. At the end returns false. The statement is reset at the end and on errors.
  package func step() throws(DatabaseError) -> Bool {
    try requireBindings()
    #if PostgreSQL
      if let remote {
        if try remote.step() { return true }
        bound = 0
        return false
      }
    #endif
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw runningError(code) }
    reset()
    return false
  }

  /// Steps to the end, discards the rows, and resets.
  ///
  /// With PostgreSQL a change is only sent along with the next statement whose result is needed. An error is then
  /// thrown there, or at the end of the savepoint or of the transaction.
  package func run() throws(DatabaseError) {
    #if PostgreSQL
      if let remote {
        try requireBindings()
        if try remote.queue() {
          bound = 0
          return
        }
      }
    #endif
    while try step() {}
  }

  /// Runs an INSERT, UPDATE or DELETE. Returns the number of rows that it has changed, not counting triggers.
  package func runCounting() throws(DatabaseError) -> Int {
    while try step() {}
    #if PostgreSQL
      if let remote { return remote.session.changes }
    #endif
    return Int(sqlite3_changes64(sqlite3_db_handle(handle)))
  }

  /// Runs an INSERT into a table whose primary key is the integer `key`. Returns the key of the last new row.
  package func insert() throws(DatabaseError) -> Int64 {
    #if PostgreSQL
      if let remote {
        remote.returnKey()
        var key: Int64 = 0
        while try step() { key = remote.int64(0) }
        return key
      }
    #endif
    try run()
    return sqlite3_last_insert_rowid(sqlite3_db_handle(handle))
  }

  /// Ends the execution and unbinds the parameters.
  package func reset() {
    #if PostgreSQL
      if let remote {
        bound = 0
        return remote.reset()
      }
    #endif
    // The result repeats the last step's error, which was already thrown: https://www.sqlite.org/c3ref/reset.html
    sqlite3_reset(handle)
    if parameterCount > 0 { sqlite3_clear_bindings(handle) }
    bound = 0
    bindCode = SQLITE_OK
  }

  /// Reads the first row; nil if there are no rows. Ignores further rows.
  package func first<R>(_ read: (Statement) -> R) throws(DatabaseError) -> R? {
    guard try step() else { return nil }
    defer { reset() }
    return read(self)
  }

  /// Calls the body once for each row.
  package func forEach(_ body: (Statement) -> Void) throws(DatabaseError) {
    while try step() { body(self) }
  }

  /// Calls the body for each row until it returns false or throws.
  package func forEachWhile<E: DatabaseErrorWrapping>(
    _ body: (Statement) throws(E) -> Bool
  ) throws(E) {
    var isAtRow = true
    defer { if isAtRow { reset() } }
    while true {
      do throws(DatabaseError) { isAtRow = try step() } catch { throw E(database: error) }
      guard isAtRow, try body(self) else { return }
    }
  }

  /// Prepares a cached statement for reuse: unbound, before its first row. Returns false if it is in the middle of its
  /// rows.
  func makeReady() -> Bool {
    #if PostgreSQL
      if let remote {
        guard !remote.isBusy else { return false }
        if bound != 0 { reset() }
        return true
      }
    #endif
    // Only a step to a row leaves it busy: https://www.sqlite.org/c3ref/stmt_busy.html
    guard sqlite3_stmt_busy(handle) == 0 else { return false }
    if bound != 0 { reset() }
    return true
  }

  private func bindingError() -> DatabaseError {
    let code = bindCode == SQLITE_OK ? SQLITE_RANGE : bindCode
    let error = DatabaseError(
      extendedCode: code,
      message: bindCode == SQLITE_OK || bindCode == SQLITE_RANGE
        ? "\(bound) values for \(parameterCount) parameters"
        : String(cString: sqlite3_errstr(code)),
      context: sql)
    reset()
    return error
  }

  private func runningError(_ code: Int32) -> DatabaseError {
    let error = DatabaseError(connection: sqlite3_db_handle(handle), code: code, context: sql)
    reset()
    return error
  }
}
