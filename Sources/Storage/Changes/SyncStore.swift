import Inventory
import SQL

/// The offline clients and the numbers of their writes, each stored in the transaction of its write.
struct SyncStore {
  let access: Access
  let step: SyncStep
  var db: Connection { access.db }

  private struct Client {
    let key: SyncClientKey
    var last: Int64
    /// The bytes of its stored results.
    var size: Int
  }

  /// Runs a write once. The outcome has the encoded result; see `Store.submit`.
  ///
  /// - Parameter run: makes the change. Its refusal is a result too.
  /// - Throws: `sequenceGap`, also if another write had this number or the one before; `tooManySyncClients` for a new
  ///   client; the refusal of the write if it `isTransient`; every error that is not a refusal.
  func once(
    now: Timestamp, _ run: () throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    let found = try find()
    let last = found?.last ?? 0
    var outcome = Outcome(receipt: Receipt(revision: access.revision, isChanged: false))
    if let found, let previous = step.previous {
      let stored = try result(step.number - 1, of: found)?.digest
      guard stored ?? previous == previous else { throw .refused(.sequenceGap(last: last)) }
    }
    if let found, step.number <= last {
      let stored = try result(step.number, of: found)
      guard stored?.digest ?? step.digest == step.digest else {
        throw .refused(.sequenceGap(last: last))
      }
      outcome.kept = StoredResponse(
        bytes: stored?.bytes ?? step.encode(.repeated), isReplayed: true)
      return outcome
    }
    guard step.number == last + 1 else { throw .refused(.sequenceGap(last: last)) }
    var client = if let found { found } else { try insert(now: now) }
    let result: SyncResult
    do throws(StorageError) {
      // A refusal undoes what the write has changed so far, but its number is used.
      outcome = try db.savepoint(run)
      result = .done(outcome)
    } catch {
      guard case .refused(let refusal) = error, !refusal.isTransient else { throw error }
      result = .refused(refusal)
    }
    let bytes = step.encode(result)
    try store(bytes, of: &client, now: now)
    outcome.kept = StoredResponse(bytes: bytes, isReplayed: false)
    return outcome
  }

  private func find() throws(StorageError) -> Client? {
    try db.sql(
      """
      SELECT key, last, size FROM sync_client WHERE owner = ?1 AND inventory = ?2 AND id = ?3
      """
    ).bind(access.caller.owner).bind(try access.inventoryID()).bind(step.client)
      .one { Client(key: $0.key(0), last: $0.version(1), size: $0.count(2)) }
  }

  private func insert(now: Timestamp) throws(StorageError) -> Client {
    let (owner, inventory) = (access.caller.owner, try access.inventoryID())
    let count =
      try db.sql("SELECT count(*) FROM sync_client WHERE owner = ?1 AND inventory = ?2")
      .bind(owner).bind(inventory).one { $0.int(0) } ?? 0
    guard count < Limits.syncClients else {
      throw .refused(.tooManySyncClients(limit: Limits.syncClients))
    }
    let key: SyncClientKey = try db.sql(
      """
      INSERT INTO sync_client (owner, inventory, id, last, size, used_at)
      VALUES (?1, ?2, ?3, 0, 0, ?4)
      """
    ).bind(owner).bind(inventory).bind(step.client).bind(now.seconds).insert()
    return Client(key: key, last: 0, size: 0)
  }

  private func result(
    _ number: Int64, of client: Client
  ) throws(StorageError) -> (bytes: [UInt8], digest: [UInt8]?)? {
    try db.sql("SELECT bytes, digest FROM sync_result WHERE client = ?1 AND number = ?2")
      .bind(client.key).bind(number).one { ($0.bytes(0), $0.bytesOrNil(1)) }
  }

  /// Stores the write's number, and its result if it fits. Deletes the results that the client knows.
  private func store(
    _ bytes: [UInt8], of client: inout Client, now: Timestamp
  ) throws(StorageError) {
    let deleted = try db.sql("DELETE FROM sync_result WHERE client = ?1 AND number < ?2")
      .bind(client.key).bind(step.first).performCounting()
    if deleted > 0 {
      client.size =
        try db.sql("SELECT coalesce(sum(length(bytes)), 0) FROM sync_result WHERE client = ?1")
        .bind(client.key).one { $0.count(0) } ?? 0
    }
    if client.size + bytes.count <= Limits.syncResults {
      try db.sql(
        "INSERT INTO sync_result (client, number, bytes, digest) VALUES (?1, ?2, ?3, ?4)"
      ).bind(client.key).bind(step.number).bind(bytes).bind(step.digest).perform()
      client.size += bytes.count
    }
    try db.sql("UPDATE sync_client SET last = ?2, size = ?3, used_at = ?4 WHERE key = ?1")
      .bind(client.key).bind(step.number).bind(client.size).bind(now.seconds).perform()
  }

  /// Leaves the clients of a removed token to `SyncClientExpiry`. No other token gets its id.
  static func releaseAll(of token: TokenID, in db: Connection) throws(StorageError) {
    try db.sql("UPDATE sync_client SET used_at = 0 WHERE owner = ?1").bind(token.description)
      .perform()
  }
}

/// Deletes the clients that have not been used for long, and those of removed tokens: one in each step, with up to
/// `Limits.syncCommands` results.
struct SyncClientExpiry: Chore {
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    let unused: SyncClientKey? = try db.sql(
      "SELECT key FROM sync_client WHERE used_at <= ?1 ORDER BY used_at LIMIT 1"
    ).bind(max(0, now.seconds - Limits.syncClientLifetime)).one { $0.key(0) }
    guard let unused else { return false }
    try db.sql("DELETE FROM sync_result WHERE client = ?1").bind(unused).perform()
    try db.sql("DELETE FROM sync_client WHERE key = ?1").bind(unused).perform()
    return true
  }
}
