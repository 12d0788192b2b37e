import SQLite

/// Positions are numbers with gaps, inside one node. When a gap is used up, all children of the node, at most the
/// fan-out, get new positions.
extension OrderTree {
  func lastPos(in leaf: Int64, _ db: Connection) throws(StorageError) -> Int64? {
    try db.sql(
      """
      SELECT max(pos) FROM (
        SELECT max(pos) AS pos FROM row WHERE parent = ?1 AND leaf = ?2
        UNION ALL
        SELECT max(pos) FROM arranged_leaf WHERE arrangement = ?3 AND leaf = ?2)
      """
    ).bind(list).bind(leaf).bind(arrangement).one { $0.int64OrNil(0) } ?? nil
  }

  /// A position at the descent's offset; nil if its gap is used up.
  func freePos(
    in descent: TreeDescent, gap: Int64, _ db: Connection
  ) throws(StorageError) -> Int64? {
    if descent.offset == descent.leafCount {
      return (try lastPos(in: descent.leaf, db)).map { $0 &+ gap } ?? 0
    }
    var neighbours: [Int64] = []
    try eachRow(
      of: descent.leaf, "SELECT",
      own: "pos FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos LIMIT 2 OFFSET ?3",
      arranged: "pos FROM placed ORDER BY pos LIMIT 2 OFFSET ?3",
      in: db, bind: { _ = $0.bind(max(0, descent.offset - 1)) }
    ) { row in
      neighbours.append(row.int64(0))
      return true
    }
    guard let first = neighbours.first else {
      throw .broken("list \(list): leaf \(descent.leaf) has too few rows")
    }
    if descent.offset == 0 { return first &- gap }
    guard neighbours.count == 2 else {
      throw .broken("list \(list): leaf \(descent.leaf) has too few rows")
    }
    let middle = first &+ (neighbours[1] &- first) / 2
    return middle > first ? middle : nil
  }

  func respaceLeaf(_ leaf: Int64, gap: Int64, _ db: Connection) throws(StorageError) {
    try settle(leaf, in: db)
    var rows: [(key: RowKey, pos: Int64)] = []
    try db.sql("SELECT key, pos FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos")
      .bind(list).bind(leaf).each { rows.append(($0.key(0), $0.int64(1))) }
    let start = Self.freshStart(rows.map(\.pos), gap: gap)
    for (number, row) in rows.enumerated() {
      try db.sql("UPDATE row SET pos = ?2 WHERE key = ?1")
        .bind(row.key).bind(start &+ Int64(number) &* gap).perform()
    }
  }

  func respaceChildren(of node: Int64, gap: Int64, _ db: Connection) throws(StorageError) {
    var positions: [Int64] = []
    try db.sql("SELECT pos FROM node WHERE list = ?1 AND parent = ?2 ORDER BY pos")
      .bind(list).bind(node).each { positions.append($0.int64(0)) }
    let start = Self.freshStart(positions, gap: gap)
    for (number, pos) in positions.enumerated() {
      try db.sql("UPDATE node SET pos = ?4 WHERE list = ?1 AND parent = ?2 AND pos = ?3")
        .bind(list).bind(node).bind(pos).bind(start &+ Int64(number) &* gap).perform()
    }
  }

  /// The first of a series of new positions that contains no old one, so that no update violates the unique index. The
  /// series is below the old positions once they are very high.
  private static func freshStart(_ old: [Int64], gap: Int64) -> Int64 {
    guard let first = old.first, let last = old.last else { return 0 }
    return last < 1 << 60 ? last &+ gap : first &- Int64(old.count) &* gap
  }
}
