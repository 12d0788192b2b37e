import SQL

extension OrderTree {
  /// Reserves a place at `index`, 0 to `count`. The caller then puts a row there.
  mutating func reserve(
    at index: Int, shape: TreeShape, in db: Connection
  ) throws(StorageError) -> TreeSlot {
    let descent = try roomyLeaf(at: index, shape: shape, in: db)
    var pos = try freePos(in: descent, gap: shape.gap, db)
    if pos == nil {
      try respaceLeaf(descent.leaf, gap: shape.gap, db)
      pos = try freePos(in: descent, gap: shape.gap, db)
    }
    guard let pos else { throw .broken("list \(list): leaf \(descent.leaf) has no gap") }
    try add(1, along: descent.steps, db)
    count += 1
    return TreeSlot(leaf: descent.leaf, pos: pos)
  }

  /// Reserves `number` places at the end. The caller then puts rows there, in order.
  mutating func reserve(
    atEnd number: Int, shape: TreeShape, in db: Connection
  ) throws(StorageError) -> [TreeSlot] {
    var places: [TreeSlot] = []
    places.reserveCapacity(number)
    while places.count < number {
      // A split moves rows of the previous leaf. They must be in `row` already, but rows of places reserved here are
      // not. So this adds leaves after the last one, and splits none.
      var descent = try descend(to: count, prefersLeft: true, in: db)
      if descent.leafCount >= shape.fanOut {
        descent = try appendLeaf(after: descent, shape: shape, in: db)
      }
      // Rows of places reserved here are not in their leaf yet.
      var last = places.last.flatMap { $0.leaf == descent.leaf ? $0.pos : nil }
      if last == nil { last = try lastPos(in: descent.leaf, db) }
      let room = min(shape.fanOut - descent.leafCount, number - places.count)
      var pos = last ?? -shape.gap
      for _ in 0..<room {
        pos &+= shape.gap
        places.append(TreeSlot(leaf: descent.leaf, pos: pos))
      }
      try add(room, along: descent.steps, db)
      count += room
    }
    return places
  }

  /// The leaf for a new row at `index`, after the splits that make room in it.
  private mutating func roomyLeaf(
    at index: Int, shape: TreeShape, in db: Connection
  ) throws(StorageError) -> TreeDescent {
    // Each split makes room on one level.
    for _ in 0...2 * Self.maximumHeight {
      let descent = try descend(to: index, prefersLeft: true, in: db)
      if descent.leafCount < shape.fanOut { return descent }
      // The highest of the full nodes that end with the leaf. The node above it has room.
      var depth = descent.steps.count
      while depth > 0,
        try childCount(of: descent.steps[depth - 1].parent, db) >= shape.fanOut
      {
        depth -= 1
      }
      try split(descent, depth: depth, isAppending: index == count, shape: shape, in: db)
    }
    throw .broken("list \(list): its leaves count more rows than they have")
  }

  /// Splits the node `depth` steps down. Depth 0 is the root, which first gets a new root above it.
  private mutating func split(
    _ descent: TreeDescent, depth: Int, isAppending: Bool, shape: TreeShape, in db: Connection
  ) throws(StorageError) {
    let isLeaf = depth == descent.steps.count
    let node = depth == 0 ? try growRoot(db) : descent.steps[depth - 1]
    // Rows that are appended in order leave full nodes behind.
    let kept = isAppending ? shape.fanOut - 1 : shape.fanOut / 2
    let new = takeNodeID()
    let moved: Int
    if isLeaf {
      try settle(node.id, in: db)
      moved = try db.sql(
        """
        UPDATE row SET leaf = ?4 WHERE parent = ?1 AND leaf = ?2 AND pos >= (
          SELECT pos FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos LIMIT 1 OFFSET ?3)
        """
      ).bind(list).bind(node.id).bind(kept).bind(new).performCounting()
    } else {
      moved = try db.sql(
        """
        UPDATE node SET parent = ?4 WHERE list = ?1 AND parent = ?2 AND pos >= (
          SELECT pos FROM node WHERE list = ?1 AND parent = ?2 ORDER BY pos LIMIT 1 OFFSET ?3)
        RETURNING count
        """
      ).bind(list).bind(node.id).bind(kept).bind(new).all { $0.int(0) }.reduce(0, +)
    }
    guard moved > 0 else { throw .broken("list \(list): node \(node.id) is not full") }
    try insertNode(id: new, count: moved, after: node, gap: shape.gap, db)
    try db.sql("UPDATE node SET count = count - ?3 WHERE list = ?1 AND id = ?2")
      .bind(list).bind(node.id).bind(moved).perform()
  }

