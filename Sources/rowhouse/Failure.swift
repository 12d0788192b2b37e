import Glibc
import Server
import Storage

/// The reason why a command failed: a sentence for stderr, and the exit code.
struct Failure: Error {
  let code: ExitCode
  let message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: StoreOpeningError) {
    message = error.description
    code =
      switch error {
      case .inUse: .temporary
      case .missing, .lost: .noInput
      case .migration(.failed(_, _, let cause))
      where cause.isIOError || cause.isFull || cause.isCannotOpen:
        .inputOutput
      case .migration, .damaged, .outdated, .folder, .notAFile: .badData
      case .notFileAndServer, .onServer, .notOnServer: .usage
      case .notEmpty: .cannotCreate
      case .database(_, let cause) where cause.isUnavailable: .unavailable
      case .database(_, let cause): cause.isCannotOpen ? .cannotCreate : .inputOutput
      case .system, .noWAL, .hardLinked, .partOfDatabase, .foreignLock: .cannotCreate
      case .oldSQLite: .unavailable
      }
  }

  init(_ error: BackupError) {
    let code: ExitCode
    switch error {
    case .opening(let cause):
      self.init(cause)
      return
    case .unsound: code = .badData
    case .noBackup: code = .noInput
    case .system(_, EIO), .system(_, ENOSPC), .system(_, EDQUOT): code = .inputOutput
    case .exists, .notAFile, .itself, .database, .logLeft, .system: code = .cannotCreate
    case .onServer: code = .usage
    case .full, .copying: code = .inputOutput
    case .crowded, .cancelled: code = .temporary
    }
    self.init(code, error.description)
  }

  init(_ error: ServerError) {
    message = error.description
    code = .unavailable
  }
}
