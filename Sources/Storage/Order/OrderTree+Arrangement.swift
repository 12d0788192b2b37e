import SQLite

/// A leaf has the places of all its rows in `row`, or all of them in the list's arrangement.
extension OrderTree {
  /// Moves a leaf's places from the arrangement to `row`, where they can be changed.
  func settle(_ leaf: Int64, in db: Connection) throws(StorageError) {
    guard let arrangement else { return }
    var places: [(row: Int64, pos: Int64)] = []
    try db.sql("SELECT row, pos FROM arranged_leaf WHERE arrangement = ?1 AND leaf = ?2")
      .bind(arrangement).bind(leaf).each { places.append(($0.int64(0), $0.int64(1))) }
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
