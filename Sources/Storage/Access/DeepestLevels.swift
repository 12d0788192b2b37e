import Inventory
import SQLite

/// For each inventory a level below which it has no list, so that the lists below a row that is moved need not all be
/// looked at. It may be lower than the deepest list, never higher.
///
/// The writer's; what is in the trash counts from the top of what was deleted.
final class DeepestLevels {
  private var levels: [Int64: Int] = [:]

  /// Looks at every list.
  init(in db: Connection) throws(StorageError) {
    try db.sql(
      """
      WITH RECURSIVE tree (inventory, key, level) AS (
        SELECT inventory, iif(kind = 0, key, contents), iif(kind = 0, 1, 2) FROM row
        WHERE parent IS NULL AND (kind = 0 OR contents IS NOT NULL)
        UNION ALL
        SELECT tree.inventory, row.key, level + 1 FROM tree JOIN row ON row.parent = tree.key
        WHERE kind = 0
        UNION ALL
        SELECT tree.inventory, row.contents, level + 2 FROM tree JOIN row ON row.parent = tree.key
        WHERE contents IS NOT NULL
      )
      SELECT inventory, level FROM tree
      """
    ).each { row in note(row.int(1), in: row.int64(0)) }
  }

  /// By inventory.
  var all: [(inventory: Int64, level: Int)] {
    levels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func level(of inventory: Int64) -> Int { levels[inventory] ?? 1 }

  /// Lists have come to this level, or to one above.
  func note(_ level: Int, in inventory: Int64) {
    levels[inventory] = max(level, levels[inventory] ?? 1)
  }
}
