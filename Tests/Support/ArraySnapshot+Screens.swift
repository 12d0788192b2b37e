import Inventory

/// What screens, neighbours and navigators are read from.
extension ArraySnapshot {
  func screenSubjects(of rows: Set<RowID>) throws(InventoryError) -> [RowID: ScreenSubject] {
    try state.requireRoot(of: caller)
    var found: [RowID: ScreenSubject] = [:]
    for row in rows where isVisible(row) {
      if state.lists[ListID(row)] != nil {
        found[row] = ScreenSubject(state.list(ListID(row), for: caller), for: caller)
      } else {
        let item = state.item(ItemID(row))
        found[row] = ScreenSubject(item, in: state.list(item.listID, for: caller), for: caller)
      }
    }
    return found
  }

  private func isVisible(_ row: RowID) -> Bool {
    do throws(InventoryError) {
      try state.require(row, for: caller, as: .row)
      return true
    } catch { return false }
  }

  func isTooDeep(_ row: RowID?, in list: ListID) throws(InventoryError) -> Bool {
    let list = try state.listID(.id(list), for: caller)
    if let row { try state.require(row, for: caller, as: .row) }
    do throws(InventoryError) {
      if let row {
        try state.requireRoom(for: row, in: list, from: state.level(of: row), for: caller)
      } else {
        try state.requireRoom(onLevel: state.level(of: RowID(list)) + 1, for: caller)
      }
      return false
    } catch { return true }
  }

  func nearestAncestor(of row: RowID) throws(InventoryError) -> PathStep {
    try state.requireRoot(of: caller)
    let root = RowID(state.root(for: caller))
    let above = state.chain(of: row).dropFirst()
    guard row != root, above.contains(root) else { return state.step(root) }
    return state.step(above.first { isVisible($0) } ?? root)
  }

  func neighbours(of id: ItemID) throws(InventoryError) -> Neighbours {
    let list = try item(id).listID
    let items = state[list].rows.filter { state.items[ItemID($0)] != nil }
    let index = items.firstIndex(of: RowID(id)) ?? 0
    return Neighbours(
      previous: index > 0 ? state.step(items[index - 1]) : nil,
      next: index + 1 < items.count ? state.step(items[index + 1]) : nil,
      index: index, count: items.count)
  }

  func navigator(_ id: NavigatorID) throws(InventoryError) -> Navigator {
    try state.requireRoot(of: caller)
    guard let owned = state.navigators[id], owned.owner == caller.owner else {
      throw .notFound(.navigator)
    }
    return owned.navigator
  }

  func navigators(named name: String?) throws(InventoryError) -> [NavigatorSummary] {
    try state.requireRoot(of: caller)
    return state.navigators.values.filter { owned in
      owned.owner == caller.owner && (name == nil || owned.navigator.details.name == name)
    }.map(\.navigator.summary).sorted {
      $0.lastUsedAt != $1.lastUsedAt
        ? $0.lastUsedAt > $1.lastUsedAt : $0.id.description < $1.id.description
    }
  }

  func appearance() throws(InventoryError) -> VersionedAppearance {
    try state.requireRoot(of: caller)
    return state.appearance
  }
}
