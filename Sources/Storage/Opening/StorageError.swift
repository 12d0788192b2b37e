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
