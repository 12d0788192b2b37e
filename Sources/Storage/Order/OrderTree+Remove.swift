import SQL

extension OrderTree {
  /// Releases the place of a row. The caller has already removed the row from its leaf.
  ///
  /// Empty nodes are deleted. A node joins a neighbour if both together fill at most half a node, so that shrinking
  /// lists stay as dense as growing ones.
  mutating func release(
    _ place: TreeSlot, shape: TreeShape, in db: Connection
  ) throws(StorageError) {
    let steps = try ascend(from: place.leaf, in: db)
    try add(-1, along: steps, db)
    count -= 1
    var isLeaf = true
    for var step in steps.reversed() {
      step.count -= 1
      let size = isLeaf ? step.count : try childCount(of: step.id, db)
      if size == 0 {
        try delete(step, db)
      } else if try !join(step, size: size, isLeaf: isLeaf, shape: shape, db) {
        // This node stays a child, so nothing changes further up.
        break
      }
      isLeaf = false
    }
    try lowerRoot(db)
  }

  /// Joins a node with a neighbour if both together have at most half of the fan-out in rows or children. Returns
  /// false if no neighbour fits.
  private func join(
    _ step: TreeStep, size: Int, isLeaf: Bool, shape: TreeShape, _ db: Connection
  ) throws(StorageError) -> Bool {
    let most = shape.fanOut / 2
    guard size < most else { return false }
    let neighbours = [
      try child(of: step.parent, before: step.pos, in: db),
      try child(of: step.parent, after: step.pos, in: db),
    ]
    for case let neighbour? in neighbours {
      let other = isLeaf ? neighbour.count : try childCount(of: neighbour.id, db)
      guard size + other <= most else { continue }
      let (left, right) = neighbour.pos < step.pos ? (neighbour, step) : (step, neighbour)
      try moveAll(from: right.id, to: left.id, isLeaf: isLeaf, gap: shape.gap, db)
      try delete(right, db)
      try db.sql("UPDATE node SET count = count + ?3 WHERE list = ?1 AND id = ?2")
        .bind(list).bind(left.id).bind(right.count).perform()
      return true
    }
    return false
  }

  private func moveAll(
    from right: Int64, to left: Int64, isLeaf: Bool, gap: Int64, _ db: Connection
  ) throws(StorageError) {
    if isLeaf {
      try settle(right, in: db)
      try settle(left, in: db)
      try db.sql(
        """
        UPDATE row SET leaf = ?3, pos = pos + ?4 + coalesce(
          (SELECT max(pos) FROM row WHERE parent = ?1 AND leaf = ?3)
          - (SELECT min(pos) FROM row WHERE parent = ?1 AND leaf = ?2), 0)
        WHERE parent = ?1 AND leaf = ?2
        """
      ).bind(list).bind(right).bind(left).bind(gap).perform()
    } else {
      try db.sql(
        """
        UPDATE node SET parent = ?3, pos = pos + ?4 + coalesce(
          (SELECT max(pos) FROM node WHERE list = ?1 AND parent = ?3)
          - (SELECT min(pos) FROM node WHERE list = ?1 AND parent = ?2), 0)
        WHERE list = ?1 AND parent = ?2
        """
      ).bind(list).bind(right).bind(left).bind(gap).perform()
    }
  }

  /// Replaces a root that has one child by that child. An empty tree becomes one leaf again.
  private mutating func lowerRoot(_ db: Connection) throws(StorageError) {
    if count == 0 { height = 0 }
    while height > 0, try childCount(of: root, db) == 1,
      let only = try child(of: root, after: .min, in: db)
    {
      try delete(only, db)
      root = only.id
      height -= 1
    }
  }

  private func delete(_ step: TreeStep, _ db: Connection) throws(StorageError) {
    try db.sql("DELETE FROM node WHERE list = ?1 AND parent = ?2 AND pos = ?3")
      .bind(list).bind(step.parent).bind(step.pos).perform()
  }

  private func child(
    of node: Int64, before pos: Int64, in db: Connection
  ) throws(StorageError) -> TreeStep? {
    try db.sql(
      """
      SELECT pos, id, count FROM node
      WHERE list = ?1 AND parent = ?2 AND pos < ?3 ORDER BY pos DESC LIMIT 1
      """
    ).bind(list).bind(node).bind(pos).one {
      TreeStep(parent: node, pos: $0.int64(0), id: $0.int64(1), count: $0.count(2))
    }
  }
}
