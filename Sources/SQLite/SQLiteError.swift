import CSQLite
import Glibc

/// A result of SQLite's that is not success: https://www.sqlite.org/rescode.html
package struct SQLiteError: Error, Sendable, Equatable {
  /// The low eight bits of `extendedCode`.
  package var code: Int32 { extendedCode & 0xff }
  package let extendedCode: Int32
  /// What SQLite says of it, in English, for logs.
  package let message: String
  /// The SQL or the action that failed.
  package let context: String
  /// The `errno` behind a failed read, write or sync; 0 if it is not known:
  /// https://www.sqlite.org/c3ref/system_errno.html
  let systemError: Int32

  package init(
    extendedCode: Int32, message: String, context: String, systemError: Int32 = 0
  ) {
    self.extendedCode = extendedCode
    self.message = message
    self.context = context
    self.systemError = systemError
  }

  /// The text is SQLite's own for the code.
  init(extendedCode: Int32, context: String) {
    self.init(
      extendedCode: extendedCode, message: String(cString: sqlite3_errstr(extendedCode)),
      context: context)
  }

  /// Takes what the connection remembers of its last failed call, so make it before the next call:
  /// https://www.sqlite.org/c3ref/errcode.html
  init(connection: OpaquePointer?, code: Int32, context: String) {
    // The remembered code is another's when the failed call does not record one.
    guard let connection, sqlite3_errcode(connection) & 0xff == code & 0xff else {
      self.init(extendedCode: code, context: context)
      return
    }
    self.init(
      extendedCode: sqlite3_extended_errcode(connection),
      message: String(cString: sqlite3_errmsg(connection)), context: context,
      systemError: sqlite3_system_errno(connection))
  }
}

extension SQLiteError {
  /// The disk, the file's permitted size, or the user's share of the disk is used up. SQLite takes the last for any
  /// other failed write.
  package var isFull: Bool {
    code == SQLITE_FULL || (isWriteError && systemError == EDQUOT)
  }
  package var isIOError: Bool { code == SQLITE_IOERR }
  /// A write failed, as opposed to a read or to making it durable.
  package var isWriteError: Bool { extendedCode == SQLITE_IOERR | (3 << 8) }
  /// Making a file, or its name, durable failed: what the system had not written yet may be lost, and no later
  /// sync tells of it.
  package var isSyncError: Bool {
    extendedCode == SQLITE_IOERR | (4 << 8) || extendedCode == SQLITE_IOERR | (5 << 8)
  }
  package var isCorrupt: Bool { code == SQLITE_CORRUPT }
  /// A row breaks a constraint of the schema.
  package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
  package var isNotADatabase: Bool { code == SQLITE_NOTADB }
  package var isBusy: Bool { code == SQLITE_BUSY }
  /// The progress check stopped the statement.
  package var isInterrupted: Bool { code == SQLITE_INTERRUPT }
  package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  package var isMisuse: Bool { code == SQLITE_MISUSE }
  /// The transaction had been rolled back before its end.
  package var isRolledBack: Bool { extendedCode == SQLITE_ABORT | (2 << 8) }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    "\(message) (SQLite code \(extendedCode)) in: \(context)"
  }
}

/// An error of another layer that can carry one of SQLite's, so that bodies which throw it need no
/// conversion at each call.
package protocol SQLiteErrorWrapping: Error {
  init(sqlite error: SQLiteError)
}

extension SQLiteError: SQLiteErrorWrapping {
  package init(sqlite error: SQLiteError) { self = error }
}
