import Inventory
import SQL

/// Deletes trees that new orders have replaced, and arrangements that no list uses.
struct ArrangementSweep: Chore {
  /// The number of rows deleted from a table at once.
  private static let batch = 128

  private struct Found {
    var key: ArrangementKey
    var list: RowKey
    /// The ids of nodes that belong to no tree any more.
    var nodes: Range<Int64>
    /// Whether the list uses the arrangement.
    var isPresent: Bool
  }

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    let timer = StepTimer()
    while let found = try first(in: db) {
      while try hasCleared(found, in: db) {
        if timer.isOver { return true }
      }
      let end: Statement =
        found.isPresent
        ? try db.sql("UPDATE arrangement SET state = 2 WHERE key = ?1")
        : try db.sql("DELETE FROM arrangement WHERE key = ?1")
      try end.bind(found.key).perform()
    }
    return false
  }

  private func first(in db: Connection) throws(StorageError) -> Found? {
    try db.sql(
      """
      SELECT arrangement.key, arrangement.list, first_node, end_node,
        list.arrangement IS NOT DISTINCT FROM arrangement.key
      FROM arrangement LEFT JOIN list ON list.key = arrangement.list
      WHERE state = 1 OR state = 2 AND list.arrangement IS DISTINCT FROM arrangement.key LIMIT 1
      """
    ).one {
      let isPresent = $0.bool(4)
      return Found(
        key: $0.key(0), list: $0.key(1),
        nodes: isPresent ? 0..<$0.int64(2) : $0.int64(2)..<$0.int64(3), isPresent: isPresent)
    }
  }

  private func hasCleared(_ found: Found, in db: Connection) throws(StorageError) -> Bool {
    let cleared = try db.sql(
      """
      DELETE FROM node WHERE list = ?1 AND id IN (
        SELECT id FROM node WHERE list = ?1 AND id >= ?2 AND id < ?3 LIMIT ?4)
      """
    ).bind(found.list).bind(found.nodes.lowerBound).bind(found.nodes.upperBound).bind(Self.batch)
      .performCounting()
    if cleared > 0 { return true }
    guard !found.isPresent else { return false }
    let deletions: [StaticString] = [
      """
      DELETE FROM arranged_leaf WHERE arrangement = ?1 AND (leaf, pos) IN (
        SELECT leaf, pos FROM arranged_leaf WHERE arrangement = ?1 LIMIT ?2)
      """,
      """
      DELETE FROM arranged_row WHERE arrangement = ?1 AND row IN (
        SELECT row FROM arranged_row WHERE arrangement = ?1 LIMIT ?2)
      """,
    ]
    for deletion in deletions {
      if try db.sql(deletion).bind(found.key).bind(Self.batch).performCounting() > 0 {
        return true
      }
    }
    return false
  }
}
