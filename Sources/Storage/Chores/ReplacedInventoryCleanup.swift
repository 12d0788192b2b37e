import Inventory
import SQL

/// Deletes hidden inventories in small steps: those replaced by an import, and abandoned imports.
struct ReplacedInventoryCleanup: Chore {
  let changesTree = true
  var duration = Housekeeping.stepDuration
  /// The number of trash entries handled at once.
  private static let batch = 64

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    let timer = StepTimer(duration)
    while let (key, root) = try first(in: db) {
      repeat {
        if try HistoryRetention.clear(upTo: .max, of: key, in: db) { continue }
        if try hasClearedTrash(of: key, in: db) { continue }
        guard let root else {
          // Its rows, photos and log are deleted by now, so no foreign key refers to it.
          try db.sql("DELETE FROM inventory WHERE key = ?1").bind(key).perform()
          break
        }
        try InventoryRecord.setRoot(nil, of: key, in: db)
        try PurgeQueue.add(root, home: root, in: db)
        break
      } while !timer.isOver
      if timer.isOver { return try first(in: db) != nil }
    }
    return false
  }

  /// Finds a hidden inventory with work for this chore: one that still has its root, or one whose rows and photos are
  /// all deleted.
  private func first(in db: Connection) throws(StorageError) -> (key: InventoryKey, root: RowKey?)?
  {
    try db.sql(
      """
      SELECT key, root FROM inventory
      WHERE hidden = 1 AND key NOT IN (SELECT home FROM staging)
        AND (root IS NOT NULL OR list_count + item_count = 0
          AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.inventory = inventory.key))
      ORDER BY key LIMIT 1
      """
    ).one { ($0.key(0), $0.keyOrNil(1)) }
  }

  private func hasClearedTrash(of key: InventoryKey, in db: Connection) throws(StorageError) -> Bool
  {
    let rows = try db.sql("SELECT row, list FROM trash WHERE inventory = ?1 LIMIT ?2").bind(key)
      .bind(Self.batch).all { ($0.key(0) as RowKey, $0.key(1) as RowKey) }
    for (row, list) in rows {
      try TrashRecord.remove(row, in: db)
      try PurgeQueue.add(row, home: list, in: db)
    }
    return !rows.isEmpty
  }
}
