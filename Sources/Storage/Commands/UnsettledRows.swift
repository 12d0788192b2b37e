import Inventory

/// The rows of one list that are still to go back to their places in it, with their indices as they are just now.
struct UnsettledRows {
  /// By ascending index.
  private var rows: [(row: RowID, index: Int)]

  init(_ rows: [(row: RowID, index: Int)]) { self.rows = rows.sorted { $0.index < $1.index } }

  /// An index that was counted without these rows, or the end, as it is with them in a list of `count`.
  func place(_ index: Int, of count: Int) -> Int {
    var place = min(index, count - rows.count)
    for row in rows where row.index <= place { place += 1 }
    return place
  }

  /// A row has gone back to an index: from another one, or from outside of the list.
  mutating func settle(_ row: RowID, from: Int?, to: Int) {
    rows.removeAll { $0.row == row }
    for number in rows.indices {
      if let from, rows[number].index > from { rows[number].index -= 1 }
      if rows[number].index >= to { rows[number].index += 1 }
    }
  }
}
