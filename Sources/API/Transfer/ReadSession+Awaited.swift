import Inventory

extension ReadSession {
  /// A bounded read, for a thread that waits.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) -> Result<Value, InventoryError> {
    let outcome = Awaited<Value>()
    let result = read(.bounded, body, later: { outcome.give($0) }) ?? outcome.wait()
    rest()
    return result
  }
}
