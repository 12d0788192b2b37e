import SQLite

extension OrderTree {
  /// Makes the tree anew with full leaves under ids not used before; the places for all its rows, in
  /// order, which the caller then puts there.
  mutating func rebuild(shape: TreeShape, in db: Connection) throws(StorageError) -> [TreeSlot] {
    try db.sql("DELETE FROM node WHERE list = ?1").bind(list).perform()
    var places: [TreeSlot] = []
    places.reserveCapacity(count)
    var level: [(id: Int64, count: Int)] = []
    repeat {
      let size = min(shape.fanOut, count - places.count)
      let leaf = takeNodeID()
      places += (0..<size).map { TreeSlot(leaf: leaf, pos: Int64($0) * shape.gap) }
      level.append((leaf, size))
    } while places.count < count
    height = 0
    arrangement = nil
    while level.count > 1 {
      level = try parents(of: level, shape: shape, db)
      height += 1
    }
    root = level[0].id
    return places
  }

  /// Puts the nodes of one level below new ones.
  private mutating func parents(
    of level: [(id: Int64, count: Int)], shape: TreeShape, _ db: Connection
  ) throws(StorageError) -> [(id: Int64, count: Int)] {
    var above: [(id: Int64, count: Int)] = []
    for start in stride(from: 0, to: level.count, by: shape.fanOut) {
      let parent = takeNodeID()
      var sum = 0
      for (offset, child) in level[start..<min(start + shape.fanOut, level.count)].enumerated() {
        try db.sql("INSERT INTO node (list, parent, pos, id, count) VALUES (?1, ?2, ?3, ?4, ?5)")
          .bind(list).bind(parent).bind(Int64(offset) * shape.gap).bind(child.id).bind(child.count)
          .perform()
        sum += child.count
      }
      above.append((parent, sum))
    }
    return above
  }
}
