import Glibc

/// The destination of a file that a command writes. It is never a database or a file that belongs to one.
package enum OutputTarget: Sendable, Equatable {
  /// Standard output, under any of its paths.
  case stdout
  /// A FIFO or a character device, which is written directly.
  case stream(path: String)
  /// A file that appears whole or not at all. The path has no links in it.
  case file(path: String, isReplaced: Bool)

  /// - Parameters:
  ///   - path: nil for standard output.
  ///   - isReplaced: whether a file with this name may be replaced.
  ///   - database: the database that this process uses.
  /// - Throws: `itself`, `database`, `logLeft` or `notAFile` for a name that must not be replaced; `exists` if
  ///   `isReplaced` is false and the file exists.
  package init(_ path: String?, isReplaced: Bool, database: String) throws(BackupError) {
    let path = path ?? "/dev/stdout"
    try Database.requireForeign(path, database: database)
    guard !Self.isStdout(path) else {
      self = .stdout
      return
    }
    switch StoreFile.kind(of: path) {
    case S_IFIFO, S_IFCHR: self = .stream(path: path)
    case S_IFREG where !isReplaced: throw .exists(path: path)
    case S_IFREG, nil: self = .file(path: StoreFile.real(path), isReplaced: isReplaced)
    default: throw .notAFile(path: path)
    }
  }

  /// Calls `body` with a descriptor to write to, and makes the file durable under its name.
  ///
  /// - Parameter failure: wraps the error if the file cannot be created.
  package func write<Failure: Error>(
    failure: (BackupError) -> Failure, _ body: (Int32) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .stdout: try body(STDOUT_FILENO)
    case .stream(let path): try Self.write(to: path, failure, body)
    case .file(let path, let isReplaced):
      let draft: AtomicFile
      do throws(BackupError) { draft = try AtomicFile(for: path) } catch { throw failure(error) }
      try Self.write(to: draft.path, failure, body)
      do throws(BackupError) { try draft.publish(replacing: isReplaced) } catch {
        throw failure(error)
      }
    }
  }

  private static func write<Failure: Error>(
    to path: String, _ failure: (BackupError) -> Failure, _ body: (Int32) throws(Failure) -> Void
  ) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.system(action: "open \(path)", code: errno)) }
    defer { close(descriptor) }
    try body(descriptor)
  }

  private static func isStdout(_ path: String) -> Bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }
}

extension Database {
  /// Throws `itself`, `database` or `logLeft` if a file written at a path would harm a Rowhouse database. Every command
  /// that writes a file calls this first.
  ///
  /// - Parameters:
  ///   - database: the database that this process uses.
  ///   - replacingBackups: whether the path may be that of a backup. Backups are not in WAL mode; databases are.
  package static func requireForeign(
    _ path: String, database: String, replacingBackups: Bool = false
  ) throws(BackupError) {
    guard !StoreFile(replacing: database).owns(path) else { throw .itself(path: path) }
    let real = StoreFile.real(path)
    for name in [path, real] {
      let isTaken =
        StoreFile.isPart(name)
        || StoreFile.isDatabase(name) && !(replacingBackups && !StoreFile.isServed(name))
      guard !isTaken else { throw .database(path: path) }
      // The log of a lost database is still needed, and would be taken for a part of the new file.
      for log in ["-wal", "-journal"] where access(name + log, F_OK) == 0 {
        throw .logLeft(path: name + log)
      }
    }
  }
}

extension StoreFile {
  /// The suffixes of the names of a database's files.
  static let suffixes = ["", "-wal", "-shm", "-journal", ".lock", ".socket"]

  /// Whether a path names a file that belongs to a Rowhouse database, possibly a backup, or the log of any database.
  ///
  /// This process must not have these files open, because closing a file releases SQLite's locks on it.
  static func isPart(_ path: String) -> Bool {
    isLog(path)
      || suffixes.contains { suffix in
        !suffix.isEmpty && path.hasSuffix(suffix)
          && isDatabase(String(path.dropLast(suffix.count)))
      }
  }

  /// Whether the file is an SQLite database with our application id.
  ///
  /// https://www.sqlite.org/fileformat.html#the_database_header
  static func isDatabase(_ path: String) -> Bool {
    let start = start(of: path)
    guard start.count == 72, start.starts(with: mark) else { return false }
    let id = start[68...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return id == UInt32(bitPattern: Schema.applicationID)
  }

  /// Whether the file is a WAL or a rollback journal of SQLite. Its database may be lost.
  ///
  /// https://www.sqlite.org/fileformat.html#the_rollback_journal and #the_write_ahead_log
  private static func isLog(_ path: String) -> Bool {
    let start = start(of: path)
    return start.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
      || start.starts(with: [0x37, 0x7F, 0x06, 0x82])
      || start.starts(with: [0x37, 0x7F, 0x06, 0x83])
  }

  /// The first bytes of an SQLite database: https://www.sqlite.org/fileformat.html#the_database_header
  static let mark = "SQLite format 3\0".utf8

  /// The first 72 bytes of a regular file; fewer if it is shorter or cannot be read.
  static func start(of path: String) -> [UInt8] {
    // Opening a FIFO would wait for a writer.
    guard kind(of: path) == S_IFREG, let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 72)
    start.removeLast(start.count - fread(&start, 1, start.count, file))
    return start
  }
}
