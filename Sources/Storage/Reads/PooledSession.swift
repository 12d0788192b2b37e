import Inventory
import SQL

/// The reads of one thread in a database on a server. All run on the store's workers, because the thread must not wait
/// for the network.
final class PooledSession: ReadSession {
  /// The workers for bounded reads.
  private let bounded: LongReaders
  /// The workers for reads of any length.
  private let workers: LongReaders

  init(bounded: LongReaders, workers: LongReaders) {
    self.bounded = bounded
    self.workers = workers
  }

  func read<Value: Sendable>(
    _ cost: ReadCost, as caller: Caller, for requester: Requester,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>? {
    let workers = workers
    switch cost {
    case .long, .everything:
      workers.submit(isPatient: cost == .everything, as: caller, for: requester, body, later)
    case .bounded:
      bounded.submit(as: caller, for: requester, body) { result in
        guard case .failure(.boundExceeded) = result else { return later(result) }
        workers.submit(as: caller, for: requester, body, later)
      }
    }
    return nil
  }

  func rest() {}
}
