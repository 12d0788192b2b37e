import Inventory
import SQL
import Synchronization

/// A command that reorders a long list, or undoes a change after which many others were made, without blocking the
/// writer for long.
///
/// A worker computes the order from one state. The writer writes it in pieces, invisible to readers. The command then
/// only switches the list to it. If the list's rows have changed meanwhile, all of this is repeated.
struct LongOrder: Sendable {
  let store: DatabaseStore
  let command: Command
  let context: WriteContext
  let completion: @Sendable (Result<Outcome, InventoryError>) -> Void

  /// The maximum number of waiting orders. Each may hold some megabytes of ids.
  private static let mostWaiting = 32
  private static let attempts = 8

  static func takes(_ command: Command) -> Bool {
    switch command {
    case .reorder, .undo: true
    default: false
    }
  }

  func begin() { begin(attempt: 1) }

  /// Each attempt waits for its turn. Otherwise a list that changes all the time would hold up the other callers' orders
  /// for all attempts.
  private func begin(attempt: Int) {
    // One that was begun is not refused.
    let most = attempt == 1 ? Self.mostWaiting : .max
    store.orders.acquire(for: context.caller.token, besides: most) {
      guard !context.isGone() else { return finish(.failure(.overloaded)) }
      prepare(attempt: attempt)
    } orRefuse: {
      completion(.failure(.overloaded))
    }
  }

  private func finish(_ result: Result<Outcome, InventoryError>) {
    completion(result)
    store.orders.release(of: context.caller.token)
  }

  private func prepare(attempt: Int) {
    store.planners.submit(
      isPatient: true, as: context.caller,
      for: Requester(turn: context.caller.token.map { .token($0) }, isGone: context.isGone)
    ) { (snapshot) throws(InventoryError) in
      try snapshot.reading { () throws(StorageError) in
        let change = try store.change(context, in: snapshot.db, isWriting: false)
        return try CommandRunner(change).prepare(
          command, orderBound: store.configuration.orderBound)
      }
    } _: { result in
      switch store.released(result, to: context.caller) {
      case .failure(let error):
        // The refusal may be due to an earlier attempt of the same write, which has succeeded meanwhile.
        store.recall(context) {
          finish($0)
        } otherwise: {
          finish(.failure(error))
        }
      case .success(.undo(let undo)): commit(.undo(undo), attempt: attempt)
      case .success(.order(let order)) where order.changesNothing || context.isDryRun:
        commit(.order(order), attempt: attempt)
      case .success(.order(let order)): arrange(order, attempt: attempt)
      }
    }
  }

  /// Writes the order, invisible to readers.
  private func arrange(_ order: PreparedOrder, attempt: Int) {
    let begun = Begun()
    store.perform(for: context.caller, isOptional: false) { result in
      if case .failure(let error) = result { return finish(.failure(error)) }
      var order = order
      order.arrangement = begun.arrangement
      guard order.arrangement != nil else { return prepareAgain(.order(order), attempt: attempt) }
      write(order, from: 0, attempt: attempt)
    } _: { (db) throws(StorageError) in
      begun.arrangement = try Arrangement.begin(
        of: order.list, rowCount: order.rows.count, shape: store.configuration.shape,
        isAlone: store.orders.isAlone, in: db)
      return 0
    }
  }

  private func write(_ order: PreparedOrder, from start: Int, attempt: Int) {
    guard let arrangement = order.arrangement, start < arrangement.entryCount else {
      return commit(.order(order), attempt: attempt)
    }
    let end = min(start + store.configuration.orderPiece, arrangement.entryCount)
    store.perform(for: context.caller, isOptional: false) { result in
      switch result {
      case .success: write(order, from: end, attempt: attempt)
      case .failure(.boundExceeded): prepareAgain(.order(order), attempt: attempt)
      case .failure(let error):
        abandon(.order(order))
        finish(.failure(error))
      }
    } _: { (db) throws(StorageError) in
      guard
        try arrangement.write(
          start..<end, rows: order.rows, byKey: order.indicesByKey, in: db)
      else { throw .refused(.boundExceeded) }
      return 32 * (end - start)
    }
  }

  private func commit(_ prepared: Prepared, attempt: Int) {
    store.push(.command(command, context, prepared), isOptional: false) { result in
      if case .failure(.boundExceeded) = result {
        return prepareAgain(prepared, attempt: attempt)
      }
      // Another write with the same key may have come first.
      abandon(prepared)
      finish(DatabaseStore.outcome(result))
    }
  }

  private func prepareAgain(_ prepared: Prepared, attempt: Int) {
    abandon(prepared)
    guard attempt < Self.attempts else { return finish(.failure(.contended)) }
    store.orders.release(of: context.caller.token)
    begin(attempt: attempt + 1)
  }

  /// Leaves the written entries to be deleted, unless the list uses them.
  private func abandon(_ prepared: Prepared) {
    guard case .order(let order) = prepared, let arrangement = order.arrangement else { return }
    store.perform(for: context.caller, isOptional: false) { _ in
    } _: { (db) throws(StorageError) in
      _ = try arrangement.end(in: db)
      return 0
    }
  }
}

/// The arrangement that the writer has begun, for the next steps.
private final class Begun: Sendable {
  private let value = Mutex<Arrangement?>(nil)
  var arrangement: Arrangement? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
