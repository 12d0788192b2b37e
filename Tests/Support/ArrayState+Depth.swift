import Inventory

extension ArrayState {
  /// Counted from the inventory's root list.
  func level(of row: RowID) -> Int { chain(of: row).count }

  /// Refuses lists that would be on this level, the deepest one of the new lists.
  func requireRoom(onLevel level: Int, for caller: Caller) throws(InventoryError) {
    let limit = DepthLimit.standard.lowered(to: depthLimit)
    guard !limit.admits(level) else { return }
    let above = self.level(of: RowID(root(for: caller))) - 1
    throw .tooDeep(limit: max(1, limit.level - above))
  }

  /// Refuses a row in a list if a list in it would be too deep.
  ///
  /// - Parameter old: the level that it stood on; nil for what stood nowhere.
  func requireRoom(
    for row: RowID, in list: ListID, from old: Int?, for caller: Caller
  ) throws(InventoryError) {
    let level = level(of: RowID(list)) + 1
    guard DepthLimit.concerns(level, from: old), let steps = deepestList(from: row) else { return }
    try requireRoom(onLevel: level + steps, for: caller)
  }

  /// How many steps it is down from a row to the lowest list, which may be the row itself; nil without one.
  private func deepestList(from row: RowID) -> Int? {
    var deepest: Int?
    var waiting = [(row: row, steps: 0)]
    while let (row, steps) = waiting.popLast() {
      if let list = lists[ListID(row)] {
        deepest = max(deepest ?? 0, steps)
        waiting += list.rows.map { ($0, steps + 1) }
      } else if let contents = items[ItemID(row)]?.contents {
        waiting.append((RowID(contents), steps + 1))
      }
    }
    return deepest
  }
}

extension ArrayState.StagedTree {
  /// The top is on level 1.
  func level(of row: RowID) -> Int {
    var level = 1
    var row = row
    while row != RowID(top) {
      let list = lists[ListID(row)]
      let above = list?.parent.map { RowID($0) } ?? list?.item.map { RowID($0) }
      guard let next = above ?? items[ItemID(row)].map({ RowID($0.list) }) else {
        preconditionFailure("\(row) is not in the tree.")
      }
      row = next
      level += 1
    }
    return level
  }

  /// On how many levels it has lists.
  var levels: Int { lists.keys.map { level(of: RowID($0)) }.max() ?? 1 }
}
