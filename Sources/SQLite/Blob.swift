import CSQLite

/// One stored blob or text, read and written in pieces without being loaded whole; its size is fixed.
///
/// A write to its row by other means expires it (SQLITE_ABORT from then on), and on end it closes:
/// https://www.sqlite.org/c3ref/blob_open.html
package struct Blob: ~Copyable {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  /// In bytes.
  package let count: Int

  init(_ handle: OpaquePointer, connection: OpaquePointer) {
    self.handle = handle
    self.connection = connection
    count = Int(sqlite3_blob_bytes(handle))
  }

  deinit { sqlite3_blob_close(handle) }

  /// Fills the buffer from an offset; past the end it throws and reads nothing.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SQLiteError) {
    let code = sqlite3_blob_read(
      handle, buffer.baseAddress, Int32(clamping: buffer.count), Int32(clamping: offset))
    guard code == SQLITE_OK else { throw error(code, "read a blob") }
  }

  /// As many bytes from an offset; past the end it throws.
  package func read(_ count: Int, at offset: Int) throws(SQLiteError) -> [UInt8] {
    // Refused before room for it is made.
    guard count >= 0, offset >= 0, offset <= self.count, count <= self.count - offset else {
      throw SQLiteError(extendedCode: SQLITE_ERROR, context: "read a blob")
    }
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(count), Int32(offset))
      initialized = code == SQLITE_OK ? count : 0
    }
    guard code == SQLITE_OK else { throw error(code, "read a blob") }
    return bytes
  }

  /// Overwrites the bytes from an offset; past the end it throws and writes nothing.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SQLiteError) {
    let code = sqlite3_blob_write(
      handle, bytes.baseAddress, Int32(clamping: bytes.count), Int32(clamping: offset))
    guard code == SQLITE_OK else { throw error(code, "write a blob") }
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws(SQLiteError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SQLiteError) in
      try write(UnsafeRawBufferPointer(buffer), at: offset)
    }
  }

  private func error(_ code: Int32, _ context: String) -> SQLiteError {
    SQLiteError(connection: connection, code: code, context: context)
  }
}

extension Connection {
  /// Opens the value of a column in a row of an ordinary table with a rowid; the blob must end before
  /// the connection does.
  package func openBlob(
    table: String, column: String, row: Int64, writable: Bool = false
  ) throws(SQLiteError) -> Blob {
    var blob: OpaquePointer?
    let code = sqlite3_blob_open(handle, "main", table, column, row, writable ? 1 : 0, &blob)
    guard code == SQLITE_OK, let blob else {
      throw error(code, "open \(table).\(column) of row \(row)")
    }
    return Blob(blob, connection: handle)
  }
}
