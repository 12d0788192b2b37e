import Inventory
import SQLite

/// What is wrong where a store can't do what it should, for the log.
package enum StoreFault: Sendable {
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
  /// Nil where the store is as it should be.
  var fault: StoreFault? {
    switch self {
    case .storageFailed(let cause): .failed(cause: cause)
    case .storageDamaged(let cause): .damaged(cause: cause)
    case .outOfDescriptors(let cause): .outOfDescriptors(cause: cause)
    default: nil
    }
  }
}
