import FoundationEssentials
import Inventory
import SQLite

extension SQLiteStore {
  /// Answers a repeated write with its first answer. Otherwise calls `next`.
  func recall(
    _ context: WriteContext,
    _ completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void,
    otherwise next: @escaping @Sendable () -> Void
  ) {
    guard context.retry != nil else { return next() }
    pushCommand(.recall, context) { result in
      switch result {
      case .success(let outcome) where outcome.kept?.isReplayed != true: next()
      default: completion(result)
      }
    }
  }

  /// Plans a bulk command on a reader.
  func plan(
    _ command: BulkCommand, _ context: WriteContext,
    completion: @escaping @Sendable (Result<BulkPlan, InventoryError>) -> Void
  ) {
    let (shape, rows, now) = (shape, rowsAtOnce, now)
    planners.submit(
      isPatient: true, as: context.caller,
      for: Requester(turn: context.caller.token.map { .token($0) }),
      { (snapshot) throws(InventoryError) in
        guard let snapshot = snapshot as? SQLiteSnapshot else {
          throw .storageFailed("a snapshot of another store")
        }
        return try snapshot.reading { () throws(StorageError) in
          let change = try Change(
            context, in: snapshot.db, shape: shape, now: Timestamp(now()), isWriting: false)
          return try BulkPlan(command, rowsAtOnce: rows, change)
        }
      }, completion)
  }

  /// Stages the next records of a bulk command's tree.
  func stage(
    _ records: [NumberedRecord], of id: ImportID, into list: ListReference,
    _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    let (shape, now) = (shape, now)
    perform(for: context.caller, isOptional: false, completion) { (db, _) throws(StorageError) in
      try TokenTable(db: db).requireGrant(of: context.caller)
      let change = try Change(context, in: db, shape: shape, now: Timestamp(now()))
      try CommandRunner(change).stageNew(records, of: id, into: list)
      return records.reduce(0) { $0 + $1.record.textSize }
    }
  }
}
