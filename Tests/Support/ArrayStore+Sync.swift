import Inventory

extension ArrayState {
  struct SyncKey: Hashable {
    var owner: String
    var inventory: InventoryID
    var client: SyncClientID
  }

  struct SyncRecord {
    var last: Int64 = 0
    /// Of the client's last batch.
    var results: [Int64: (bytes: [UInt8], digest: [UInt8])] = [:]
  }

  /// Makes a write of an offline client once.
  mutating func once(
    _ step: SyncStep, _ command: Command, _ context: WriteContext, at now: Timestamp
  ) throws(InventoryError) -> Outcome {
    let key = SyncKey(
      owner: context.caller.owner, inventory: context.caller.inventory ?? inventoryID,
      client: step.client)
    var record = syncClients[key] ?? SyncRecord()
    var change = ArrayChange(of: self, context, at: now, doing: command.action)
    var outcome = Outcome(receipt: Receipt(revision: revision, isChanged: false))
    if let stored = record.results[step.number - 1], let previous = step.previous,
      stored.digest != previous
    {
      throw .sequenceGap(last: record.last)
    }
    guard step.number > record.last else {
      let stored = record.results[step.number]
      guard stored.map({ $0.digest == step.digest }) ?? true else {
        throw .sequenceGap(last: record.last)
      }
      outcome.kept = StoredResponse(
        bytes: stored?.bytes ?? step.encode(.repeated), isReplayed: true)
      return outcome
    }
    guard step.number == record.last + 1 else { throw .sequenceGap(last: record.last) }
    if syncClients[key] == nil {
      let others = syncClients.keys.count {
        $0.owner == key.owner && $0.inventory == key.inventory
      }
      guard others < Limits.syncClients else {
        throw .tooManySyncClients(limit: Limits.syncClients)
      }
    }
    let result: SyncResult
    do throws(InventoryError) {
      outcome = try change.run(command)
      self = change.state
      result = .done(outcome)
    } catch {
      guard !error.isTransient else { throw error }
      result = .refused(error)
    }
    let bytes = step.encode(result)
    record.last = step.number
    record.results = record.results.filter { $0.key >= step.first }
    if record.results.reduce(bytes.count, { $0 + $1.value.bytes.count }) <= Limits.syncResults {
      record.results[step.number] = (bytes, step.digest)
    }
    syncClients[key] = record
    outcome.kept = StoredResponse(bytes: bytes, isReplayed: false)
    return outcome
  }
}
