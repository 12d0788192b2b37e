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

  /// `:memory:` names a private file in /dev/shm or TMPDIR: SQLite's own memory databases have no
  /// WAL, and readers would lock the writer out.
  init(path: String) throws(StoreOpeningError) {
    guard path == ":memory:" else {
      self.path = Self.real(path)
      isTemporary = false
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
    guard access(path, F_OK) == 0 else { throw .missing(path: path) }
    self.path = Self.real(path)
    isTemporary = false
  }

  /// The path without links in it: the lock and the WAL stand beside the file itself, by whatever
  /// name it is opened.
  private static func real(_ path: String) -> String {
    func resolved(_ path: String) -> String? {
      guard let text = realpath(path, nil) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
    if let real = resolved(path) { return real }
    // The file is yet to be made, its folder is there.
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    guard let real = resolved(folder) else { return path }
    return real + (real.hasSuffix("/") ? "" : "/") + name
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
    if descriptor >= 0 { close(descriptor) }
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

  /// What may be set only once the file is known to be ours, since it writes.
  func prepareWriter(_ db: Connection, sizeLimit: Int?) throws(StoreOpeningError) {
    let mode: String?
    do throws(SQLiteError) {
      mode = try db.prepare("PRAGMA journal_mode = WAL").first { $0.string(0) }
    } catch { throw .wrapping(error, path: path) }
    // Where WAL cannot be had, SQLite says so by this answer alone, and readers would block the writer.
    guard mode == "wal" else { throw .noWAL(path: path) }
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

  func openReader() throws(StoreOpeningError) -> Connection {
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
        PRAGMA cache_size = -16384;
        """)
      return db
    } catch { throw .wrapping(error, path: path) }
  }
}
