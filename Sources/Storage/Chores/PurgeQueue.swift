import Inventory
import SQLite

/// Gives up what has been in the trash for long enough.
struct TrashExpiry: Chore {
  /// After the deletion; 0: never.
  let seconds: Int64
  let changesTree = true
  private static let batch = 64

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    guard seconds > 0 else { return false }
    var found: [(row: Int64, home: Int64, hasLists: Bool)] = []
    // In this order, for which the index is: https://www.sqlite.org/optoverview.html#crossjoin
    try db.sql(
      """
      SELECT trash.row, list,
        EXISTS (SELECT 1 FROM row WHERE key = trash.row AND (kind = 0 OR contents IS NOT NULL))
      FROM inventory CROSS JOIN trash ON trash.inventory = inventory.key
      WHERE deleted_at <= ?1 LIMIT ?2
      """
    ).bind(now.seconds - seconds).bind(Self.batch).each {
      found.append(($0.int64(0), $0.int64(1), $0.bool(2)))
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

/// What is gone for good, and waits to be cleared away.
struct PurgeQueue: Chore {
  let changesTree = true

  static func add(_ row: Int64, home: Int64, in db: Connection) throws(StorageError) {
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

  private func first(in db: Connection) throws(StorageError) -> (Int64, Int64)? {
    // The latest first: what is below comes before what is above, and the queue stays short.
    try db.sql("SELECT row, home FROM purge ORDER BY row DESC LIMIT 1")
      .one { ($0.int64(0), $0.int64(1)) }
  }
}

/// Clears away one list or item with all below it, whatever is below that has rows of its own by way
/// of the queue.
private struct Purge {
  /// Rows that are looked at in one go.
  private static let batch = 64

  let top: Int64
  let home: Int64
  let db: Connection

  /// Takes out what is right below the top, and then the top itself, until the step is over; one row at least.
  func clear(_ timer: inout StepTimer) throws(StorageError) {
    repeat {
      if try hasRehomed() { continue }
      if try hasClearedRows(&timer) { continue }
      if try hasClearedNodes() { continue }
      return try delete(top, &timer)
    } while !timer.isOver
  }

  /// What was deleted earlier from a list that goes stays in the trash, but has no list to go back to; what is gone
  /// for good itself may have such things below it.
  private func hasRehomed() throws(StorageError) -> Bool {
    // The root of an inventory that is cleared away whole: with it went all of the trash.
    guard home != top else { return false }
    try db.sql(
      """
      UPDATE trash SET list = ?2, rehomed = 1
      WHERE row IN (SELECT row FROM trash WHERE list = ?1 LIMIT ?3)
      """
    ).bind(top).bind(home).bind(Self.batch).perform()
    if db.changes > 0 { return true }
    try db.sql(
      "UPDATE purge SET home = ?2 WHERE row IN (SELECT row FROM purge WHERE home = ?1 LIMIT ?3)"
    ).bind(top).bind(home).bind(Self.batch).perform()
    return db.changes > 0
  }

  private func hasClearedRows(_ timer: inout StepTimer) throws(StorageError) -> Bool {
    var below: [(key: Int64, isLeaf: Bool)] = []
    try db.sql("SELECT key, kind > 0 AND contents IS NULL FROM row WHERE parent = ?1 LIMIT ?2")
      .bind(top).bind(Self.batch).each { below.append(($0.int64(0), $0.bool(1))) }
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
    ).bind(top).bind(Self.batch).perform()
    return db.changes > 0
  }

  private func delete(_ key: Int64, _ timer: inout StepTimer) throws(StorageError) {
    let found = try db.sql(
      """
      SELECT inventory, kind, length(CAST(
        ifnull(title, '') || ifnull(name, '') || ifnull(serial_number, '') || ifnull(tags, '')
          || ifnull(fields, '') || ifnull(notes, '') AS BLOB))
      FROM row WHERE key = ?1
      """
    ).bind(key).one { ($0.inventory(0), $0.int64(1), $0.int(2)) }
    guard let (inventory, kind, text) = found else { throw .broken("row \(key) is gone") }
    timer.count(text: text)
    try db.sql("DELETE FROM purge WHERE row = ?1").bind(key).perform()
    if kind == 0 { try db.sql("DELETE FROM list WHERE key = ?1").bind(key).perform() }
    try db.sql("DELETE FROM row WHERE key = ?1").bind(key).perform()
    try InventoryRecord.count(
      lists: kind == 0 ? -1 : 0, items: kind == 0 ? 0 : -1, in: inventory, db)
  }
}
