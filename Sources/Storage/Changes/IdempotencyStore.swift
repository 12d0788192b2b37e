import Inventory
import SQL

/// Responses to writes with an idempotency key, each stored in the transaction of its change.
struct IdempotencyStore {
  let db: Connection

  /// The response to the first write with this key; nil for a new key.
  ///
  /// Expired responses count until a sweep deletes them. The clock may be wrong, and a write must not be done twice.
  ///
  /// - Throws: `idempotencyKeyReused` if the first write was a different one.
  func response(to retry: IdempotentRequest) throws(StorageError) -> [UInt8]? {
    let found = try db.sql("SELECT fingerprint, bytes FROM answer WHERE scope = ?1 AND name = ?2")
      .bind(retry.scope).bind(retry.key).one { (fingerprint: $0.bytes(0), bytes: $0.bytes(1)) }
    guard let found else { return nil }
    guard found.fingerprint == retry.fingerprint else { throw .refused(.idempotencyKeyReused) }
    return found.bytes
  }

  /// Stores the response to the first write with a key.
  func store(_ bytes: [UInt8], for retry: IdempotentRequest, now: Timestamp) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO answer (scope, name, fingerprint, at, bytes)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """
    ).bind(retry.scope).bind(retry.key).bind(retry.fingerprint).bind(now.seconds).bind(bytes)
      .perform()
  }

  /// Deletes some expired responses: at least one if there is any, at most `limit`, and about `bytesAtOnce`. Returns
  /// whether there may be more.
  static func sweep(_ db: Connection, now: Timestamp, limit: Int = 100) throws(StorageError) -> Bool
  {
    var old: [Int64] = []
    var bytes = 0
    try db.sql("SELECT key, length(bytes) FROM answer WHERE at <= ?1 ORDER BY at LIMIT ?2")
      .bind(now.seconds - IdempotentRequest.lifetime).bind(limit).eachWhile { row in
        old.append(row.int64(0))
        bytes += row.int(1)
        return bytes < bytesAtOnce
      }
    for key in old { try db.sql("DELETE FROM answer WHERE key = ?1").bind(key).perform() }
    return old.count == limit || bytes >= bytesAtOnce
  }

  static let bytesAtOnce = 1 << 20
}

/// Deletes expired responses.
struct IdempotencyExpiry: Chore {
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    try IdempotencyStore.sweep(db, now: now)
  }
}
