import Inventory
import SQLite

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
