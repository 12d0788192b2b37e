import Inventory
import SQL

/// The reads of one thread: bounded ones run at once on its own connection, long ones on the store's workers.
///
/// One read transaction serves all reads up to `rest`, unless the writer commits in between.
final class DirectSession: ReadSession {
  private let db: Connection
  private let published: CommitCounter
  private let workers: LongReaders
  /// The value of `DatabaseSnapshot.bound` for reads on this connection.
  private let bound: Int
  private let onStorageFailure: @Sendable (StorageFailure) -> Void
  /// The oldest state that the open transaction may have; nil if none is open.
  private var seen: UInt64?
  private let lists = ListCache()
  /// The snapshot of the last read, for the next one of the same caller.
  private var last: DatabaseSnapshot?

  init(
    _ db: Connection, published: CommitCounter, workers: LongReaders, bound: Int,
    onStorageFailure: @escaping @Sendable (StorageFailure) -> Void
  ) {
    self.db = db
    self.published = published
    self.workers = workers
    self.bound = bound
    self.onStorageFailure = onStorageFailure
  }

  func read<Value: Sendable>(
    _ cost: ReadCost, as caller: Caller, for requester: Requester,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>? {
    switch cost {
    case .bounded: break
    case .long, .everything:
      workers.submit(isPatient: cost == .everything, as: caller, for: requester, body, later)
      return nil
    }
    do throws(InventoryError) {
      try refresh()
      return .success(try body(snapshot(for: caller)))
    } catch {
      if case .boundExceeded = error {
        workers.submit(as: caller, for: requester, body, later)
        return nil
      }
      if let failure = error.storageFailure { onStorageFailure(failure) }
      // After an I/O error SQLite may have rolled back by itself, and the next read needs a new snapshot.
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
    try db.takeSnapshot()
    seen = count
    let isExact = count.isMultiple(of: 2) && published.value == count
    lists.turn(to: isExact ? count : nil)
  }

  private func snapshot(for caller: Caller) -> DatabaseSnapshot {
    if let last, last.caller == caller {
      last.renew()
      return last
    }
    let snapshot = DatabaseSnapshot(caller, in: db, bound: bound, lists: lists)
    last = snapshot
    return snapshot
  }
}

extension Connection {
  /// Begins a transaction that shows the present state to a caller. Throws `tokenRevoked` or `tokenMissing` if the
  /// caller's token has been revoked or has expired, or a token is needed now. Only checked on a shared database.
  ///
  /// - Parameter reads: what earlier transactions on this connection have found out.
  func takeSnapshot(
    for caller: Caller, now: Timestamp, with reads: ServerReads = ServerReads()
  ) throws(InventoryError) {
    guard let counters = try takeSnapshot() else { return }
    reads.turn(to: counters, in: sessionNumber)
    do throws(StorageError) { try reads.requireGrant(of: caller, now: now, in: self) } catch {
      rollback()
      throw error.inventoryError
    }
  }

  /// Begins a transaction that shows the present state. Returns the counters of a shared database.
  @discardableResult
  func takeSnapshot() throws(InventoryError) -> SharedCounters? {
    let version = tree?.tree.version
    do throws(DatabaseError) {
      try begin(.deferred)
      guard engine == .sqlite else {
        let counters = try SharedCounters.read(in: self)
        tree?.version = UInt64(counters.tree)
        return counters
      }
      // The first read of a deferred transaction takes its snapshot.
      _ = try statement("SELECT key FROM inventory LIMIT 1").first { $0.int64(0) }
    } catch {
      rollback()
      throw StorageError.database(error).inventoryError
    }
    tree?.see(version)
    return nil
  }
}
