import Inventory
import SQLite

/// For each inventory an upper bound of its depth: no list is deeper than this level. With it, a move can often skip the
/// check of the lists below the row. The bound may be too high, never too low.
///
/// Only the writer has it. Rows in the trash are counted from the top of what was deleted.
final class DeepestLevels {
  private var levels: [InventoryKey: Int] = [:]
  /// Items whose contents list has another parent. A sound database has none.
  private(set) var itemsWithStrayContents: [RowKey] = []

  /// Reads all lists, except those in a cycle of a damaged tree.
  ///
  /// The query ends in a damaged database too. It begins with rows that have no parent, and continues only with a list
  /// that names the previous list, or an item of it, as its parent. So it reads each list at most once.
  init(in db: Connection) throws(StorageError) {
    try db.sql(
      """
      WITH RECURSIVE tree (inventory, key, level) AS (
        SELECT inventory, key, 1 FROM row WHERE parent IS NULL AND kind = 0
        UNION ALL
        SELECT row.inventory, inner.key, 2 FROM row JOIN row AS inner ON inner.key = row.contents
        WHERE row.parent IS NULL AND row.contents IS NOT NULL AND inner.parent = row.key
        UNION ALL
        SELECT tree.inventory, row.key, level + 1 FROM tree JOIN row ON row.parent = tree.key
        WHERE kind = 0
        UNION ALL
        SELECT tree.inventory, inner.key, level + 2 FROM tree JOIN row ON row.parent = tree.key
        JOIN row AS inner ON inner.key = row.contents
        WHERE row.contents IS NOT NULL AND inner.parent = row.key
      )
      SELECT inventory, level FROM tree
      """
    ).each { row in note(row.int(1), in: row.key(0)) }
    // A contents list is purged before its item, and then has no parent.
    try db.sql(
      """
      SELECT row.key FROM row JOIN row AS inner ON inner.key = row.contents
      WHERE row.contents IS NOT NULL AND inner.parent IS NOT row.key
        AND inner.key NOT IN (SELECT row FROM purge)
      """
    ).each { itemsWithStrayContents.append($0.key(0)) }
  }

  /// The levels, sorted by inventory.
  var all: [(inventory: InventoryKey, level: Int)] {
    levels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func level(of inventory: InventoryKey) -> Int { levels[inventory] ?? 1 }

  /// Records that an inventory has lists on this level.
  func note(_ level: Int, in inventory: InventoryKey) {
    levels[inventory] = max(level, levels[inventory] ?? 1)
  }
}
