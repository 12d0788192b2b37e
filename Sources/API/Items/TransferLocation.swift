import Inventory

/// Where the rows of a transfer are, as the text of a table's cell.
struct TransferLocation {
  private struct Level {
    let list: ListID
    /// The titles that lead to the list, the outermost first. There is at most one more than a table may have in one cell.
    let titles: [String]
    let text: String?
  }

  /// The lists that contain the current row, the outermost first.
  private var levels: [Level] = []
  private var item: TransferredItem?

  /// The cell with the titles of the lists and items that contain the current row, below the transfer's first list. Nil for
  /// a row of that list.
  var text: String? { levels.last?.text }

  /// Call this with each record of a transfer, in its order.
  mutating func enter(_ record: TransferRecord) {
    switch record {
    case .list(let list):
      switch list.holder {
      case .nothing: levels = [Level(list: list.id, titles: [], text: nil)]
      case .list(let parent):
        leave(until: parent)
        add(list.id, list.details.title)
      case .item:
        // The contents of an item follow it.
        add(list.id, item?.details.title ?? list.details.title)
      }
    case .item(let item):
      leave(until: item.list)
      self.item = item
    case .photo: break
    }
  }

  private mutating func leave(until list: ListID) {
    while let last = levels.last, last.list != list { levels.removeLast() }
  }

  private mutating func add(_ list: ListID, _ title: String) {
    let titles = ((levels.last?.titles ?? []) + [title]).prefix(Limits.roomsInOneCell + 1)
    let text = FormulaGuard.guarded(LocationText.text(Array(titles)))
    levels.append(Level(list: list, titles: Array(titles), text: text))
  }
}
