import Glibc
import SQL

/// The reason why a database was not copied, to a backup or from one. All files keep their content. A restore that
/// fails in its last step may leave the old database with a new name, or with two names.
package enum BackupError: Error, Sendable {
  /// The source or the copy cannot be opened, or belongs to another program.
  case opening(StoreOpeningError)
  /// The name of the copy is taken.
  case exists(path: String)
  /// The name is that of a folder or a device.
  case notAFile(path: String)
  /// The name is that of the database or of a file that belongs to it.
  case itself(path: String)
  /// The name is that of another Rowhouse database, or of a file that belongs to one.
  case database(path: String)
  /// A file left by another database would be taken for a part of the copy.
  case logLeft(path: String)
  /// The backup is missing or empty, and has a log beside it.
  case noBackup(path: String, log: String)
  case system(action: String, code: Int32)
  /// The database is on a server, which has its own tools for this.
  case onServer
  /// There is no room for the copy.
  case full(path: String)
  case copying(path: String, DatabaseError)
  /// The copy violates rules. Each finding is a sentence.
  case unsound(path: String, findings: [String])
  /// The WAL of the database at `path` has grown to more than `limit` bytes. It keeps all changes until the copy is
  /// done.
  case crowded(path: String, limit: Int)
  case cancelled
}

extension BackupError: CustomStringConvertible {
  /// Sentences for the operator.
  package var description: String {
    switch self {
    case .opening(let error): error.description
    case .exists(let path): "\(path) exists. Name another file, or add --force to replace it."
    case .notAFile(let path): "\(path) is not a regular file. Name a file."
    case .itself(let path): "\(path) is the database or belongs to it. Name another file."
    case .database(let path):
      "\(path) is a Rowhouse database or belongs to one. Name another file."
    case .logLeft(let path):
      "\(path) is left from another database. SQLite would read it as part of the copy. Move it away."
    case .noBackup(let path, let log):
      "\(path) is not a backup: it is missing or empty, and the log \(log) is beside it. "
        + "Nothing was changed. Name another backup."
    case .system(let action, let code): "Cannot \(action): \(String(cString: strerror(code)))."
    case .onServer:
      "The database is on a PostgreSQL server. Back it up with pg_dump, or archive its log: "
        + "https://www.postgresql.org/docs/15/backup.html"
    case .full(let path): "The disk has no room for \(path). Free some space, and try again."
    case .copying(let path, let error): "Copying to \(path) failed: \(error.message)."
    case .unsound(let path, let findings):
      "\(path) is damaged and was not copied: " + findings.prefix(5).joined(separator: "; ")
        + (findings.count > 5 ? "; and more. " : ". ") + "rowhouse check --db "
        + "\(path) shows all findings."
    case .crowded(let path, let limit):
      "The WAL of \(path) grew to more than \(limit) bytes during the copy. "
        + "Try again when there are fewer writes, or copy to a faster disk."
    case .cancelled: "The copy was cancelled."
    }
  }

  static func wrapping(_ error: DatabaseError, path: String) -> BackupError {
    error.isFull
      ? .full(path: path) : error.isInterrupted ? .cancelled : .copying(path: path, error)
  }
}
