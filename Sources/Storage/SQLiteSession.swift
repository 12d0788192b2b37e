import Inventory
import SQLite

/// One thread's reads: bounded ones at once on its own connection, long ones on the store's workers.
///
/// One read transaction serves all reads up to `rest`, unless the writer commits in between.
final class SQLiteSession: ReadSession {
  private let db: Connection
  private let published: CommitCounter
  private let workers: LongReaders
  private let onFault: @Sendable (String) -> Void
  /// The commits that the open transaction has seen at least; nil: none is open.
  private var seen: UInt64?

  init(
    _ db: Connection, published: CommitCounter, workers: LongReaders,
    onFault: @escaping @Sendable (String) -> Void
  ) {
    self.db = db
    self.published = published
    self.workers = workers
    self.onFault = onFault
  }

  func read<Value: Sendable>(
    _ cost: ReadCost,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>? {
    switch cost {
    case .bounded: break
    case .long, .everything:
      workers.submit(isPatient: cost == .everything, body, later)
      return nil
    }
    do throws(InventoryError) {
      try refresh()
      return .success(try body(SQLiteSnapshot(db: db)))
    } catch {
      if case .storageFailed(let cause) = error { onFault(cause) }
      // An I/O error has SQLite roll back by itself; what comes next must not read without a snapshot.
      if db.isAutocommit { seen = nil }
      return .failure(error)
    }
  }

  func rest() {
    guard seen != nil else { return }
    db.rollback()
    seen = nil
  }

  private func refresh() throws(InventoryError) {
    let count = published.value
    guard seen != count else { return }
    rest()
    do throws(SQLiteError) {
      try db.begin(.deferred)
    } catch { throw StorageError.sqlite(error).inventoryError }
    seen = count
  }
}
