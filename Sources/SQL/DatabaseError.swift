import CSQLite
import Glibc

/// A failed call of a database engine. The codes are those of SQLite (https://www.sqlite.org/rescode.html). An error of
/// PostgreSQL has the code that SQLite would report.
package struct DatabaseError: Error, Sendable, Equatable {
  /// The low eight bits of `extendedCode`.
  package var code: Int32 { extendedCode & 0xff }
  package let extendedCode: Int32
  /// The engine's own description, for logs.
  package let message: String
  /// The SQL or the action that failed.
  package let context: String
  /// PostgreSQL's code of the error; empty for SQLite.
  package let sqlState: String
  /// The `errno` of a failed read, write or sync; 0 if unknown: https://www.sqlite.org/c3ref/system_errno.html
  let systemError: Int32

  package init(
    extendedCode: Int32, message: String, context: String, systemError: Int32 = 0,
    sqlState: String = ""
  ) {
    self.sqlState = sqlState
    self.extendedCode = extendedCode
    self.message = message
    self.context = context
    self.systemError = systemError
  }

  /// Uses SQLite's own text for the code.
  init(extendedCode: Int32, context: String) {
    self.init(
      extendedCode: extendedCode, message: String(cString: sqlite3_errstr(extendedCode)),
      context: context)
  }

  /// Reads the details of the connection's last failed call, so create it before the next call:
  /// https://www.sqlite.org/c3ref/errcode.html
  init(connection: OpaquePointer?, code: Int32, context: String) {
    // If the failed call did not record a code, the recorded one belongs to an earlier call.
    guard let connection, sqlite3_errcode(connection) & 0xff == code & 0xff else {
      self.init(extendedCode: code, context: context)
      return
    }
    let extendedCode = sqlite3_extended_errcode(connection)
    let message = String(cString: sqlite3_errmsg(connection))
    let systemError = sqlite3_system_errno(connection)
    let isQuota = code & 0xff == SQLITE_IOERR && rowhouse_wal_error(connection) == EDQUOT
    self.init(
      extendedCode: extendedCode, message: message, context: context,
      systemError: isQuota ? EDQUOT : systemError)
  }
}

extension DatabaseError {
  /// Whether the disk, the file's permitted size, or the user's disk quota is used up. SQLite reports an exceeded quota
  /// as an ordinary failed write.
  package var isFull: Bool {
    code == SQLITE_FULL || (isWriteError && systemError == EDQUOT)
  }
  package var isIOError: Bool { code == SQLITE_IOERR }
  /// Whether a write failed, as opposed to a read or a sync.
  package var isWriteError: Bool { extendedCode == SQLITE_IOERR | (3 << 8) }
  /// Whether a sync of a file or its folder failed. Data not yet written may be lost, and no later sync reports it.
  package var isSyncError: Bool {
    extendedCode == SQLITE_IOERR | (4 << 8) || extendedCode == SQLITE_IOERR | (5 << 8)
  }
  /// Whether the database is damaged. FTS5 reports a damaged format of its own tables with the general code.
  package var isCorrupt: Bool {
    code == SQLITE_CORRUPT || message.hasPrefix("invalid fts5 file format")
  }
  /// Whether a row violates a constraint of the schema.
  package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
  package var isNotADatabase: Bool { code == SQLITE_NOTADB }
  package var isBusy: Bool { code == SQLITE_BUSY }
  /// Whether the progress check stopped the statement.
  package var isInterrupted: Bool { code == SQLITE_INTERRUPT }
  package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  /// Whether there is no connection to the server, or none that can write. It may be there again later.
  package var isUnavailable: Bool { code == Self.unavailable }
  /// SQLite's code for a broken locking protocol, which no other error here has.
  static let unavailable = SQLITE_PROTOCOL
  package var isMisuse: Bool { code == SQLITE_MISUSE }
  /// Whether the transaction had been rolled back before its end.
  package var isRolledBack: Bool { extendedCode == Self.rolledBack }
  private static let rolledBack = SQLITE_ABORT | (2 << 8)

  /// The same failure of a transaction that is known to be rolled back.
  package var ofRolledBackTransaction: DatabaseError {
    DatabaseError(
      extendedCode: Self.rolledBack, message: message, context: context, sqlState: sqlState)
  }
}

extension DatabaseError: CustomStringConvertible {
  /// The engine's own code, as in its documentation.
  var engineCode: String {
    sqlState.isEmpty ? "SQLite code \(extendedCode)" : "SQLSTATE \(sqlState)"
  }

  package var description: String {
    "\(message) (\(engineCode)) in: \(context)"
  }
}

/// An error type of another layer that can wrap a `DatabaseError`, so that bodies which throw it need no conversion at
/// each call.
package protocol DatabaseErrorWrapping: Error {
  init(database error: DatabaseError)
}

extension DatabaseError: DatabaseErrorWrapping {
  package init(database error: DatabaseError) { self = error }
}
