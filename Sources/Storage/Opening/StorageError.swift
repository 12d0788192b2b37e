import Glibc
import Inventory
import SQL

/// An error of this target. It becomes an `InventoryError` at the target's edge.
enum StorageError: Error {
  /// A rule of the application forbids the command. The store is unchanged.
  case refused(InventoryError)
  case database(DatabaseError)
  /// The file violates an invariant of the store.
  case broken(String)
  /// A dry run succeeded. Throwing this rolls back its changes.
  case dryRunSucceeded(Outcome)
}

extension StorageError: DatabaseErrorWrapping {
  init(database error: DatabaseError) { self = .database(error) }
}

extension StorageError {
  /// The refusal of one line of a transfer or a table.
  static func conflict(
    _ reason: LineConflict.Reason, line: Int, _ id: RowID
  ) -> StorageError {
    .refused(.lineConflicts([LineConflict(line: line, id: id, reason: reason)]))
  }

  /// The error for callers of the store.
  var inventoryError: InventoryError {
    switch self {
    case .refused(let error): error
    case .database(let error) where error.isFull: .storageFull
    case .database(let error) where error.isInterrupted: .deadlineExceeded
    // Another transaction holds a lock for too long.
    case .database(let error) where error.isBusy && !error.sqlState.isEmpty: .overloaded
    case .database(let error):
      switch StorageFailure(error) {
      case .unavailable(let cause): .storeUnavailable(cause)
      case .failed(let cause): .storageFailed(cause)
      case .damaged(let cause): .storageDamaged(cause)
      case .outOfDescriptors(let cause): .outOfDescriptors(cause)
      }
    case .broken(let what): .storageDamaged(what)
    case .dryRunSucceeded: .storageFailed("a dry run was reported as a failure")
    }
  }
}

/// The cause of a failed read or write in the database or its file, for the log.
package enum StorageFailure: Sendable {
  case failed(cause: String)
  /// The file holds wrong data.
  case damaged(cause: String)
  /// The database server cannot be reached, or another program has locked the file.
  case unavailable(cause: String)
  /// The process has no file descriptor left.
  case outOfDescriptors(cause: String)

  init(_ error: DatabaseError) {
    guard !error.isUnavailable, !error.isBusy else {
      self = .unavailable(cause: error.description)
      return
    }
    self =
      Damage(error) != nil
      ? .damaged(cause: error.description)
      : error.isOutOfDescriptors
        ? .outOfDescriptors(cause: FileDescriptors.complaint(error.description))
        : .failed(cause: error.description)
  }

  package var cause: String {
    switch self {
    case .failed(let cause), .damaged(let cause), .outOfDescriptors(let cause),
      .unavailable(let cause):
      cause
    }
  }
}

extension InventoryError {
  /// The storage failure behind this error; nil for other errors.
  var storageFailure: StorageFailure? {
    switch self {
    case .storageFailed(let cause): .failed(cause: cause)
    case .storageDamaged(let cause): .damaged(cause: cause)
    case .outOfDescriptors(let cause): .outOfDescriptors(cause: cause)
    case .storeUnavailable(let cause): .unavailable(cause: cause)
    default: nil
    }
  }
}

/// The file descriptors of this process.
enum FileDescriptors {
  /// Whether an error code says that no descriptor is left, in this process or in the whole system.
  static func areMissing(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

  /// Whether no file can be opened now. SQLite does not report why it could not open one.
  static var areUsedUp: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return areMissing(errno)
  }

  /// The message for the operator: the failed action and the remedy.
  static func complaint(_ action: String) -> String {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return "\(action): no file descriptor is left, of \(limit.rlim_cur) (RLIMIT_NOFILE). "
      + "Raise it (ulimit -n), or lower --connections."
  }
}

extension DatabaseError {
  /// Whether a file could not be opened because no descriptor is left. Ask right after the error.
  var isOutOfDescriptors: Bool { isCannotOpen && FileDescriptors.areUsedUp }
}
