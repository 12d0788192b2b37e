import Glibc
import SQL

/// A database file in a folder of its own. The folder is removed at the end.
final class TemporaryDatabase {
  let folder: String
  var path: String { folder + "/test.db" }

  init() {
    var template = Array("/tmp/sqlite-tests-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in ["test.db", "test.db-wal", "test.db-shm", "test.db-journal", "copy.db"] {
      unlink(folder + "/" + name)
    }
    rmdir(folder)
  }

  func open(_ mode: Connection.Mode = .readWriteCreate) throws(DatabaseError) -> Connection {
    try Connection(path: path, mode: mode)
  }

  func write(_ bytes: [UInt8], to name: String = "test.db") {
    guard let file = fopen(folder + "/" + name, "wb") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func contents(of name: String = "test.db") -> [UInt8] {
    guard let file = fopen(folder + "/" + name, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }
}

extension Connection {
  static func inMemory(_ schema: String = "") throws(DatabaseError) -> Connection {
    let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
    try connection.execute(schema)
    return connection
  }

  func integer(_ sql: String) throws(DatabaseError) -> Int? {
    try prepare(sql).first { $0.int(0) }
  }
}

/// What the body throws, or nil.
func failure<E: Error>(_ body: () throws(E) -> Void) -> E? {
  do throws(E) {
    try body()
    return nil
  } catch {
    return error
  }
}
