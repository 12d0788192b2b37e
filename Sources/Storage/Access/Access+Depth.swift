import Inventory
import SQL

/// The depth of lists, counted from the inventory's root list, and its limit.
extension Access {
  /// Throws `tooDeep` if there is no room for `levels` more levels of lists below a list or an item.
  func requireRoom(forLevels levels: Int = 1, below holder: RowKey) throws(StorageError) {
    let deepest = try levelInInventory(of: holder) + levels
    guard depthLimit.admits(deepest) else { throw try tooDeep() }
    note(deepest)
  }

  /// Throws `tooDeep` if a row does not fit into a list, with the lists below it. The row may be in the list already.
  ///
  /// - Parameters:
  ///   - old: its previous level in the inventory; nil for a row that was in no list.
  ///   - bound: how many lists below it may be checked. Reduced by those that were.
  /// - Throws: `boundExceeded` if there are more.
  func requireRoom(
    for entry: Entry, in list: RowKey, from old: Int?, bound: inout Int
  ) throws(StorageError) {
    guard entry.hasLists else { return }
    let level = try levelInInventory(of: list) + 1
    guard DepthLimit.concerns(level, from: old) else { return }
    let deepest = try deepestLevel(of: entry, on: level, bound: &bound)
    guard depthLimit.admits(deepest) else { throw try tooDeep() }
    note(deepest)
  }

  /// Records that the inventory has a list on a level.
  func note(_ level: Int) { db.tree?.deepest?.note(level, in: inventory) }

  /// The error for the caller, whose own root is on level 1.
  func tooDeep() throws(StorageError) -> StorageError {
    let above = try levelInInventory(of: root) - 1
    return .refused(.tooDeep(limit: max(1, depthLimit.level - above)))
  }

  /// The level of the deepest list that comes with a row on `level`, or of the first one found too deep.
  private func deepestLevel(
    of entry: Entry, on level: Int, bound: inout Int
  ) throws(StorageError) -> Int {
    guard let top = entry.isList ? entry.key : entry.contents else { return level }
    var count = 0
    var deepest = entry.isList ? level : level + 1
    try db.sql(
      sqlite: """
        WITH RECURSIVE tree (key, level) AS (
          SELECT ?1, ?2
          UNION ALL
          SELECT row.key, level + 1 FROM tree JOIN row ON row.parent = tree.key WHERE kind = 0
          UNION ALL
          SELECT row.contents, level + 2 FROM tree JOIN row ON row.parent = tree.key
          WHERE contents IS NOT NULL
        )
        SELECT level FROM tree
        """,
      // A recursive query of PostgreSQL names itself once.
      postgreSQL: """
        WITH RECURSIVE tree (key, level) AS (
          SELECT ?1, ?2
          UNION ALL
          SELECT CASE kind WHEN 0 THEN row.key ELSE contents END,
            level + CASE kind WHEN 0 THEN 1 ELSE 2 END
          FROM tree JOIN row ON row.parent = tree.key WHERE kind = 0 OR contents IS NOT NULL
        )
        SELECT level FROM tree
        """
    ).bind(top).bind(deepest).eachWhile { [bound] row in
      count += 1
      deepest = max(deepest, row.int(0))
      return depthLimit.admits(deepest) && count <= bound
    }
    defer { bound = max(0, bound - count) }
    guard !depthLimit.admits(deepest) || count <= bound else { throw .refused(.boundExceeded) }
    return deepest
  }
}
