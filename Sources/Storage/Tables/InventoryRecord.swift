import Inventory
import SQL

/// Writes an inventory's own columns.
enum InventoryRecord {
  /// Inserts an inventory that callers cannot see yet. Returns its key.
  static func insertHidden(
    at revision: Revision, createdAt: Timestamp, in db: Connection
  ) throws(StorageError) -> InventoryKey {
    return try db.sql(
      """
      INSERT INTO inventory (id, revision, history_start, created_at, hidden)
      VALUES (?1, ?2, ?2, ?3, 1)
      """
    ).bind(InventoryID(.version7())).bind(revision.number).bind(createdAt.seconds).insert()
  }

  static func setRoot(_ list: RowKey?, of key: InventoryKey, in db: Connection) throws(StorageError)
  {
    try db.sql("UPDATE inventory SET root = ?2 WHERE key = ?1").bind(key).bind(list).perform()
  }

  static func count(
    lists: Int = 0, items: Int = 0, in key: InventoryKey, _ db: Connection
  ) throws(StorageError) {
    try db.sql(
      """
      UPDATE inventory SET list_count = list_count + ?2, item_count = item_count + ?3
      WHERE key = ?1
      """
    ).bind(key).bind(lists).bind(items).perform()
  }
}