  /// Adds an empty leaf after the last one, and the nodes above it that it needs.
  mutating func appendLeaf(
    after last: TreeDescent, shape: TreeShape, in db: Connection
  ) throws(StorageError) -> TreeDescent {
    var steps = last.steps
    while let depth = steps.indices.last,
      try childCount(of: steps[depth].parent, db) >= shape.fanOut
    {
      steps.removeLast()
    }
    if steps.isEmpty { steps = [try growRoot(db)] }
    var sibling = steps.removeLast()
    repeat {
      let new = takeNodeID()
      let pos = try insertNode(id: new, count: 0, after: sibling, gap: shape.gap, db)
      steps.append(TreeStep(parent: sibling.parent, pos: pos, id: new, count: 0))
      // The first child of a new node has no sibling before it.
      sibling = TreeStep(parent: new, pos: -shape.gap, id: 0, count: 0)
    } while steps.count < height
    return TreeDescent(leaf: steps[steps.count - 1].id, leafCount: 0, offset: 0, steps: steps)
  }

  /// Puts a new root above the old one, which becomes its only child.
  private mutating func growRoot(_ db: Connection) throws(StorageError) -> TreeStep {
    let old = TreeStep(parent: takeNodeID(), pos: 0, id: root, count: count)
    try Self.insert(old, of: list, in: db)
    root = old.parent
    height += 1
    return old
  }

  /// Inserts a node right after a sibling. Returns its position.
  @discardableResult
  private func insertNode(
    id: Int64, count: Int, after sibling: TreeStep, gap: Int64, _ db: Connection
  ) throws(StorageError) -> Int64 {
    var sibling = sibling
    var next = try child(of: sibling.parent, after: sibling.pos, in: db)?.pos
    if let follower = next, follower &- sibling.pos < 2 {
      try respaceChildren(of: sibling.parent, gap: gap, db)
      sibling.pos =
        try db.sql("SELECT pos FROM node WHERE list = ?1 AND id = ?2")
        .bind(list).bind(sibling.id).one { $0.int64(0) } ?? sibling.pos
      next = try child(of: sibling.parent, after: sibling.pos, in: db)?.pos
    }
    let pos = next.map { sibling.pos &+ ($0 &- sibling.pos) / 2 } ?? sibling.pos &+ gap
    try Self.insert(
      TreeStep(parent: sibling.parent, pos: pos, id: id, count: count), of: list, in: db)
    return pos
  }

  mutating func takeNodeID() -> Int64 {
    defer { nextNode += 1 }
    return nextNode
  }

  func add(_ number: Int, along steps: [TreeStep], _ db: Connection) throws(StorageError) {
    for step in steps {
      try db.sql(
        "UPDATE node SET count = count + ?4 WHERE list = ?1 AND parent = ?2 AND pos = ?3"
      ).bind(list).bind(step.parent).bind(step.pos).bind(number).perform()
    }
  }

  func childCount(of node: Int64, _ db: Connection) throws(StorageError) -> Int {
    try db.sql("SELECT count(*) FROM node WHERE list = ?1 AND parent = ?2")
      .bind(list).bind(node).one { $0.int(0) } ?? 0
  }
}

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
        AS child
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
    guard let first = neighbours.first, let last = neighbours.last,
      descent.offset == 0 || neighbours.count == 2
    else { throw .broken("list \(list): leaf \(descent.leaf) has too few rows") }
    if descent.offset == 0 { return first &- gap }
    let middle = first &+ (last &- first) / 2
    return middle > first ? middle : nil
  }

  func respaceLeaf(_ leaf: Int64, gap: Int64, _ db: Connection) throws(StorageError) {
    try settle(leaf, in: db)
    let rows = try db.sql("SELECT key, pos FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos")
      .bind(list).bind(leaf).all { (key: $0.key(0) as RowKey, pos: $0.int64(1)) }
    let start = Self.freshStart(rows.map(\.pos), gap: gap)
    for (number, row) in rows.enumerated() {
      try db.sql("UPDATE row SET pos = ?2 WHERE key = ?1")
        .bind(row.key).bind(start &+ Int64(number) &* gap).perform()
    }
  }

  func respaceChildren(of node: Int64, gap: Int64, _ db: Connection) throws(StorageError) {
    let positions = try db.sql("SELECT pos FROM node WHERE list = ?1 AND parent = ?2 ORDER BY pos")
      .bind(list).bind(node).all { $0.int64(0) }
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
