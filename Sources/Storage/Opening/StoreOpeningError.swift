import Glibc
import Inventory
import SQL
import Threads

/// The reason why a database cannot be opened. The file is unchanged, except for migrations that succeeded.
package enum StoreOpeningError: Error, Sendable {
  /// Another process has the database open; `process` is its id, if it could be read.
  case inUse(path: String, process: Int32?)
  /// The file has several names, and each would have its own log and lock. `other` is one in the same folder, if any.
  case hardLinked(path: String, other: String?)
  case migration(MigrationError)
  case damaged(path: String, Damage)
  case database(path: String, DatabaseError)
  case system(action: String, code: Int32)
  case missing(path: String)
  case folder(path: String)
  /// The path leads to a device, a pipe or a socket.
  case notAFile(path: String)
  /// The file is missing or empty, but its log is left.
  case lost(path: String, log: String)
  /// This machine's SQLite library is older than the oldest supported one.
  case oldSQLite(String)
  /// The path is that of a file that belongs to another database, such as its WAL.
  case partOfDatabase(path: String)
  /// A file that rowhouse did not create has the name of the lock file.
  case foreignLock(path: String)
  /// The file system cannot share memory between connections, which WAL needs.
  case noWAL(path: String)
  /// The database is on a server, and the operation needs a file, or this build has no PostgreSQL.
  case onServer
  /// The database is a file, and the operation needs one on a server.
  case notOnServer
  /// A copy needs a new or empty target.
  case notEmpty(path: String)
  /// A copy is made between a file and a server's database.
  case notFileAndServer
  /// The schema is older than this build's; `due` is the number of pending migrations.
  case outdated(path: String, due: Int)
}

/// Evidence that a file holds wrong data. A disk that is full or fails is no such evidence, so no other error can be
/// reported as damage, with the advice to restore a backup.
package struct Damage: Sendable, CustomStringConvertible {
  package let description: String

  /// Nil unless the error shows that the file holds wrong data.
  init?(_ error: DatabaseError) {
    // Commands satisfy every constraint of the schema. If one fails, the file has a row that should not exist.
    guard error.isCorrupt || error.isNotADatabase || error.isConstraint else { return nil }
    description = error.message
  }

  /// - Parameter rule: the invariant that the file violates.
  fileprivate init(broken rule: String) { description = rule }
}

extension StoreOpeningError: CustomStringConvertible {
  /// Sentences for the operator.
  package var description: String {
    switch self {
    case .inUse(let path, let process):
      "\(path) is in use by another rowhouse"
        + (process.map { " (process \($0))" } ?? "") + ". Stop it first."
    case .hardLinked(let path, let other):
      "\(path) has another name too, " + (other.map { "\($0) " } ?? "")
        + "(a hard link). SQLite would keep "
        + "a separate log for each name, and changes would be lost. "
        + Remedy.forHardLink(path, other)
    case .migration(.notADatabase(let path)):
      MigrationError.notADatabase(path: path).description
        + " If it is your database, it is damaged. " + Remedy.bringBack(path)
    case .migration(let error): error.description
    case .onServer: Remedy.forServer
    case .notOnServer: "This is for a PostgreSQL database. Restore a file with: rowhouse restore"
    case .notEmpty(let path): "\(path) exists and is not empty. Name a new or empty database."
    case .notFileAndServer:
      "A copy is made from a file to a PostgreSQL database, or back. Copy a file with: rowhouse backup"
    case .damaged(let path, let what):
      "\(path) is damaged: \(what). The file is unchanged. " + Remedy.forDamage(path)
    case .database(let path, let error):
      "\(path) cannot be opened: \(error.isFull ? "the disk is full" : error.message)."
    case .partOfDatabase(let path):
      "\(path) belongs to a Rowhouse database. Name another file."
    case .foreignLock(let path):
      "\(path).lock is not a lock file of Rowhouse. Choose another name for the database, or move "
        + "that file away."
    case .noWAL(let path):
      "\(path) is on a file system without the shared memory that SQLite needs. "
        + "Put the database on a local disk."
    case .oldSQLite(let version):
      "SQLite \(version) is too old. Install SQLite 3.40 or newer."
    case .missing(let path): "\(path) does not exist."
    case .folder(let path):
      "\(path) is a folder. Name a database file, such as \(path)/rowhouse.sqlite."
    case .notAFile(let path): "\(path) is not a regular file. Name a database file."
    case .lost(let path, let log):
      "\(path) is missing or empty, but its log \(log) exists. No file was changed. Move the log "
        + "away to start with an empty database, or restore a backup: "
        + Remedy.restore(path)
    case .outdated(let path, let due):
      "\(path) has an older schema, \(due) migrations behind. Run rowhouse migrate first."
    case .system(let action, let code): "Cannot \(action): \(String(cString: strerror(code)))."
    }
  }

  static func wrapping(_ error: DatabaseError, path: String) -> StoreOpeningError {
    Damage(error).map { .damaged(path: path, $0) } ?? .database(path: path, error)
  }

  static func wrapping(_ error: StorageError, path: String) -> StoreOpeningError {
    switch error {
    case .database(let cause): wrapping(cause, path: path)
    case .broken(let what): .damaged(path: path, Damage(broken: what))
    // Only commands are refused, and opening a store runs none.
    case .refused, .dryRunSucceeded:
      .database(
        path: path, DatabaseError(extendedCode: 1, message: "\(error)", context: "open the store"))
    }
  }

  /// The error for callers of the store if their reader cannot be opened.
  var inventoryError: InventoryError {
    switch self {
    case .database(_, let error) where error.isOutOfDescriptors:
      .outOfDescriptors(FileDescriptors.complaint(description))
    case .system(_, let code) where FileDescriptors.areMissing(code):
      .outOfDescriptors(FileDescriptors.complaint(description))
    default: .storageFailed(description)
    }
  }

  static func opening(_ error: MigrationError, path: String) -> StoreOpeningError {
    switch error {
    case .database(let cause): .wrapping(cause, path: path)
    case .failed(_, _, let cause) where cause.isCorrupt: .wrapping(cause, path: path)
    default: .migration(error)
    }
  }
}

extension WorkerThread {
  /// Starts a thread for a store that is being opened.
  init(
    inStore priority: Priority, _ run: @escaping @Sendable () -> Void
  ) throws(StoreOpeningError) {
    do throws(Failure) {
      try self.init(priority, run)
    } catch { throw .system(action: "start a thread", code: error.errno) }
  }

  /// Starts a thread for a store that is being opened, and hands a connection over to it. The caller must not use the
  /// connection afterwards.
  init(
    inStore priority: Priority, using db: Connection,
    _ run: @escaping @Sendable (Connection) -> Void
  ) throws(StoreOpeningError) {
    // Safe because only the new thread uses it from here on.
    nonisolated(unsafe) let db = db
    try self.init(inStore: priority) { run(db) }
  }
}
