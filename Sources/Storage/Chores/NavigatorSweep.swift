import Inventory
import SQLite

/// Clears away the navigators of tokens that are gone, one in each step: a token has up to 100 of them, each of up to
/// 1,280 screens.
struct NavigatorSweep: Chore {
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    // No inventory has this id.
    let given = try db.sql("SELECT key FROM navigator WHERE inventory = zeroblob(16) LIMIT 1")
      .one { $0.int64(0) }
    guard let given else { return false }
    try NavigatorRecord.remove(given, in: db)
    return true
  }
}
