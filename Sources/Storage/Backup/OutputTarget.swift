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
    guard !StoreFile(replacing: database).owns(path) else { throw .itself(path: path) }
    guard !Self.isStdout(path) else {
      self = .stdout
      return
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) {
      self = .stream(path: path)
      return
    }
    let real = StoreFile.real(path)
    guard !StoreFile.belongsToDatabase(real) else { throw .database(path: path) }
    // The log of a lost database is still needed.
    for log in ["-wal", "-journal"] where access(real + log, F_OK) == 0 {
      throw .logLeft(path: real + log)
    }
    if isThere {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
      guard isReplaced else { throw .exists(path: path) }
    }
    self = .file(path: real, isReplaced: isReplaced)
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
  /// Throws `itself` or `database` if a path names a Rowhouse database or a file that belongs to one.
  ///
  /// - Parameter database: the database that this process uses.
  package static func requireForeign(_ path: String, database: String) throws(BackupError) {
    guard !StoreFile(replacing: database).owns(path) else { throw .itself(path: path) }
    guard !StoreFile.belongsToDatabase(StoreFile.real(path)) else { throw .database(path: path) }
  }
}

extension StoreFile {
  /// The suffixes of the names of a database's files.
  static let suffixes = ["", "-wal", "-shm", "-journal", ".lock", ".socket"]

  /// Whether a path names a Rowhouse database, possibly a backup, or a file that belongs to one. This process must not
  /// have it open, because closing a file releases SQLite's locks on it.
  static func belongsToDatabase(_ path: String) -> Bool {
    suffixes.contains { path.hasSuffix($0) && isDatabase(String(path.dropLast($0.count))) }
  }

  /// Whether the file is an SQLite database with our application id.
  ///
  /// https://www.sqlite.org/fileformat.html#the_database_header
  private static func isDatabase(_ path: String) -> Bool {
    var status = stat()
    // Opening a FIFO would wait for a writer.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = fopen(path, "re")
    else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 72)
    guard fread(&start, 1, start.count, file) == start.count,
      start.starts(with: "SQLite format 3\0".utf8)
    else { return false }
    let id = start[68...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return id == UInt32(bitPattern: Schema.applicationID)
  }
}
