import SQLite

/// Leaves that go from one tree to another whole.
extension OrderTree {
  /// The leaves in order, each with its number of rows; none of an empty tree.
  func leaves(in db: Connection) throws(StorageError) -> [(id: Int64, count: Int)] {
    guard count > 0 else { return [] }
    var level: [(id: Int64, count: Int)] = [(root, count)]
    for _ in 0..<height {
      var below: [(id: Int64, count: Int)] = []
      for node in level {
        try db.sql("SELECT id, count FROM node WHERE list = ?1 AND parent = ?2 ORDER BY pos")
          .bind(list).bind(node.id).each { below.append(($0.int64(0), $0.count(1))) }
      }
      level = below
    }
    return level
  }

  /// Makes a leaf at the end for so many rows, which the caller then puts there; its id.
  mutating func makeLeaf(
    atEnd number: Int, shape: TreeShape, in db: Connection
  ) throws(StorageError) -> Int64 {
    var descent = try descend(to: count, prefersLeft: true, in: db)
    if descent.leafCount > 0 {
      descent = try appendLeaf(after: descent, shape: shape, in: db)
    }
    try add(number, along: descent.steps, db)
    count += number
    return descent.leaf
  }
}
