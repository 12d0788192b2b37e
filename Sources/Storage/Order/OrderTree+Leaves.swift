import Inventory
import SQL

extension OrderTree {
  /// The rows of leaf ?2 in the arrangement ?1: those with places in the arrangement, and those with places in `row`.
  private static let placed: StaticString = """
    WITH placed (pos, row) AS (
      SELECT pos, row FROM arranged_leaf WHERE arrangement = ?1 AND leaf = ?2
      UNION ALL
      SELECT pos, key FROM row
      WHERE parent = (SELECT list FROM arrangement WHERE key = ?1) AND leaf = ?2)
    """

  /// Reads rows of one leaf, in order, while the body returns true.
  ///
  /// - Parameters:
  ///   - columns: the columns to read of each row.
  ///   - own: the rest of the statement for leaf ?2 of list ?1. It reads `row`.
  ///   - arranged: the rest of the statement for a list with an arrangement. It reads the table `placed`, which has the
  ///     positions and rows of the leaf.
  ///   - bind: binds the parameters of `own` or `arranged` from ?3 on.
  func eachRow(
    of leaf: Int64, _ columns: StaticString, own: StaticString, arranged: StaticString,
    in db: Connection, bind: (Statement) -> Void = { _ in },
    _ body: (Statement) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let statement =
      if let arrangement {
        try db.sql(with: Self.placed, columns, arranged).bind(arrangement)
      } else {
        try db.sql(columns, own).bind(list)
      }
    bind(statement.bind(leaf))
    try statement.eachWhile(body)
  }

  /// Reads all rows, in order.
  func eachRow(
    _ columns: StaticString, own: StaticString, arranged: StaticString, in db: Connection,
    _ body: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    var steps: [TreeStep]? = try descend(to: 0, prefersLeft: false, in: db).steps
    while let leaf = steps {
      try eachRow(of: leaf.last?.id ?? root, columns, own: own, arranged: arranged, in: db) {
        (row) throws(StorageError) in
        try body(row)
        return true
      }
      steps = try nextLeaf(after: leaf, in: db)
    }
  }

  /// The leaves in order, each with its number of rows. An empty tree has none.
  func leaves(in db: Connection) throws(StorageError) -> [(id: Int64, count: Int)] {
    guard count > 0 else { return [] }
    var level: [(id: Int64, count: Int)] = [(root, count)]
    for _ in 0..<height {
      var below: [(id: Int64, count: Int)] = []
      for node in level {
        below += try db.sql(
          "SELECT id, count FROM node WHERE list = ?1 AND parent = ?2 ORDER BY pos"
        )
        .bind(list).bind(node.id).all { (id: $0.int64(0), count: $0.count(1)) }
      }
      level = below
    }
    return level
  }

  /// Makes room for `number` rows in an empty leaf at the end, which it adds if the last leaf has rows. The caller
  /// then puts the rows there. Returns the id of the leaf.
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

/// Places at the ends of lists, reserved for all new rows of a list at once.
struct AppendSlots {
  /// The number of new rows of each list.
  private let counts: [RowID: Int]
  private var places: [RowID: ArraySlice<TreeSlot>] = [:]

  /// - Parameter rows: for each new row, the id of its list.
  init(_ rows: some Sequence<RowID>) {
    var counts: [RowID: Int] = [:]
    for row in rows { counts[row, default: 0] += 1 }
    self.counts = counts
  }

  /// The next place in the list with this id, and its index.
  mutating func next(
    in id: RowID, _ list: inout ListRecord, shape: TreeShape, _ db: Connection
  ) throws(StorageError) -> (place: TreeSlot, index: Int) {
    if places[id] == nil {
      places[id] = try list.tree.reserve(atEnd: counts[id] ?? 0, shape: shape, in: db)[...]
    }
    let left = places[id]?.count ?? 0
    guard let place = places[id]?.popFirst() else {
      throw .broken("list \(list.key): more rows came than were counted")
    }
    return (place, list.tree.count - left)
  }
}
