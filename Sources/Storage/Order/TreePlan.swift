import SQL

/// The nodes of a tree with leaves that are three quarters full, computed without a database. Full leaves would be
/// split by the first row inserted into them.
struct TreePlan: Sendable {
  let rowCount: Int
  let shape: TreeShape
  /// The ids of its nodes, including the root.
  let ids: Range<Int64>
  let height: Int
  /// All nodes below the root, level by level from the leaves up.
  let nodes: [TreeStep]
  /// The number of rows in a leaf.
  private let fill: Int

  var root: Int64 { ids.upperBound - 1 }

  /// - Parameter first: the first of the node ids reserved for it.
  init(rowCount: Int, shape: TreeShape, first: Int64) {
    self.rowCount = rowCount
    self.shape = shape
    let fill = shape.fanOut * 3 / 4
    self.fill = fill
    var nodes: [TreeStep] = []
    let leaves = max(1, (rowCount + fill - 1) / fill)
    var level = (0..<leaves).map { leaf in
      (id: first + Int64(leaf), count: min(fill, rowCount - leaf * fill))
    }
    var next = first + Int64(leaves)
    var height = 0
    while level.count > 1 {
      var above: [(id: Int64, count: Int)] = []
      for start in stride(from: 0, to: level.count, by: shape.fanOut) {
        let children = level[start..<min(start + shape.fanOut, level.count)]
        for (offset, child) in children.enumerated() {
          nodes.append(
            TreeStep(
              parent: next, pos: Int64(offset) * shape.gap, id: child.id, count: child.count))
        }
        above.append((next, children.reduce(0) { $0 + $1.count }))
        next += 1
      }
      level = above
      height += 1
    }
    ids = first..<next
    self.height = height
    self.nodes = nodes
  }

  /// The place of the row at an index.
  func slot(at index: Int) -> TreeSlot {
    TreeSlot(
      leaf: ids.lowerBound + Int64(index / fill), pos: Int64(index % fill) * shape.gap)
  }
}

extension OrderTree {
  /// Rebuilds the tree under new ids. Returns the places of all its rows in order; the caller writes
  /// them into `row`.
  mutating func rebuild(shape: TreeShape, in db: Connection) throws(StorageError) -> [TreeSlot] {
    try db.sql("DELETE FROM node WHERE list = ?1").bind(list).perform()
    let plan = TreePlan(rowCount: count, shape: shape, first: nextNode)
    for node in plan.nodes { try Self.insert(node, of: list, in: db) }
    nextNode = plan.ids.upperBound
    take(plan)
    return (0..<count).map(plan.slot)
  }

  /// Switches to the tree of a plan whose nodes have been written.
  ///
  /// - Parameter arrangement: the arrangement with the places of its leaves; nil if `row` has them.
  mutating func take(_ plan: TreePlan, arrangement: ArrangementKey? = nil) {
    root = plan.root
    height = plan.height
    self.arrangement = arrangement
  }

  static func insert(_ node: TreeStep, of list: RowKey, in db: Connection) throws(StorageError) {
    try db.sql("INSERT INTO node (list, parent, pos, id, count) VALUES (?1, ?2, ?3, ?4, ?5)")
      .bind(list).bind(node.parent).bind(node.pos).bind(node.id).bind(node.count).perform()
  }
}
