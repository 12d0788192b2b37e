import Inventory

extension ArrayChange {
  mutating func undo(_ revision: Revision) throws(InventoryError) -> Outcome {
    try state.requireRoot(of: caller)
    let entry = try state.entry(revision)
    guard entry.isWithinSight(of: caller, in: state, at: revision) else { throw .notFound(.change) }
    try requireRole(.editor)
    guard entry.isUndoable else { throw .notUndoable(revision) }
    var undo = ArrayUndo(of: entry, revision, in: state, now: now, for: caller)
    try undo.findConflicts()
    try requirePermissions(undo)
    let levels = undo.levels
    for (list, order) in entry.rows where !entry.reordered.contains(list) {
      for row in state[list].rows.reversed()
      where order.after.contains(row) && !order.before.contains(row) {
        sendAway(row, of: list, undo)
      }
    }
    for (list, order) in entry.rows where !entry.reordered.contains(list) {
      try putBack(order.before, into: list, undo)
    }
    for (list, order) in entry.rows where entry.reordered.contains(list) {
      setRows(order.before, of: list)
      reordered.insert(list)
    }
    for list in entry.rows.keys where !entry.reordered.contains(list) {
      for row in undo.arriving(in: list) {
        if state.chain(of: RowID(list)).contains(row) { throw .cycle }
        try state.requireRoom(for: row, in: list, from: levels[row], for: caller)
      }
    }
    for (item, details) in undo.items {
      state[item].details = details
      touch(item)
    }
    for (item, photos) in undo.photos {
      state[item].photos = photos
      touch(item)
    }
    for (list, details) in undo.lists {
      state[list].details = details
      touch(list)
    }
    let receipt = finish()
    for (row, deleted) in state.trash where deleted.isRehomed { state.loseHome(of: row) }
    return Outcome(receipt: receipt)
  }

  private mutating func sendAway(_ row: RowID, of list: ListID, _ undo: ArrayUndo) {
    guard undo.origins[row] == nil else {
      return setRows(state[list].rows.filter { $0 != row }, of: list)
    }
    throwAway(row, of: list)
    guard let former = undo.former(row, leaving: list) else { return }
    state.trash[row] = former
    state.placed[row] = before.revision.next
    if former.list != list { setHome(of: row, to: former.list) }
  }

  /// One row after the other, each beside the nearest of its old neighbours that is settled.
  private mutating func putBack(
    _ old: [RowID], into list: ListID, _ undo: ArrayUndo
  ) throws(InventoryError) {
    var unsettled = old.filter { undo.isBack($0, to: list) }
    while let row = unsettled.first {
      unsettled.removeFirst()
      var rows = state[list].rows
      let settled = rows.filter { $0 != row && !unsettled.contains($0) }
      let place = old.firstIndex(of: row) ?? 0
      // How many of the settled rows come before it.
      let target: Int
      if let previous = old[..<place].last(where: settled.contains) {
        target = (settled.firstIndex(of: previous) ?? 0) + 1
      } else if let next = old[place...].first(where: settled.contains) {
        target = settled.firstIndex(of: next) ?? 0
      } else {
        target = min(place, settled.count)
      }
      if let from = rows.firstIndex(of: row) {
        if rows[..<from].count(where: settled.contains) == target { continue }
        rows.remove(at: from)
        moved.insert(row)
      } else {
        if undo.destinations[row] == nil {
          if state.trash[row]?.list != list || state.trash[row]?.isRehomed == true {
            setHome(of: row, to: list)
          }
          state.trash[row] = nil
        } else {
          if undo.isCycle(row, into: list) { throw .cycle }
          setHome(of: row, to: list)
        }
      }
      let behind = target == 0 ? 0 : (rows.firstIndex(of: settled[target - 1]) ?? 0) + 1
      rows.insert(row, at: behind)
      setRows(rows, of: list)
    }
  }

  private func requirePermissions(_ undo: ArrayUndo) throws(InventoryError) {
    if undo.changesPermissions { try requireRole(.owner) }
    var needs = undo.needs
    for (list, details) in undo.lists
    where !ListFields(between: state[list].details, and: details).isDisjoint(with: .shownByRow) {
      if let parent = state.list(list, for: caller).parentID {
        needs[parent, default: []].insert(.edit)
      }
    }
    for (list, needed) in needs.sorted(by: { $0.key.description < $1.key.description }) {
      let missing = needed.subtracting(state[list].details.permissions)
      guard missing.isEmpty else { throw .listForbids(missing, list) }
    }
  }
}
