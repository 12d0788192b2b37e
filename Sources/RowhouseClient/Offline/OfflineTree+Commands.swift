import Foundation

extension OfflineTree {
  /// Applies a command as the server would, in full or not at all.
  ///
  /// - Parameter date: The time of the command. A list or an item that it creates gets this time.
  mutating func apply(_ intent: SyncCommand.Intent, at date: Date) {
    switch intent {
    case .createList(let members, let parent, let position):
      guard let list = Rowhouse.List(members, at: date) else { return }
      create(Row(ListSummary(list)), in: key(of: parent), at: position) { tree, key in
        tree.nodes[key] = Node(list: list, order: [])
      }
    case .createItem(let members, let list, let position):
      guard let item = Item(members, at: date) else { return }
      create(Row(ItemSummary(item)), in: key(of: list), at: position) { tree, key in
        tree.items[key] = item
      }
    case .editList(let id, let patch, _): edit(key(of: id), patch)
    case .editItem(let id, let patch, let started):
      let key = RowKey(id)
      if holders[key] != nil {
        change(key) { row in
          guard case .item(var item) = row.content, item.patch(patch, from: started) else {
            return
          }
          (row.title, row.detail) = (item.rowTitle, item.serialNumber)
          row.content = .item(item)
        }
      }
      items[key]?.patchAll(patch, from: started)
    case .moveRows(let rows, let list, let position):
      move(rows.map { RowKey($0) }, into: key(of: list), at: position)
    case .delete(let row, let recursive): delete(RowKey(row), recursive: recursive)
    case .restore(let row, let list, let position):
      restore(RowKey(row), into: list.map(key(of:)), at: position)
    }
  }

  /// The index of a position in `order` without the rows `moved`. Nil if the row that the position names is not in
  /// `order`, or is one of `moved`.
  func index(
    of position: Position, in order: [RowKey], without moved: [RowKey] = []
  ) -> Int? {
    /// Converts an index of `order` to an index without the rows `moved`.
    func index(_ place: Int) -> Int {
      place - moved.count { key in order[..<place].contains(key) }
    }
    func place(_ row: Row.ID) -> Int? {
      let key = RowKey(row)
      return moved.contains(key) ? nil : order.firstIndex(of: key)
    }
    switch position {
    case .first: return 0
    case .last: return index(order.count)
    case .index(let wanted): return max(0, min(wanted, index(order.count)))
    case .before(let row): return place(row).map(index)
    case .after(let row): return place(row).map { index($0 + 1) }
    case .either(let preferred, let other):
      return self.index(of: preferred, in: order, without: moved)
        ?? self.index(of: other, in: order, without: moved)
    }
  }

  /// - Parameter complete: Adds the new list to `nodes`, or the new item to `items`.
  private mutating func create(
    _ row: Row, in list: RowKey, at position: Position,
    _ complete: (inout OfflineTree, RowKey) -> Void
  ) {
    let key = RowKey(row.id)
    // An item that has moved into a list that is not kept has details, but no row.
    guard !isInSight(key), items[key] == nil, !isInTrash(key) else { return }
    guard let order = nodes[list]?.order else {
      // The list is not kept, so only the summary in its row changes.
      let former = rows.updateValue(row, forKey: key)
      count([key], in: list, by: 1)
      rows[key] = former
      return
    }
    guard let index = index(of: position, in: order) else { return }
    rows[key] = row
    complete(&self, key)
    insert([key], into: list, at: index)
  }

  private func isInTrash(_ key: RowKey) -> Bool {
    trash[key] != nil || trash.values.contains { $0.holders[key] != nil || $0.nodes[key] != nil }
  }

  private mutating func edit(_ list: RowKey, _ patch: [String: JSONValue]) {
    nodes[list]?.list.patch(patch)
    guard nodes[list] == nil, holders[list] != nil else { return }
    change(list) { row in
      guard case .list(var summary) = row.content else { return }
      summary.patch(patch)
      row.title = summary.title
      row.content = .list(summary)
    }
  }

  private mutating func move(_ moved: [RowKey], into list: RowKey, at position: Position) {
    guard moved.allSatisfy({ holders[$0] != nil }), isInSight(list) else { return }
    var above: RowKey? = list
    while let key = above {
      guard !moved.contains(key) else { return }
      above = parent(of: key)
    }
    guard let order = nodes[list]?.order else { return moveAway(moved, into: list) }
    guard let index = index(of: position, in: order, without: moved) else { return }
    for key in moved { remove(key) }
    insert(moved, into: list, at: index)
  }

  private mutating func delete(_ key: RowKey, recursive: Bool) {
    guard let list = holders[key], let order = nodes[list]?.order,
      let index = order.firstIndex(of: key)
    else { return }
    if !recursive, case .list(let summary)? = rows[key]?.content {
      guard nodes[key]?.order.isEmpty ?? (summary.rowCount == 0) else { return }
    }
    var removal = Removal(
      list: list, index: index, previous: index > 0 ? order[index - 1] : nil,
      next: index + 1 < order.count ? order[index + 1] : nil)
    remove(key)
    takeOut(key, &removal)
    trash[key] = removal
  }

  /// Moves a row and everything below it from the view to the trash.
  private mutating func takeOut(_ top: RowKey, _ removal: inout Removal) {
    var below = [top]
    while let key = below.popLast() {
      if let item = items.removeValue(forKey: key) { removal.items[key] = item }
      if let node = nodes.removeValue(forKey: key) {
        removal.nodes[key] = node
        for row in node.order { removal.holders[row] = holders.removeValue(forKey: row) }
        below += node.order
      }
      // Lists and items that have moved into a list that is not kept have no row.
      below += nodes.filter { holders[$0.key] == nil && parent(of: $0.key) == key }.map(\.key)
      below += items.filter { holders[$0.key] == nil && RowKey($0.value.listID) == key }.map(\.key)
    }
  }

  private mutating func restore(_ key: RowKey, into list: RowKey?, at position: Position?) {
    guard let removal = trash[key] else { return }
    let target = list ?? removal.list
    guard let order = nodes[target]?.order else { return }
    let index: Int
    if let position {
      guard let found = self.index(of: position, in: order) else { return }
      index = found
    } else if target != removal.list {
      index = order.count
    } else if let previous = removal.previous.flatMap(order.firstIndex(of:)) {
      index = previous + 1
    } else {
      index =
        removal.next.flatMap(order.firstIndex(of:)) ?? min(removal.index, order.count)
    }
    trash[key] = nil
    nodes.merge(removal.nodes) { $1 }
    holders.merge(removal.holders) { $1 }
    items.merge(removal.items) { $1 }
    insert([key], into: target, at: index)
  }
}
