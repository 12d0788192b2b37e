import SQL

/// The tables of a long list's new order, filled by the writer.
struct Arrangement: Sendable {
  let key: ArrangementKey
  let list: RowKey
  let plan: TreePlan

  /// The most arrangements that all processes of a server's database write at a time.
  static let mostOpen: Int64 = 64

  /// Begins an arrangement, and reserves the node ids that it needs. Nil if the list is gone.
  ///
  /// - Parameter isAlone: whether this process writes no other arrangement. Then this ends those in a database file that
  ///   could not be abandoned, for example because the disk was full.
  static func begin(
    of list: RowKey, rowCount: Int, shape: TreeShape, isAlone: Bool, in db: Connection
  ) throws(StorageError) -> Arrangement? {
    let next = try db.sql("SELECT next_node FROM list WHERE key = ?1").bind(list)
      .one { $0.int64(0) }
    guard let next else { return nil }
    if isAlone, db.engine == .sqlite { try abandonAll(in: db) }
    let plan = TreePlan(rowCount: rowCount, shape: shape, first: next)
    try db.sql("UPDATE list SET next_node = ?2 WHERE key = ?1").bind(list)
      .bind(plan.ids.upperBound).perform()
    let key: ArrangementKey = try db.sql(
      "INSERT INTO arrangement (list, first_node, end_node, state) VALUES (?1, ?2, ?3, 0)"
    ).bind(list).bind(plan.ids.lowerBound).bind(plan.ids.upperBound).insert()
    if db.engine == .postgreSQL {
      // Other processes write some, but not so many at a time.
      try db.sql("UPDATE arrangement SET state = 1 WHERE state = 0 AND key <= ?1")
        .bind(key.value - mostOpen).perform()
    }
    return Arrangement(key: key, list: list, plan: plan)
  }

  /// The number of entries to write: each row's place by leaf and by row, and the nodes.
  var entryCount: Int { 2 * plan.rowCount + plan.nodes.count }

  /// Writes some of the entries. Returns false if the list or the arrangement is gone.
  ///
  /// - Parameters:
  ///   - rows: the keys of the rows in the new order.
  ///   - byKey: their indices in it, by ascending key, so that both tables are filled from start to end.
  func write(
    _ entries: Range<Int>, rows: [RowKey], byKey: [Int], in db: Connection
  ) throws(StorageError) -> Bool {
    let isThere = try db.sql(
      """
      SELECT 1 FROM arrangement JOIN list ON list.key = arrangement.list
      WHERE arrangement.key = ?1 AND arrangement.list = ?2 AND state = 0
      """
    ).bind(key).bind(list).hasRow()
    guard isThere else { return false }
    for entry in entries {
      if entry < plan.rowCount {
        let slot = plan.slot(at: entry)
        try db.sql(
          "INSERT INTO arranged_leaf (arrangement, leaf, pos, row) VALUES (?1, ?2, ?3, ?4)"
        ).bind(key).bind(slot.leaf).bind(slot.pos).bind(rows[entry]).perform()
      } else if entry < 2 * plan.rowCount {
        let index = byKey[entry - plan.rowCount]
        let slot = plan.slot(at: index)
        try db.sql(
          "INSERT INTO arranged_row (arrangement, row, leaf, pos) VALUES (?1, ?2, ?3, ?4)"
        ).bind(key).bind(rows[index]).bind(slot.leaf).bind(slot.pos).perform()
      } else {
        try OrderTree.insert(plan.nodes[entry - 2 * plan.rowCount], of: list, in: db)
      }
    }
    return true
  }

  /// Ends the writing. Returns false if the arrangement is gone or has ended before.
  func end(in db: Connection) throws(StorageError) -> Bool {
    try db.sql("UPDATE arrangement SET state = 1 WHERE key = ?1 AND list = ?2 AND state = 0")
      .bind(key).bind(list).performCounting() == 1
  }

  /// Ends all arrangements that have not been written to the end. `ArrangementSweep` deletes them.
  static func abandonAll(in db: Connection) throws(StorageError) {
    try db.sql("UPDATE arrangement SET state = 1 WHERE state = 0").perform()
  }
}

/// If the list's arrangement has a place of a row, that place counts, and the one in `row` is out of date. Otherwise
/// the place in `row` counts.
///
/// Most places stay in the arrangement. The rows of a leaf are on different pages of the table and its index, so
/// settling a whole leaf costs as much as a hundred writes.
extension OrderTree {
  /// Deletes a row's place in the arrangement. The caller writes its new place to `row`.
  func forget(_ row: RowKey, at place: TreeSlot, in db: Connection) throws(StorageError) {
    guard let arrangement else { return }
    let deleted = try db.sql("DELETE FROM arranged_row WHERE arrangement = ?1 AND row = ?2")
      .bind(arrangement).bind(row).performCounting()
    guard deleted > 0 else { return }
    try db.sql("DELETE FROM arranged_leaf WHERE arrangement = ?1 AND leaf = ?2 AND pos = ?3")
      .bind(arrangement).bind(place.leaf).bind(place.pos).perform()
  }

  /// Moves all places of a leaf from the arrangement to `row`, before the leaf is split, joined or spaced anew.
  func settle(_ leaf: Int64, in db: Connection) throws(StorageError) {
    guard let arrangement else { return }
    let places = try db.sql(
      "SELECT row, pos FROM arranged_leaf WHERE arrangement = ?1 AND leaf = ?2"
    )
    .bind(arrangement).bind(leaf).all { ($0.key(0) as RowKey, $0.int64(1)) }
    guard !places.isEmpty else { return }
    for (row, pos) in places {
      try db.sql("UPDATE row SET leaf = ?2, pos = ?3 WHERE key = ?1").bind(row).bind(leaf).bind(pos)
        .perform()
      try db.sql("DELETE FROM arranged_row WHERE arrangement = ?1 AND row = ?2").bind(arrangement)
        .bind(row).perform()
    }
    try db.sql("DELETE FROM arranged_leaf WHERE arrangement = ?1 AND leaf = ?2").bind(arrangement)
      .bind(leaf).perform()
  }

  /// The number of rows in each leaf, counted from the rows themselves.
  func leafSizes(in db: Connection) throws(StorageError) -> [Int64: Int] {
    var sizes: [Int64: Int] = [:]
    try db.sql(
      """
      SELECT coalesce(arranged_row.leaf, row.leaf) AS present, count(*)
      FROM row LEFT JOIN arranged_row ON arrangement = ?2 AND arranged_row.row = row.key
      WHERE parent = ?1 AND row.leaf IS NOT NULL GROUP BY present
      """
    ).bind(list).bind(arrangement).each { sizes[$0.int64(0)] = $0.int(1) }
    return sizes
  }
}
