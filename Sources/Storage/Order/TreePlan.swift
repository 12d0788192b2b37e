/// The nodes of a tree with full leaves, worked out without a database.
struct TreePlan: Sendable {
  struct Node: Sendable {
    var parent: Int64
    var pos: Int64
    var id: Int64
    var count: Int
  }

  let rowCount: Int
  let shape: TreeShape
  /// The ids of its nodes, the root's included.
  let ids: Range<Int64>
  let height: Int
  /// All nodes below the root, level by level from the leaves up.
  let nodes: [Node]

  var root: Int64 { ids.upperBound - 1 }

  /// - Parameter first: the first of as many node ids as it needs.
  init(rowCount: Int, shape: TreeShape, first: Int64) {
    self.rowCount = rowCount
    self.shape = shape
    var nodes: [Node] = []
    let leaves = max(1, (rowCount + shape.fanOut - 1) / shape.fanOut)
    var level = (0..<leaves).map { leaf in
      (
        id: first + Int64(leaf),
        count: min(shape.fanOut, rowCount - leaf * shape.fanOut)
      )
    }
    var next = first + Int64(leaves)
    var height = 0
    while level.count > 1 {
      var above: [(id: Int64, count: Int)] = []
      for start in stride(from: 0, to: level.count, by: shape.fanOut) {
        let children = level[start..<min(start + shape.fanOut, level.count)]
        for (offset, child) in children.enumerated() {
          nodes.append(
            Node(parent: next, pos: Int64(offset) * shape.gap, id: child.id, count: child.count))
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

  /// Where the row at an index stands.
  func place(at index: Int) -> TreeSlot {
    TreeSlot(
      leaf: ids.lowerBound + Int64(index / shape.fanOut),
      pos: Int64(index % shape.fanOut) * shape.gap)
  }
}
