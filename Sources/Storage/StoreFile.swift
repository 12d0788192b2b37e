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
      self.path = path
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
    self.path = path
    isTemporary = false
  }

  func remove() {
    guard isTemporary else { return }
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
    rmdir(String(path.dropLast("/rowhouse.sqlite".count)))
  }

  /// The one connection that writes and checkpoints.
  func openWriter() throws(StoreOpeningError) -> Connection {
    do throws(SQLiteError) {
      let db = try Connection(path: path, mode: .readWriteCreate)
      try db.configure(.defensive, true)
      try db.configure(.trustedSchema, false)
      return db
    } catch { throw .wrapping(error, path: path) }
  }

  /// What may be set only once the file is known to be ours, since it writes.
  func prepareWriter(_ db: Connection, sizeLimit: Int?) throws(StoreOpeningError) {
    do throws(SQLiteError) {
      try db.execute(
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = \(isTemporary ? "OFF" : "FULL");
        PRAGMA foreign_keys = ON;
        PRAGMA mmap_size = 0;
        PRAGMA secure_delete = OFF;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 1000;
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
