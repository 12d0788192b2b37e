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
    planners.submit(
      isPatient: true, as: context.caller,
      for: Requester(turn: context.caller.token.map { .token($0) }),
      { [self] (snapshot) throws(InventoryError) in
        try snapshot.reading { () throws(StorageError) in
          let change = try change(context, in: snapshot.db, isWriting: false)
          return try BulkPlan(command, rowsAtOnce: configuration.rowsAtOnce, change)
        }
      }, completion)
  }

  /// Stages the next records of a bulk command's tree.
  func stage(
    _ records: [NumberedRecord], of id: ImportID, into list: ListReference,
    _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    perform(for: context.caller, isOptional: false, completion) {
      [self] (db) throws(StorageError) in
      try TokenTable(db: db).requireGrant(of: context.caller)
      try CommandRunner(change(context, in: db)).stageNew(records, of: id, into: list)
      return records.reduce(0) { $0 + $1.record.textSize }
    }
  }
}
