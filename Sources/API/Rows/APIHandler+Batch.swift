import HTTP
import Inventory

extension APIHandler {
  /// `POST /v1/lists/{listId}/batch`
  func batch(in list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isRecursive = query.flag("recursive", default: false)
    let members = Members(try exchange.body(), known: Batch.members, faults)
    let batch = Batch(members, isRecursive: isRecursive, faults)
    try faults.check()
    guard batch.count <= Limits.operationsInBatch else {
      throw Problem(.tooManyRows(limit: Limits.operationsInBatch))
    }
    return try write(
      .batch(list, batch),
      demandsIfMatch: batch.trustsIndices && configuration.requiresPreconditions, exchange)
  }
}
