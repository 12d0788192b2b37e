import FoundationEssentials
import Inventory
import SQLite

/// The inventory that a fresh server has, with its empty root list.
enum DefaultInventory {
  static let title = "Inventory"

  static func makeIfMissing(
    in db: Connection, now: Timestamp, path: String
  ) throws(StoreOpeningError) {
    do throws(SQLiteError) {
      try db.transaction(.immediate) { () throws(SQLiteError) in
        let count = try db.statement("SELECT count(*) FROM inventory").first { $0.int(0) }
        guard count == 0 else { return }
        try make(in: db, now: now)
        try SearchIndex.catchUp(in: db)
      }
    } catch { throw .wrapping(error, path: path) }
  }

  private static func make(in db: Connection, now: Timestamp) throws(SQLiteError) {
    try db.statement("INSERT INTO inventory (id, list_count, created_at) VALUES (?1, 1, ?2)")
      .bind(InventoryID(.version7())).bind(now.seconds).run()
    let inventory = db.lastInsertRowID
    try db.statement(
      "INSERT INTO row (inventory, kind, id, title, created_at) VALUES (?1, 0, ?2, ?3, ?4)"
    ).bind(inventory).bind(ListID(.version7())).bind(title).bind(now.seconds).run()
    let root = db.lastInsertRowID
    try db.statement("INSERT INTO list (key, revision, updated_at) VALUES (?1, 0, ?2)")
      .bind(root).bind(now.seconds).run()
    try db.statement("UPDATE inventory SET root = ?2 WHERE key = ?1").bind(inventory).bind(root)
      .run()
  }
}
