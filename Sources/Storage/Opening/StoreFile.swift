import FoundationEssentials
import Glibc
import Inventory
import SQL

/// The database file. It opens connections, and sets all their pragmas: https://www.sqlite.org/pragma.html
struct StoreFile: Sendable {
  let path: String
  /// Whether the file is removed at the end and never synced; for tests and trials.
  let isTemporary: Bool

  /// The name of temporary databases in their folders. No other database has it, so it marks what may be removed.
  static let temporaryName = "/:memory:"

  /// A file that may be missing: `openWriter` then creates it. Throws `lost` if only its log is left.
  ///
  /// `:memory:` makes a private folder for the file in /dev/shm, TMPDIR or /tmp: SQLite's own memory databases have no
  /// WAL, and readers would block the writer.
  ///
  /// Throws `onServer` for the address of a server, which may hold a password and must be in no other message.
  init(path: String) throws(StoreOpeningError) {
    guard !Database.isOnServer(path) else { throw .onServer }
    guard path == ":memory:" else {
      self.path = Self.real(path)
      isTemporary = false
      try Self.requireRegular(self.path)
      try requireNotLost(inUse: true)
      return
    }
    let folder =
      access("/dev/shm", W_OK) == 0
      ? "/dev/shm" : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Self.removeAbandoned(in: folder)
    var template = Array("\(folder)/rowhouse-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw .system(action: "create a folder in \(folder)", code: errno)
    }
    self.path = String(cString: made) + Self.temporaryName
    isTemporary = true
  }

  /// A file that must exist. Throws `missing` otherwise, and `onServer` for the address of a server.
  init(existing path: String) throws(StoreOpeningError) {
    guard !Database.isOnServer(path) else { throw .onServer }
    self.path = Self.real(path)
    isTemporary = false
    try Self.requireRegular(self.path)
    try requireNotLost(inUse: false)
    guard isThere else { throw .missing(path: path) }
  }

  /// Throws `folder` or `notAFile` if the path leads to something else than a file. SQLite would open a device, and put
  /// a journal beside it.
  static func requireRegular(_ path: String) throws(StoreOpeningError) {
    switch kind(of: path) {
    case nil, S_IFREG: return
    case S_IFDIR: throw .folder(path: path)
    default: throw .notAFile(path: path)
    }
  }

  var isThere: Bool { access(path, F_OK) == 0 }

  /// A file that another database will replace; it need not exist.
  init(replacing path: String) {
    self.path = Self.real(path)
    isTemporary = false
  }

  /// Whether there was no room for a change: on the disk, or below the process's limit for file sizes (RLIMIT_FSIZE).
  /// SQLite reports the latter as an ordinary failed write.
  func isFull(_ error: DatabaseError) -> Bool {
    guard !error.isFull else { return true }
    var limit = rlimit()
    guard error.isWriteError, getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    else { return false }
    return ["", "-wal"].contains { suffix in
      // The failed write may have been as large as a page with a frame's header.
      Self.size(of: path + suffix).map { UInt(max(0, $0)) + (64 << 10) >= limit.rlim_cur } ?? false
    }
  }

  /// The kind of a file, such as `S_IFREG`; nil if it cannot be read.
  static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The size of a file in bytes; nil if it cannot be read.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Removes a database, its logs and its shared-memory file.
  static func remove(at path: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
  }

  func remove() {
    guard isTemporary else { return }
    Self.removeTemporary(at: path)
  }

  private static func removeTemporary(at path: String) {
    remove(at: path)
    for suffix in [".lock", ".socket"] { unlink(path + suffix) }
    rmdir(String(path.dropLast(temporaryName.count)))
  }

  /// Removes the temporary databases of processes that were killed.
  static func removeAbandoned(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix("rowhouse-") {
      let path = "\(folder)/\(name)\(temporaryName)"
      var (home, lockFile) = (stat(), stat())
      guard lstat("\(folder)/\(name)", &home) == 0, home.st_uid == geteuid(),
        home.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700, lstat(path + ".lock", &lockFile) == 0,
        // A process that has just made its lock may not hold it yet.
        time(nil) - lockFile.st_mtim.tv_sec > 60, let lock = try? StoreLock(database: path)
      else { continue }
      removeTemporary(at: path)
      lock.release()
    }
  }

  /// Creates a new file that only its owner can access, whatever the umask. The WAL gets the same mode
  /// (https://www.sqlite.org/src/file/src/os_unix.c, findCreateFileMode). An existing file keeps its mode.
  private func makePrivate() {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // If the file cannot be created, SQLite reports why.
    guard descriptor >= 0 else { return }
    close(descriptor)
    // The name must be on the disk before the log's name, because a log alone means a lost database.
    if !isTemporary { try? AtomicFile.sync(AtomicFile.folder(of: path)) }
  }

  /// Opens the only connection that writes and checkpoints.
  func openWriter() throws(StoreOpeningError) -> Connection {
    guard SQLiteVersion.isSupported else { throw .oldSQLite(SQLiteVersion.text) }
    makePrivate()
    return try opening { () throws(DatabaseError) in
      let db = try Connection(path: path, mode: .readWriteCreate)
      try db.configure(.defensive, true)
      try db.configure(.trustedSchema, false)
      return db
    }
  }

  private func opening<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(StoreOpeningError) -> Value {
    do throws(DatabaseError) { return try body() } catch { throw .wrapping(error, path: path) }
  }

