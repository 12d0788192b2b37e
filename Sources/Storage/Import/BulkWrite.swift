import Inventory
import Synchronization

/// A bulk command in progress: a reader plans it, new rows are staged in pieces, and one short change puts all in
/// place. Each write is bounded in rows and in bytes of text.
///
/// It keeps itself alive until it has answered.
final class BulkWrite: Sendable {
  typealias Completion = @Sendable (Result<Outcome, InventoryError>) -> Void

  private let store: SQLiteStore
  private let command: BulkCommand
  private let context: WriteContext
  private let completion: Completion

  /// The maximum number of plans. A new one is needed if the list has changed meanwhile.
  private static let attempts = 8
  /// The limits of one piece.
  private static let rowsInOnePiece = 200
  private static let textInOnePiece = 64 << 10

  init(
    _ command: BulkCommand, _ context: WriteContext, _ store: SQLiteStore,
    completion: @escaping Completion
  ) {
    self.command = command
    self.context = context
    self.store = store
    self.completion = completion
  }

  func start() {
    // A repeated write gets the first answer, whatever has happened to its list since.
    store.recall(context, completion) { [self] in plan(attempt: 1) }
  }

  private func plan(attempt: Int) {
    store.plan(command, context) { [self] result in
      switch store.released(result, to: context.caller) {
      case .failure(let error):
        // The refusal may be due to an earlier attempt of the same write, which has succeeded meanwhile.
        store.recall(context, completion) { [self] in completion(.failure(error)) }
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
    store.stage(piece, of: id, into: change.list, context) { [self] result in
      switch result {
      case .failure(let error): end(.failure(error), of: change)
      case .success: stage(pieces.dropFirst(), of: id, change, attempt: attempt)
      }
    }
  }

  private func finish(_ change: BulkChange, attempt: Int) {
    // Its staged pieces were accepted, so a full queue does not refuse the change.
    store.push(.bulk(change, context), isOptional: false) { [self] result in
      let outcome = SQLiteStore.outcome(result)
      guard case .failure(.boundExceeded) = outcome else { return end(outcome, of: change) }
      guard attempt < Self.attempts else { return end(.failure(.contended), of: change) }
      // Abandon first, because staged rows hold their ids.
      abandon(change) { [self] in plan(attempt: attempt + 1) }
    }
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

extension BulkPlan {
  /// The answer to a dry run.
  fileprivate var outcome: Outcome {
    Outcome(
      receipt: Receipt(revision: isChanged ? revision.next : revision, isChanged: isChanged),
      counts: counts)
  }
}

extension BulkChange {
  /// The list that the command names.
  var list: ListReference {
    switch edits {
    case .records(_, let list), .rooms(_, let list, _), .items(_, let list, _): list
    }
  }
}
