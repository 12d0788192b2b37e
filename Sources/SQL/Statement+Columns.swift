import CSQLite

/// The columns of the statement's current row, counted from 0. A value of another type is converted as described in
/// https://www.sqlite.org/c3ref/column_blob.html.
extension Statement {
  package func isInteger(_ column: Int) -> Bool {
    #if PostgreSQL
      if let remote { return remote.isInteger(column) }
    #endif
    return sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_INTEGER
  }

  func isText(_ column: Int) -> Bool {
    #if PostgreSQL
      if let remote { return remote.isText(column) }
    #endif
    return sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_TEXT
  }

  package func isNull(_ column: Int) -> Bool {
    #if PostgreSQL
      if let remote { return remote.isNull(column) }
    #endif
    return sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// Returns 0 for NULL.
  package func int64(_ column: Int) -> Int64 {
    #if PostgreSQL
      if let remote { return remote.int64(column) }
    #endif
    return sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  package func int64OrNil(_ column: Int) -> Int64? {
    let value = int64(column)
    return value == 0 && isNull(column) ? nil : value
  }

  /// Returns 0 for NULL.
  package func int(_ column: Int) -> Int { Int(int64(column)) }

  package func intOrNil(_ column: Int) -> Int? { int64OrNil(column).map { Int($0) } }

  /// Returns false for 0 and NULL, otherwise true.
  package func bool(_ column: Int) -> Bool { int64(column) != 0 }

  /// Returns 0 for NULL.
  package func double(_ column: Int) -> Double {
    #if PostgreSQL
      if let remote { return remote.double(column) }
    #endif
    return sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// Returns the whole text, including NUL bytes, with invalid UTF-8 repaired. Empty for NULL.
  package func string(_ column: Int) -> String { stringOrNil(column) ?? "" }

  package func stringOrNil(_ column: Int) -> String? {
    text(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the UTF-8 of a text in SQLite's own memory, not validated. Nil for NULL.
  ///
  /// It is valid until the statement steps or resets, or the column is read as another type:
  /// https://www.sqlite.org/c3ref/column_blob.html
  package func text(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
    #if PostgreSQL
      if let remote {
        return remote.isNull(column) ? nil : remote.data(column).assumingMemoryBound(to: UInt8.self)
      }
    #endif
    let column = Int32(truncatingIfNeeded: column)
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Returns no bytes for NULL.
  package func bytes(_ column: Int) -> [UInt8] {
    withBytes(column) { [UInt8]($0) }
  }

  package func bytesOrNil(_ column: Int) -> [UInt8]? {
    isNull(column) ? nil : bytes(column)
  }

  /// Calls the body with the bytes of a text or a blob, without a copy. They are valid only in the body; empty for
  /// NULL.
  package func withBytes<R, E: Error>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    #if PostgreSQL
      if let remote { return try body(remote.data(column)) }
    #endif
    let column = Int32(truncatingIfNeeded: column)
    // Read the pointer before the count, because reading the pointer may convert the value.
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
