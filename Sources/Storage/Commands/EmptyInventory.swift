import FoundationEssentials
import Inventory
import SQL

/// An inventory with only its root list, as on a new server.
enum EmptyInventory {
  static let title = "Inventory"

  /// Creates the default inventory in a new database.
  static func makeIfNone(
    in db: Connection, now: Timestamp, path: String
  ) throws(StoreOpeningError) {
    do throws(StorageError) {
      try db.transaction(.immediate) { () throws(StorageError) in
        if db.engine == .postgreSQL {
          // Another process may be making it.
          do throws(DatabaseError) { _ = try SharedCounters.lock(in: db) } catch {
            throw .database(error)
          }
        }
        let count = try db.sql("SELECT count(*) FROM inventory").one { $0.int(0) }
        guard count == 0 else { return }
        try make(
          InventoryID(.version7()), root: ListID(.version7()), title: title, in: db, now: now)
        try SearchIndex.catchUp(in: db)
      }
    } catch { throw .wrapping(error, path: path) }
  }

  static func make(
    _ id: InventoryID, root: ListID, title: String,
    _ depthLimit: DepthLimit? = nil, in db: Connection, now: Timestamp
  ) throws(StorageError) {
    let inventory: InventoryKey = try db.sql(
      "INSERT INTO inventory (id, list_count, created_at, depth_limit) VALUES (?1, 1, ?2, ?3)"
    ).bind(id).bind(now.seconds).bind(depthLimit.map { Int64($0.level) }).insert()
    let key: RowKey = try db.sql(
      "INSERT INTO row (inventory, kind, id, title, created_at) VALUES (?1, 0, ?2, ?3, ?4)"
    ).bind(inventory).bind(root).bind(title).bind(now.seconds).insert()
    try db.sql("INSERT INTO list (key, revision, updated_at) VALUES (?1, 0, ?2)")
      .bind(key).bind(now.seconds).perform()
    try db.sql("UPDATE inventory SET root = ?2 WHERE key = ?1").bind(inventory).bind(key)
      .perform()
  }
}
