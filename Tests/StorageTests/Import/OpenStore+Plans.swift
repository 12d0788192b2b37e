import Inventory
@testable import Storage
import Support
import Testing

extension OpenStore {
  /// The result of a merge or a table whose plan was made before another change.
  func write(
    _ command: Command, plannedBefore change: () throws -> Void
  ) throws -> Result<Outcome, InventoryError> {
    let context = WriteContext(caller: .local, requestID: "test")
    let planned = Awaited<Result<BulkPlan, InventoryError>>()
    store.plan(try #require(BulkCommand(command)), context) { planned.fulfill($0) }
    let plan = try planned.value.get()
    try change()
    let made = Awaited<Result<Outcome, InventoryError>>()
    store.push(.bulk(plan.change, context), isOptional: false) {
      made.fulfill(DatabaseStore.outcome($0))
    }
    return made.value
  }
}
