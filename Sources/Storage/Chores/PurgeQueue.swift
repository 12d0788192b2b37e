import Inventory
import SQL

/// Purges rows that have been in the trash long enough.
struct TrashExpiry: Chore {
  /// Seconds after which deleted rows are purged; 0 means never.
  let seconds: Int64
  let changesTree = true
  private static let batch = 64

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    guard seconds > 0 else { return false }
    // The cross join keeps this order, which the index supports: https://www.sqlite.org/optoverview.html#crossjoin
    let found = try db.sql(
      """
      SELECT trash.row, list,
        EXISTS (SELECT 1 FROM row WHERE key = trash.row AND (kind = 0 OR contents IS NOT NULL))
      FROM inventory CROSS JOIN trash ON trash.inventory = inventory.key
      WHERE deleted_at <= ?1 LIMIT ?2
      """
    ).bind(now.seconds - seconds).bind(Self.batch).all {
      (row: $0.key(0) as RowKey, home: $0.key(1) as RowKey, hasLists: $0.bool(2))
    }
    for (row, home, _) in found {
      try TrashRecord.remove(row, in: db)
      try PurgeQueue.add(row, home: home, in: db)
    }
    if found.contains(where: \.hasLists) {
      db.tree?.treeChanges()
      try TokenTable(db: db).removeOrphans()
    }
    return found.count == Self.batch
  }
}

/// The queue of purged rows that wait for their deletion.
struct PurgeQueue: Chore {
  let changesTree = true

  static func add(_ row: RowKey, home: RowKey, in db: Connection) throws(StorageError) {
    try db.sql("INSERT INTO purge (row, home) VALUES (?1, ?2)").bind(row).bind(home).perform()
  }

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    var timer = StepTimer()
    while let (top, home) = try first(in: db) {
      try Purge(top: top, home: home, db: db).clear(&timer)
      if timer.isOver { return try first(in: db) != nil }
    }
    return false
  }

  private func first(in db: Connection) throws(StorageError) -> (RowKey, RowKey)? {
    // Rows below a list usually have higher keys than the list. With the highest key first, they are deleted before the
    // queue gets more rows, and it stays short.
    try db.sql("SELECT row, home FROM purge ORDER BY row DESC LIMIT 1")
      .one { ($0.key(0), $0.key(1)) }
  }
}

/// Deletes one list or item, and the items without contents directly below it. Puts the lists, and the items with
/// contents, that are directly below it into the queue. They may be deleted after it.
private struct Purge {
  /// The number of rows read at once.
  private static let batch = 64

  let top: RowKey
  let home: RowKey
  let db: Connection

  /// Deletes the rows directly below the top, and then the top, until the step is over. Does at least one batch. A
  /// batch may delete no row, and only move rows in the trash, queue lists, or delete nodes of the list's order.
  func clear(_ timer: inout StepTimer) throws(StorageError) {
    repeat {
      if try hasRehomed() { continue }
      if try hasClearedRows(&timer) { continue }
      if try hasClearedNodes() { continue }
      return try delete(top, &timer)
    } while !timer.isOver
  }

  /// Moves rows that were deleted from this list to the trash of `home`. They stay in the trash, but have no list to
  /// return to. Also sets the new home of queued purged rows, because rows in their trash must move there too.
  /// Returns false if there were none.
  private func hasRehomed() throws(StorageError) -> Bool {
    // The top is the root of an inventory that is deleted as a whole: its trash is already gone.
    guard home != top else { return false }
    let updates: [StaticString] = [
      """
      UPDATE trash SET list = ?2, rehomed = 1
      WHERE row IN (SELECT row FROM trash WHERE list = ?1 LIMIT ?3)
      """,
      "UPDATE purge SET home = ?2 WHERE row IN (SELECT row FROM purge WHERE home = ?1 LIMIT ?3)",
    ]
    for update in updates {
      if try db.sql(update).bind(top).bind(home).bind(Self.batch).performCounting() > 0 {
        return true
      }
    }
    return false
  }

  private func hasClearedRows(_ timer: inout StepTimer) throws(StorageError) -> Bool {
    let below = try db.sql(
      "SELECT key, kind > 0 AND contents IS NULL FROM row WHERE parent = ?1 LIMIT ?2"
    ).bind(top).bind(Self.batch).all { ($0.key(0) as RowKey, $0.bool(1)) }
    for (key, isLeaf) in below {
      if isLeaf {
        try delete(key, &timer)
        if timer.isOver { break }
      } else {
        try db.sql("UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = ?1")
          .bind(key).perform()
        try PurgeQueue.add(key, home: home, in: db)
      }
    }
    return !below.isEmpty
  }

  private func hasClearedNodes() throws(StorageError) -> Bool {
    try db.sql(
      """
      DELETE FROM node WHERE list = ?1
        AND id IN (SELECT id FROM node WHERE list = ?1 LIMIT ?2)
      """
    ).bind(top).bind(Self.batch).performCounting() > 0
  }

  private func delete(_ key: RowKey, _ timer: inout StepTimer) throws(StorageError) {
    let found = try db.sql(
      """
      SELECT inventory, kind, length(CAST(
        coalesce(title, '') || coalesce(name, '') || coalesce(serial_number, '') || coalesce(tags, '')
          || coalesce(fields, '') || coalesce(notes, '') AS BLOB))
      FROM row WHERE key = ?1
      """
    ).bind(key).one { ($0.key(0) as InventoryKey, $0.int64(1), $0.int(2)) }
    guard let (inventory, kind, text) = found else { throw .broken("row \(key) is gone") }
    timer.count(text: text)
    try db.sql("DELETE FROM purge WHERE row = ?1").bind(key).perform()
    if kind == 0 { try db.sql("DELETE FROM list WHERE key = ?1").bind(key).perform() }
    try db.sql("DELETE FROM row WHERE key = ?1").bind(key).perform()
    try InventoryRecord.count(
      lists: kind == 0 ? -1 : 0, items: kind == 0 ? 0 : -1, in: inventory, db)
  }
}