  /// Migrates the schema. Returns the applied migrations.
  ///
  /// Refuses a file before writing to it. Calls `settle` first, so that no write follows a hole in the WAL.
  func migrate(_ db: Connection) throws(StoreOpeningError) -> [Migration] {
    _ = try pending(db)
    try settle(db)
    do throws(MigrationError) { return try Schema.migrator.migrate(db) } catch {
      throw .opening(error, path: path)
    }
  }

  /// The migrations that the schema lacks.
  func pending(_ db: Connection) throws(StoreOpeningError) -> [Migration] {
    do throws(MigrationError) { return try Schema.migrator.pending(db) } catch {
      throw .opening(error, path: path)
    }
  }

  /// Throws `outdated` for a schema that is older than this build's.
  func requireCurrent(_ db: Connection) throws(StoreOpeningError) {
    let due = try pending(db).count
    guard due == 0 else { throw .outdated(path: path, due: due) }
  }

  /// Writes the WAL left by the last process to the disk again, because that process's last sync may have failed.
  ///
  /// What is read afterwards survives a power failure.
  func settle(_ db: Connection) throws(StoreOpeningError) {
    // Another process may be recovering the WAL.
    db.setBusyTimeout(milliseconds: 10_000)
    defer { db.setBusyTimeout(milliseconds: 0) }
    try opening { () throws(DatabaseError) in try db.rewriteLog() }
  }

  /// Sets the pragmas that write to the file. Call this only once the file is known to be ours.
  func prepareWriter(_ db: Connection, sizeLimit: Int?) throws(StoreOpeningError) {
    let mode = try opening { () throws(DatabaseError) in
      try db.prepare("PRAGMA journal_mode = WAL").first { $0.string(0) }
    }
    // If WAL is unavailable, SQLite reports it only in this answer, and readers would block the writer.
    guard mode == "wal" else { throw .noWAL(path: path) }
    // No PRAGMA optimize: with statistics of a small file, SQLite chose a plan for subtree totals that took a hundred
    // times as long.
    try opening { () throws(DatabaseError) in
      try db.execute(
        """
        PRAGMA synchronous = \(isTemporary ? "OFF" : "FULL");
        PRAGMA foreign_keys = ON;
        PRAGMA mmap_size = 0;
        PRAGMA secure_delete = OFF;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA cache_size = -32768;
        """)
      if let sizeLimit {
        // https://www.sqlite.org/pragma.html#pragma_max_page_count
        let pageSize = try db.prepare("PRAGMA page_size").first { $0.int(0) } ?? 4_096
        try db.execute("PRAGMA max_page_count = \(max(1, sizeLimit / pageSize))")
      }
    }
  }

  /// Opens a connection for reading. `cacheSize` is in KiB. The system caches the file too, so a larger cache saved no
  /// time: not for pages of 1,000,000 rows at random offsets, and not for searches.
  func openReader(cacheSize: Int = 2_048) throws(StoreOpeningError) -> Connection {
    try opening { () throws(DatabaseError) in
      let db = try Connection(path: path, mode: .readWrite)
      try db.configure(.defensive, true)
      try db.configure(.trustedSchema, false)
      try db.configure(.noCheckpointOnClose, true)
      // Before SQLite 3.51.3, a reader's checkpoint beside the writer's could damage the WAL.
      try db.execute(
        """
        PRAGMA query_only = ON;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -\(cacheSize);
        """)
      // Opens the WAL too, because later no descriptor may be left for it.
      _ = try db.prepare("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
      return db
    }
  }
}

extension StoreFile {
  /// The path with links resolved. The lock and the WAL must lie beside the file itself, whatever name opens it.
  static func real(_ path: String) -> String {
    var path = path
    // As many links as the system follows (path_resolution(7)).
    for _ in 0..<40 {
      if let real = resolved(path) { return real }
      // The file does not exist, but its folder does.
      let name = path.split(separator: "/").last.map(String.init) ?? path
      guard let folder = resolved(AtomicFile.folder(of: path)) else { return path }
      path = folder + (folder.hasSuffix("/") ? "" : "/") + name
      guard let target = target(ofLink: path) else { return path }
      path = target.hasPrefix("/") ? target : AtomicFile.folder(of: path) + "/" + target
    }
    return path
  }

  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Nil if the path is not a link.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether a file is in WAL mode. A server's database is; a backup is not.
  ///
  /// https://www.sqlite.org/fileformat.html#file_format_version_numbers
  static func isServed(_ path: String) -> Bool {
    let start = start(of: path)
    return start.count == 72 && start.starts(with: mark) && start[18] == 2 && start[19] == 2
  }

  /// Throws `lost` if the database is gone but its log is left.
  ///
  /// SQLite would create a new database and remove the log, and with it the last changes of the lost one
  /// (https://www.sqlite.org/src/file/src/pager.c, pagerOpenWalIfPresent and hasHotJournal).
  ///
  /// - Parameter inUse: whether to throw `inUse` instead if a process still has the database open.
  func requireNotLost(inUse: Bool) throws(StoreOpeningError) {
    let size = Self.size(of: path)
    guard size ?? 0 == 0 else { return }
    // A new database begins as an empty file with a journal beside it.
    let logs = size == nil ? ["-wal", "-journal"] : ["-wal"]
    guard let log = logs.first(where: { access(path + $0, F_OK) == 0 }) else { return }
    if inUse, access(path + ".lock", F_OK) == 0 { try StoreLock(database: path).release() }
    throw .lost(path: path, log: path + log)
  }
}
