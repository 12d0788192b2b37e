import Inventory

/// The lists and items that a caller can see, by their numbers.
struct VisibleTree {
  /// The root first.
  private(set) var lists: [Int] = []
  private(set) var items: [Int] = []
  private(set) var rows: [Int: [Int]] = [:]
  var rowCount: Int { rows.values.reduce(0) { $0 + $1.count } }

  init(_ state: ArrayState, below root: Int = 0) {
    let names = NodeNames(root: state.rootID)
    var waiting = [names.row(root)]
    while let row = waiting.popLast() {
      let number = names.number(row)
      if let list = state.lists[ListID(row)] {
        lists.append(number)
        rows[number] = list.rows.map(names.number)
        waiting += list.rows
      } else if let item = state.items[ItemID(row)] {
        items.append(number)
        if let contents = item.contents { waiting.append(RowID(contents)) }
      }
    }
  }
}
