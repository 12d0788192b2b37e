import Inventory
import Synchronization

/// A bulk command in progress: a reader plans it, new rows are staged in pieces, and one short change puts all in
/// place. Each write is bounded in rows and in bytes of text.
struct BulkWrite: Sendable {
  let store: DatabaseStore
  let command: BulkCommand
  let context: WriteContext
  let completion: @Sendable (Result<Outcome, InventoryError>) -> Void

  /// The maximum number of plans. A new one is needed if what the plan is based on has changed meanwhile.
  private static let attempts = 8
  /// The limits of one piece.
  private static let rowsInOnePiece = 50
  private static let textInOnePiece = 16 << 10

  func start() {
    // A repeated write gets the first answer, whatever has happened to its list since.
    store.recall(context, completion) { plan(attempt: 1) }
  }

  private func plan(attempt: Int) {
    store.plan(command, context) { result in
      switch store.released(result, to: context.caller) {
      case .failure(let error):
        // The refusal may be due to an earlier attempt of the same write, which has succeeded meanwhile.
        store.recall(context, completion) { completion(.failure(error)) }
      case .success(let plan) where context.isDryRun: completion(.success(plan.outcome))
      case .success(let plan): stage(plan, attempt: attempt)
      }
    }
  }

  private func stage(_ plan: BulkPlan, attempt: Int) {
    guard !plan.tree.isEmpty else { return finish(plan.change, attempt: attempt) }
    let id = ImportID(.version7())
    var change = plan.change
    change.staging = id
    stage(Self.pieces(plan.tree)[...], of: id, change, attempt: attempt)
  }

  private func stage(
    _ pieces: ArraySlice<[NumberedRecord]>, of id: ImportID, _ change: BulkChange, attempt: Int
  ) {
    guard let piece = pieces.first else { return finish(change, attempt: attempt) }
    let checked = CheckedRevision()
    store.perform(for: context.caller, isOptional: false) { result in
      switch result {
      case .failure(.boundExceeded): planAgain(change, attempt: attempt)
      case .failure(let error): end(.failure(error), of: change)
      case .success:
        var change = change
        change.basis.revision = checked.value ?? change.basis.revision
        stage(pieces.dropFirst(), of: id, change, attempt: attempt)
      }
    } _: { (db) throws(StorageError) in
      try TokenTable(db: db).requireGrant(
        of: context.caller, now: Timestamp(store.configuration.now()))
      let writing = try store.change(context, in: db)
      // Before each piece, so that never much of the log must be read at once.
      try change.basis.requireCurrent(writing.access)
      checked.value = writing.access.revision
      try CommandRunner(writing).stageNew(piece, of: id, into: change.list)
      return piece.reduce(0) { $0 + $1.record.textSize }
    }
  }

  private func finish(_ change: BulkChange, attempt: Int) {
    // Its staged pieces were accepted, so a full queue does not refuse the change.
    store.push(.bulk(change, context), isOptional: false) { result in
      let outcome = DatabaseStore.outcome(result)
      guard case .failure(.boundExceeded) = outcome else { return end(outcome, of: change) }
      planAgain(change, attempt: attempt)
    }
  }

  private func planAgain(_ change: BulkChange, attempt: Int) {
    guard attempt < Self.attempts else { return end(.failure(.contended), of: change) }
    // Abandon first, because staged rows hold their ids.
    abandon(change) { plan(attempt: attempt + 1) }
  }

  private func end(_ result: Result<Outcome, InventoryError>, of change: BulkChange) {
    switch result {
    case .success(let outcome) where outcome.kept?.isReplayed != true: break
    default: abandon(change) {}
    }
    completion(result)
  }

  private func abandon(_ change: BulkChange, then next: @escaping @Sendable () -> Void) {
    guard let id = change.staging else { return next() }
    store.push(.command(.abandonImport(id), bare), isOptional: false) { _ in next() }
  }

  private var bare: WriteContext {
    WriteContext(caller: context.caller, requestID: context.requestID)
  }

  private static func pieces(_ records: [NumberedRecord]) -> [[NumberedRecord]] {
    var pieces: [[NumberedRecord]] = []
    var piece: [NumberedRecord] = []
    var text = 0
    for record in records {
      piece.append(record)
      text += record.record.textSize
      guard piece.count == rowsInOnePiece || text >= textInOnePiece else { continue }
      pieces.append(piece)
      piece = []
      text = 0
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }
}

/// The revision up to which the writer has checked a plan, for the next piece.
private final class CheckedRevision: Sendable {
  private let revision = Mutex<Revision?>(nil)
  var value: Revision? {
    get { revision.withLock { $0 } }
    set { revision.withLock { $0 = newValue } }
  }
}

extension BulkPlan {
  /// The answer to a dry run.
  fileprivate var outcome: Outcome {
    let revision = change.basis.revision
    return Outcome(
      receipt: Receipt(revision: isChanged ? revision.next : revision, isChanged: isChanged),
      counts: counts)
  }
}

extension DatabaseStore {
  /// Answers a repeated write with its first answer, or passes a refusal to `completion`. Otherwise calls `next`.
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
}
