import Foundation

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// A connection to a SQLite file, used by one task at a time. It closes when it is released.
final class OfflineDatabase {
  /// An error of SQLite (https://www.sqlite.org/rescode.html).
  struct Failure: Error {
    let code: Int32
    let message: String

    var isBusy: Bool { code & 0xFF == SQLITE_BUSY }
  }

  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) throws(Failure) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      // After a failed open the caller must still close the handle: https://www.sqlite.org/c3ref/open.html
      sqlite3_close_v2(opened)
      throw Failure(code: code, message: "\(path) cannot be opened.")
    }
    handle = opened
    sqlite3_busy_timeout(handle, 2_000)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Runs statements without values, and ignores their rows.
  func execute(_ sql: String) throws(Failure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs one statement, and passes each of its rows to `body`. The connection keeps it for the next time.
  func run(
    _ sql: String, _ values: [OfflineValue] = [], _ body: (OfflineColumns) -> Void = { _ in }
  ) throws(Failure) {
    let statement = try prepare(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code = value.bind(to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body(OfflineColumns(statement: statement))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// Makes the changes of `body` as one, on disk when this returns.
  func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
    try execute("BEGIN IMMEDIATE")
    do throws(Failure) {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite has rolled back after some errors: https://www.sqlite.org/lang_transaction.html
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  var lastRowID: Int { Int(sqlite3_last_insert_rowid(handle)) }

  private func prepare(_ sql: String) throws(Failure) -> OpaquePointer {
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    statements[sql] = prepared
    return prepared
  }

  private func failure(_ code: Int32) -> Failure {
    Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A value of a statement.
enum OfflineValue {
  case null
  case int(Int)
  case text(String)
  case bytes(Data)

  init(_ int: Int?) { self = int.map { .int($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ key: RowKey) { self = .bytes(withUnsafeBytes(of: key) { Data($0) }) }

  /// Money and litres: an integer of hundredths if it is exact, otherwise a text.
  init(_ decimal: Decimal?) {
    guard let decimal else {
      self = .null
      return
    }
    let hundredths = NSDecimalNumber(decimal: decimal * 100)
    let number = hundredths.int64Value
    self =
      abs(number) < 1 << 53 && Decimal(number) == hundredths.decimalValue
      ? .int(Int(number)) : .text("\(decimal)")
  }

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT is a macro that Swift does not import: https://www.sqlite.org/c3ref/c_static.html
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .int(let value): sqlite3_bind_int64(statement, index, Int64(value))
    case .text(let value):
      sqlite3_bind_text(statement, index, value, Int32(clamping: value.utf8.count), copied)
    case .bytes(let value):
      // A null pointer would be NULL.
      value.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : value.withUnsafeBytes {
          sqlite3_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count), copied)
        }
    }
  }
}

/// The columns of a row, valid until the next one.
struct OfflineColumns {
  fileprivate let statement: OpaquePointer

  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
  func intOrNil(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
  func text(_ column: Int32) -> String { textOrNil(column) ?? "" }

  func textOrNil(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  func key(_ column: Int32) -> RowKey? { keys(column).first }

  func keys(_ column: Int32) -> [RowKey] {
    let bytes = bytes(column)
    return Array(unsafeUninitializedCapacity: bytes.count / MemoryLayout<RowKey>.stride) {
      keys, count in
      count = keys.count
      UnsafeMutableRawBufferPointer(keys).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count * MemoryLayout<RowKey>.stride)))
    }
  }

  /// See `OfflineValue.init(_: Decimal?)`.
  func decimal(_ column: Int32) -> Decimal? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER:
      let number = int(column)
      return Decimal(
        sign: number < 0 ? .minus : .plus, exponent: -2, significand: Decimal(number.magnitude))
    case SQLITE_TEXT: return Decimal(string: text(column))
    default: return nil
    }
  }

  private func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }
}
