import CSQLite

extension Connection {
  /// Writes the WAL and the database pages named in it to the disk again, and syncs both files. Does nothing to a file
  /// without a WAL.
  ///
  /// When a sync fails, Linux marks the pages it could not write as clean. Reads then return them as if they were on
  /// the disk, and no later sync writes them (https://wiki.postgresql.org/wiki/Fsync_Errors). A power failure loses all
  /// that follows such a hole in the WAL, synced or not. Writing the same bytes again closes the hole. It needs no more
  /// disk space, and readers of this and other processes can continue.
  ///
  /// - Throws: the failure. After it, answer nothing that depends on the file.
  package func rewriteLog() throws(DatabaseError) {
    guard try prepare("PRAGMA journal_mode").first({ $0.string(0) }) == "wal" else { return }
    // Loads the WAL's content into this connection, and keeps other processes from writing to the WAL.
    try begin(.immediate)
    defer { rollback() }
    let log = try file(SQLITE_FCNTL_JOURNAL_POINTER)
    let database = try file(SQLITE_FCNTL_FILE_POINTER)
    guard let (pageSize, pages) = try log.rewriteFrames(), !pages.isEmpty else { return }
    for page in pages.sorted() {
      try database.rewrite(pageSize, at: Int64(page - 1) * Int64(pageSize))
    }
    try database.sync()
    try log.sync()
  }

  private func file(_ operation: Int32) throws(DatabaseError) -> OpenFile {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", operation, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
      throw error(code == SQLITE_OK ? SQLITE_NOTFOUND : code, Self.rewriting)
    }
    return OpenFile(file: file, methods: methods.pointee)
  }

  fileprivate static var rewriting: String { "write the WAL once more" }
}

/// A file that SQLite has open: https://www.sqlite.org/c3ref/io_methods.html
///
/// A second descriptor of the same file is no alternative: closing it would release SQLite's locks
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
private struct OpenFile {
  let file: UnsafeMutablePointer<sqlite3_file>
  let methods: sqlite3_io_methods

  /// Rewrites the header and the frames of the WAL's current generation
  /// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). Returns the size and the numbers of the pages in the
  /// frames; nil if there is no header.
  func rewriteFrames() throws(DatabaseError) -> (pageSize: Int, pages: Set<UInt32>)? {
    guard let header = try rewrite(32, at: 0) else { return nil }
    let size = Int(Self.number(header, 8))
    guard size >= 512, size <= 65_536 else { return nil }
    var pages: Set<UInt32> = []
    var offset: Int64 = 32
    while let frame = try rewrite(24 + size, at: offset, ifSaltedAs: header[16..<24]) {
      let page = Self.number(frame, 0)
      if page > 0 { pages.insert(page) }
      offset += Int64(24 + size)
    }
    return (size, pages)
  }

  /// Reads bytes and writes them back. Returns nil, and writes nothing, if the file ends earlier or the frame belongs
  /// to another generation.
  @discardableResult
  func rewrite(
    _ count: Int, at offset: Int64, ifSaltedAs salt: ArraySlice<UInt8>? = nil
  ) throws(DatabaseError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = methods.xRead(file, &bytes, Int32(count), offset)
    // IOERR_SHORT_READ
    if read == SQLITE_IOERR | (2 << 8) { return nil }
    try require(read)
    if let salt, bytes[8..<16] != salt { return nil }
    try require(methods.xWrite(file, bytes, Int32(count), offset))
    return bytes
  }

  func sync() throws(DatabaseError) { try require(methods.xSync(file, SQLITE_SYNC_NORMAL)) }

  private func require(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else {
      throw DatabaseError(extendedCode: code, context: Connection.rewriting)
    }
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
