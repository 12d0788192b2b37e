import Inventory
import SQLite

/// Why something in this target did not go through; it becomes an `InventoryError` at the target's edge.
enum StorageError: Error {
  /// A rule of the application; the store is as it was.
  case refused(InventoryError)
  case sqlite(SQLiteError)
  /// The file breaks a rule that the store itself keeps.
  case broken(String)
  /// A rehearsed change went well, and is taken back by this.
  case rehearsed(Outcome)
}

extension StorageError: SQLiteErrorWrapping {
  init(sqlite error: SQLiteError) { self = .sqlite(error) }
}

extension StorageError {
  /// What a caller of the store is told.
  var inventoryError: InventoryError {
    switch self {
    case .refused(let error): error
    case .sqlite(let error) where error.isFull: .storageFull
    case .sqlite(let error) where error.isInterrupted: .deadlineExceeded
    case .sqlite(let error):
      switch StorageFailure(error) {
      case .failed(let cause): .storageFailed(cause)
      case .damaged(let cause): .storageDamaged(cause)
      case .outOfDescriptors(let cause): .outOfDescriptors(cause)
      }
    case .broken(let what): .storageDamaged(what)
    case .rehearsed: .storageFailed("a rehearsal was taken for a failure")
    }
  }
}

/// Why a read or a write failed in the database or its file, for the log.
package enum StorageFailure: Sendable {
  case failed(cause: String)
  /// The file holds what it should not.
  case damaged(cause: String)
  /// The process has no file descriptor left.
  case outOfDescriptors(cause: String)

  init(_ error: SQLiteError) {
    // Commands keep every constraint of the schema. One that fails met a row that should not be there.
    self =
      error.isCorrupt || error.isNotADatabase || error.isConstraint
      ? .damaged(cause: error.description)
      : error.isOutOfDescriptors
        ? .outOfDescriptors(cause: FileDescriptors.complaint(error.description))
        : .failed(cause: error.description)
  }

  package var cause: String {
    switch self {
    case .failed(let cause), .damaged(let cause), .outOfDescriptors(let cause): cause
    }
  }
}

extension InventoryError {
  /// Nil unless the store itself failed.
  var storageFailure: StorageFailure? {
    switch self {
    case .storageFailed(let cause): .failed(cause: cause)
    case .storageDamaged(let cause): .damaged(cause: cause)
    case .outOfDescriptors(let cause): .outOfDescriptors(cause: cause)
    default: nil
    }
  }
}
