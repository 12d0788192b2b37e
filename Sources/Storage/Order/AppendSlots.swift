import Inventory
import SQLite

/// Places at the ends of lists for rows that come in order, made for all rows of a list at once.
struct AppendSlots {
  /// How many rows each list is to get.
  private let counts: [RowID: Int]
  private var places: [RowID: ArraySlice<TreeSlot>] = [:]

  /// - Parameter rows: for each row to be placed, the id of its list.
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
