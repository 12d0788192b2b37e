import Inventory

/// The lists and items that a caller can see, by their numbers.
struct VisibleTree {
  /// The root first.
  private(set) var lists: [Int] = []
  private(set) var items: [Int] = []
  /// By item; none of those that have no photos.
  private(set) var photos: [Int: [Int]] = [:]
  private(set) var rows: [Int: [Int]] = [:]
  /// All rows in lists: everything except the root and contents lists.
  private(set) var members: [Int] = []
  /// The lists that have rows.
  private(set) var filled: [Int] = []

  init(_ state: ArrayState, below root: Int = 0) {
    let names = NodeNames(root: state.rootID)
    var waiting = [names.row(root)]
    while let row = waiting.popLast() {
      let number = names.number(row)
      if let list = state.lists[ListID(row)] {
        lists.append(number)
        let numbers = list.rows.map(names.number)
        rows[number] = numbers
        members += numbers
        if !numbers.isEmpty { filled.append(number) }
        waiting += list.rows
      } else if let item = state.items[ItemID(row)] {
        items.append(number)
        if !item.photos.isEmpty { photos[number] = item.photos.map(names.number) }
        if let contents = item.contents { waiting.append(RowID(contents)) }
      }
    }
  }
}
