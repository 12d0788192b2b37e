import Inventory

extension SQLiteStore: RewindableStore {
  package func rewind(
    _ step: RewindStep, completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    push(.rewind(step)) { result in completion(result.map { _ in }) }
  }
}
