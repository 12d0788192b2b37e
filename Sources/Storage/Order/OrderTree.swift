import SQL

/// The place of a row in a list's tree: a leaf, and a position in that leaf.
struct TreeSlot: Equatable {
  var leaf: Int64
  var pos: Int64
}

/// The order of one list's rows: a counted B+tree stored in tables. Index → row, row → index, insert, delete and move
/// are O(log n).
///
/// `list` holds the root and the height, `node` the nodes below the root, `row` the leaves' rows.
/// The tree reserves and releases places. The caller writes them into `row`, and the tree's own fields into `list`.
struct OrderTree {
  let list: RowKey
  var root: Int64
  /// 0 if the root is the only leaf.
  var height: Int
  var nextNode: Int64
  /// The number of rows.
  var count: Int
  /// The arrangement that was made when the list was reordered. It has the places of all rows whose place is not in
  /// `row`. Nil if `row` has all places.
  var arrangement: ArrangementKey?

  /// No list has enough rows for such a high tree.
  static let maximumHeight = 64
}

/// A node on the path from the root down to a leaf. The root itself is not in `node`.
struct TreeStep: Equatable, Sendable {
  var parent: Int64
  var pos: Int64
  var id: Int64
  var count: Int
}

/// The path to the leaf that contains an index.
struct TreeDescent {
  var leaf: Int64
  /// The number of rows in the leaf.
  var leafCount: Int
  /// The index inside the leaf.
  var offset: Int
  /// The nodes from the root's child down to the leaf; empty at height 0.
  var steps: [TreeStep]
}

extension OrderTree {
  /// The leaf of the row at `index`; for `index == count` the last leaf.
  ///
  /// On a border between two leaves it is the left one if `prefersLeft` (to insert there), otherwise the right one (to
  /// read there).
  func descend(
    to index: Int, prefersLeft: Bool, in db: Connection
  ) throws(StorageError) -> TreeDescent {
    var steps: [TreeStep] = []
    var node = root
    var rest = index
    for _ in 0..<height {
      var found: TreeStep?
      var passed = 0
      try db.sql(
        "SELECT pos, id, count FROM node WHERE list = ?1 AND parent = ?2 ORDER BY pos"
      ).bind(list).bind(node).eachWhile { row in
        let step = TreeStep(parent: node, pos: row.int64(0), id: row.int64(1), count: row.count(2))
        if let last = found { passed += last.count }
        found = step
        let left = rest - passed
        return left > step.count || (left == step.count && !prefersLeft)
      }
      guard let found, rest - passed <= found.count else {
        throw .broken("list \(list): node \(node) does not reach its row \(rest)")
      }
      rest -= passed
      node = found.id
      steps.append(found)
    }
    return TreeDescent(
      leaf: node, leafCount: steps.last?.count ?? count, offset: rest, steps: steps)
  }

  /// The key of the row at an index; nil at `count` and beyond.
  func row(at index: Int, in db: Connection) throws(StorageError) -> RowKey? {
    guard index >= 0, index < count else { return nil }
    let descent = try descend(to: index, prefersLeft: false, in: db)
    var key: RowKey?
    try eachRow(
      of: descent.leaf, "SELECT",
      own: "key FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos LIMIT 1 OFFSET ?3",
      arranged: "row FROM placed ORDER BY pos LIMIT 1 OFFSET ?3",
      in: db, bind: { $0.bind(descent.offset) }
    ) { row in
      key = row.key(0)
      return false
    }
    guard let key else { throw .broken("list \(list): leaf \(descent.leaf) has too few rows") }
    return key
  }

  /// The index of the row at a place.
  func index(of place: TreeSlot, in db: Connection) throws(StorageError) -> Int {
    try start(of: place.leaf, in: db) + offset(of: place, in: db)
  }

  /// How many rows of its leaf come before a place.
  func offset(of place: TreeSlot, in db: Connection) throws(StorageError) -> Int {
    var offset =
      try db.sql("SELECT count(*) FROM row WHERE parent = ?1 AND leaf = ?2 AND pos < ?3")
      .bind(list).bind(place.leaf).bind(place.pos).one { $0.int(0) } ?? 0
    if let arrangement {
      offset +=
        try db.sql(
          "SELECT count(*) FROM arranged_leaf WHERE arrangement = ?1 AND leaf = ?2 AND pos < ?3"
        ).bind(arrangement).bind(place.leaf).bind(place.pos).one { $0.int(0) } ?? 0
    }
    return offset
  }

  /// The index of the first row of a leaf.
  func start(of leaf: Int64, in db: Connection) throws(StorageError) -> Int {
    var index = 0
    for step in try ascend(from: leaf, in: db) {
      index +=
        try db.sql(
          "SELECT coalesce(sum(count), 0) FROM node WHERE list = ?1 AND parent = ?2 AND pos < ?3"
        ).bind(list).bind(step.parent).bind(step.pos).one { $0.int(0) } ?? 0
    }
    return index
  }

  /// The path from the root down to a leaf.
  func ascend(from leaf: Int64, in db: Connection) throws(StorageError) -> [TreeStep] {
    var steps: [TreeStep] = []
    var node = leaf
    while node != root {
      // The last condition ends the walk in a damaged tree that has a cycle.
      guard
        let step = try db.sql(
          "SELECT parent, pos, count FROM node WHERE list = ?1 AND id = ?2"
        ).bind(list).bind(node).one({
          TreeStep(parent: $0.int64(0), pos: $0.int64(1), id: node, count: $0.count(2))
        }), steps.count < height
      else { throw .broken("list \(list): node \(leaf) does not reach the root") }
      steps.append(step)
      node = step.parent
    }
    steps.reverse()
    return steps
  }

  /// The path to the next leaf; nil after the last one.
  func nextLeaf(after steps: [TreeStep], in db: Connection) throws(StorageError) -> [TreeStep]? {
    var steps = steps
    while let step = steps.popLast() {
      guard let next = try child(of: step.parent, after: step.pos, in: db) else { continue }
      steps.append(next)
      while steps.count < height {
        guard let first = try child(of: steps[steps.count - 1].id, after: .min, in: db) else {
          throw .broken("list \(list): node \(steps[steps.count - 1].id) is empty")
        }
        steps.append(first)
      }
      return steps
    }
    return nil
  }

  /// The first child of a node after a position.
  func child(
    of node: Int64, after pos: Int64, in db: Connection
  ) throws(StorageError) -> TreeStep? {
    try db.sql(
      """
      SELECT pos, id, count FROM node
      WHERE list = ?1 AND parent = ?2 AND pos > ?3 ORDER BY pos LIMIT 1
      """
    ).bind(list).bind(node).bind(pos).one {
      TreeStep(parent: node, pos: $0.int64(0), id: $0.int64(1), count: $0.count(2))
    }
  }
}

/// The constants of the counted tree.
package struct TreeShape: Sendable, Hashable {
  /// The maximum number of rows in a leaf, and of children of a node.
  package let fanOut: Int
  /// The distance between neighbours' positions when there is room.
  package let gap: Int64

  package init(fanOut: Int = 64, gap: Int64 = 1 << 16) {
    precondition(fanOut >= 4 && gap >= 2, "a tree needs a fan-out of 4 and a gap of 2 at least")
    self.fanOut = fanOut
    self.gap = gap
  }
}
