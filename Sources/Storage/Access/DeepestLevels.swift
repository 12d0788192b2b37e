import Inventory
import SQLite

/// For each inventory a level below which it has no list, so that the lists below a row that is moved need not all be
/// looked at. It may be lower than the deepest list, never higher.
///
/// The writer's; what is in the trash counts from the top of what was deleted.
final class DeepestLevels {
  private var levels: [InventoryKey: Int] = [:]
  /// Items whose contents is a list that stands elsewhere, which no sound database has.
  private(set) var itemsWithStrayContents: [Int64] = []

  /// Looks at every list that does not stand below itself.
  ///
  /// The query ends in a damaged database too. It goes from a list to another only where that one names the first as
  /// its parent, or an item of it, and it begins with rows that have no parent: so it comes to each list once at most.
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
    ).each { row in note(row.int(1), in: row.inventory(0)) }
    // A contents list is purged before its item, and has no parent then.
    try db.sql(
      """
      SELECT row.key FROM row JOIN row AS inner ON inner.key = row.contents
      WHERE row.contents IS NOT NULL AND inner.parent IS NOT row.key
        AND inner.key NOT IN (SELECT row FROM purge)
      """
    ).each { itemsWithStrayContents.append($0.int64(0)) }
  }

  /// By inventory.
  var all: [(inventory: InventoryKey, level: Int)] {
    levels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func level(of inventory: InventoryKey) -> Int { levels[inventory] ?? 1 }

  /// Lists have come to this level, or to one above.
  func note(_ level: Int, in inventory: InventoryKey) {
    levels[inventory] = max(level, levels[inventory] ?? 1)
  }
}
