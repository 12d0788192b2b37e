import FoundationEssentials
import Glibc
import Inventory
import SQLite

/// How the database file is opened: every pragma that a connection gets is set here.
///
/// https://www.sqlite.org/pragma.html
struct StoreFile: Sendable {
  let path: String
  /// Removed at the end, and never synced: for tests and trials.
  let isTemporary: Bool

  /// A file that is made if it is missing, unless its log is left.
  ///
  /// `:memory:` names a private file in /dev/shm or TMPDIR: SQLite's own memory databases have no
  /// WAL, and readers would lock the writer out.
  init(path: String) throws(StoreOpeningError) {
    guard path == ":memory:" else {
      self.path = Self.real(path)
      isTemporary = false
      try requireNotLost(inUse: true)
      return
    }
    let folder =
      access("/dev/shm", W_OK) == 0
      ? "/dev/shm" : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/rowhouse-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw .system(action: "make a folder in \(folder)", code: errno)
    }
    self.path = String(cString: made) + "/rowhouse.sqlite"
    isTemporary = true
  }

  /// A file that must be there already.
  init(existing path: String) throws(StoreOpeningError) {
    self.path = Self.real(path)
    isTemporary = false
    try requireNotLost(inUse: false)
    guard isThere else { throw .missing(path: path) }
  }

  var isThere: Bool { access(path, F_OK) == 0 }

  /// Where another database is to be put, whatever is there.
  init(replacing path: String) {
    self.path = Self.real(path)
    isTemporary = false
  }

  /// Whether a write has failed because the process may not make files any larger (RLIMIT_FSIZE), which
  /// SQLite takes for any other failed write.
  func isAtSizeLimit(_ error: SQLiteError) -> Bool {
    var limit = rlimit()
    guard error.isWriteError, getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    else { return false }
    return ["", "-wal"].contains { suffix in
      var status = stat()
      // A page and a frame's header may have been too much.
      return stat(path + suffix, &status) == 0
        && UInt(max(0, status.st_size)) + (64 << 10) >= limit.rlim_cur
    }
  }

  /// Removes a database with what SQLite has put beside it.
  static func remove(at path: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  func remove() {
    guard isTemporary else { return }
    Self.remove(at: path)
    unlink(path + ".lock")
    rmdir(String(path.dropLast("/rowhouse.sqlite".count)))
  }

  /// Makes a new file its owner's alone, whatever the umask; the WAL beside it gets the same mode
  /// (https://www.sqlite.org/src/file/src/os_unix.c, findCreateFileMode). One that is there keeps its own.
  private func makePrivate() {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // Why it can't be made, SQLite will tell.
    guard descriptor >= 0 else { return }
    close(descriptor)
    // Its name is to be on the disk before a log's is: a log alone is what a lost database leaves.
    if !isTemporary { try? AtomicFile.sync(AtomicFile.folder(of: path)) }
  }

  /// The one connection that writes and checkpoints.
  func openWriter() throws(StoreOpeningError) -> Connection {
    guard SQLiteVersion.isSupported else { throw .oldSQLite(SQLiteVersion.text) }
    makePrivate()
    do throws(SQLiteError) {
      let db = try Connection(path: path, mode: .readWriteCreate)
      try db.configure(.defensive, true)
      try db.configure(.trustedSchema, false)
      return db
    } catch { throw .wrapping(error, path: path) }
  }

  /// Brings the schema up to date; the migrations that were applied.
  ///
  /// Refusals come before anything is written, and nothing is written behind a hole in the WAL.
  func migrate(_ db: Connection) throws(StoreOpeningError) -> [Migration] {
    do throws(MigrationError) { _ = try Schema.migrator.pending(db) } catch {
      throw .opening(error, path: path)
    }
    try settle(db)
    do throws(MigrationError) { return try Schema.migrator.migrate(db) } catch {
      throw .opening(error, path: path)
    }
  }

  /// Puts on the disk what the last process has left in the WAL: its last sync may have failed.
  ///
  /// What is read from now on stays, whenever the power goes.
  func settle(_ db: Connection) throws(StoreOpeningError) {
    // Another process may be reading what is in the WAL for the first time.
    db.setBusyTimeout(milliseconds: 10_000)
    defer { db.setBusyTimeout(milliseconds: 0) }
    do throws(SQLiteError) { try db.rewriteLog() } catch { throw .wrapping(error, path: path) }
  }

  /// What may be set only once the file is known to be ours, since it writes.
  func prepareWriter(_ db: Connection, sizeLimit: Int?) throws(StoreOpeningError) {
    let mode: String?
    do throws(SQLiteError) {
      mode = try db.prepare("PRAGMA journal_mode = WAL").first { $0.string(0) }
    } catch { throw .wrapping(error, path: path) }
    // Where WAL cannot be had, SQLite says so by this answer alone, and readers would block the writer.
    guard mode == "wal" else { throw .noWAL(path: path) }
    // No PRAGMA optimize: with statistics from when the file was small, SQLite chose a plan for the totals of a subtree
    // that took a hundred times as long.
    do throws(SQLiteError) {
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
    } catch { throw .wrapping(error, path: path) }
  }

  /// - Parameter cacheSize: in KiB.
  func openReader(cacheSize: Int = 16_384) throws(StoreOpeningError) -> Connection {
    do throws(SQLiteError) {
      let db = try Connection(path: path, mode: .readWrite)
      try db.configure(.defensive, true)
      try db.configure(.trustedSchema, false)
      try db.configure(.noCheckpointOnClose, true)
      // A reader that checkpointed beside the writer could damage the WAL before SQLite 3.51.3.
      try db.execute(
        """
        PRAGMA query_only = ON;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -\(cacheSize);
        """)
      // Opens the log too, which must not be left to a time when no descriptor may be left.
      _ = try db.prepare("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
      return db
    } catch { throw .wrapping(error, path: path) }
  }
}

extension StoreFile {
  /// The path without links in it: the lock and the WAL stand beside the file itself, by whatever
  /// name it is opened.
  static func real(_ path: String) -> String {
    var path = path
    // As many links as the system follows (path_resolution(7)).
    for _ in 0..<40 {
      if let real = resolved(path) { return real }
      // The file is yet to be made, or is gone; its folder is there.
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

  /// Nil for what is no link.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether a file is in WAL mode, as a server leaves a database. Copies are not.
  ///
  /// https://www.sqlite.org/fileformat.html#file_format_version_numbers
  static func isServed(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 20)
    return fread(&start, 1, start.count, file) == start.count
      && start.starts(with: "SQLite format 3\0".utf8) && start[18] == 2 && start[19] == 2
  }

  /// Refuses a database that is gone while its log is left.
  ///
  /// SQLite would take it for a new one and remove the log, with the last changes of what was lost
  /// (https://www.sqlite.org/src/file/src/pager.c, pagerOpenWalIfPresent and hasHotJournal).
  ///
  /// - Parameter inUse: whether to say instead that a process still has it open, where one has.
  func requireNotLost(inUse: Bool) throws(StoreOpeningError) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard !isThere || status.st_size == 0 else { return }
    // A database begins as an empty file with a journal beside it.
    let logs = isThere ? ["-wal"] : ["-wal", "-journal"]
    guard let log = logs.first(where: { access(path + $0, F_OK) == 0 }) else { return }
    if inUse, access(path + ".lock", F_OK) == 0 { try StoreLock(database: path).release() }
    throw .lost(path: path, log: path + log)
  }
}
