import Inventory

/// Where the rows of a transfer are, in the text of a table.
struct TransferLocation {
  /// The lists that contain the current row, the outermost first, each with the titles that lead to it.
  private var lists: [(id: ListID, titles: [String])] = []
  private var item: TransferredItem?

  /// The titles of the lists and items that contain the current row, below the transfer's first list. The outermost is
  /// first. There is at most one more than a table may have in one cell.
  var titles: [String] { lists.last?.titles ?? [] }

  /// Call this with each record of a transfer, in its order.
  mutating func enter(_ record: TransferRecord) {
    switch record {
    case .list(let list):
      switch list.holder {
      case .nothing: lists = [(list.id, [])]
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
    while let last = lists.last, last.id != list { lists.removeLast() }
  }

  private mutating func add(_ list: ListID, _ title: String) {
    lists.append((list, Array((titles + [title]).prefix(Limits.roomsInOneCell + 1))))
  }
}
