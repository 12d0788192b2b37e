import Inventory

extension ArrayChange {
  /// Takes a row out of its list, remembering where it stood.
  mutating func throwAway(_ row: RowID, of list: ListID) {
    let rows = state[list].rows
    guard let index = rows.firstIndex(of: row) else {
      preconditionFailure("The row \(row) is not in the list.")
    }
    state.trash[row] = ArrayState.Deleted(
      list: list, index: index, previous: index > 0 ? rows[index - 1] : nil,
      next: index + 1 < rows.count ? rows[index + 1] : nil, revision: before.revision.next,
      at: now, by: caller.name)
    setRows(rows.filter { $0 != row }, of: list)
  }

  mutating func restore(
    _ row: RowID, into list: ListReference?, _ position: Position?
  ) throws(InventoryError) -> Outcome {
    if context.sync != nil, state.isLive(row), isInSight(row) {
      let home = try home(of: row)
      let wanted = try list.map { (list) throws(InventoryError) in
        try state.listID(list, for: caller)
      }
      if wanted == nil || wanted == home { return Outcome(receipt: finish()) }
    }
    let deleted = try requireDeleted(row)
    var named: ListID?
    if let list { named = try state.listID(list, for: caller) }
    try requireRole(.editor)
    let canReturn = !deleted.isRehomed && state.isLive(RowID(deleted.list))
    guard let target = named ?? (canReturn ? deleted.list : nil) else { throw .listGone(row) }
    try require(.add, in: target)
    let isOld = canReturn && target == deleted.list
    let accepts = state[target].details.itemKind
    if !isOld, let item = state.items[ItemID(row)], !accepts.accepts(item.details.kind) {
      throw .kindMismatch(list: target, accepts: accepts)
    }
    try state.requireRoom(for: row, in: target, from: nil, for: caller)
    var rows = state[target].rows
    var landing = Landing(index: rows.count)
    if let position {
      landing = try self.landing(position, among: rows)
    } else if isOld {
      if let previous = deleted.previous.flatMap({ rows.firstIndex(of: $0) }) {
        landing.index = previous + 1
      } else if let next = deleted.next.flatMap({ rows.firstIndex(of: $0) }) {
        landing.index = next
      } else {
        landing.index = min(deleted.index, rows.count)
      }
    }
    rows.insert(row, at: landing.index)
    state.trash[row] = nil
    if !isOld { setHome(of: row, to: target) }
    setRows(rows, of: target)
    return Outcome(receipt: finish(landing: landing))
  }

  private func isInSight(_ row: RowID) -> Bool {
    state.chain(of: row).contains(RowID(state.root(for: caller)))
  }

  mutating func purge(_ row: RowID) throws(InventoryError) -> Outcome {
    let deleted = try requireDeleted(row)
    try requireRole(.editor)
    state.forget(row, home: deleted.list)
    return Outcome(receipt: finish())
  }

  private func requireDeleted(_ row: RowID) throws(InventoryError) -> ArrayState.Deleted {
    do throws(InventoryError) {
      try state.require(row, for: caller, as: .row)
    } catch {
      if case .inTrash(row) = error, let deleted = state.trash[row] { return deleted }
      throw error
    }
    throw .notFound(.row)
  }
}

extension ArrayState.StoredList {
  /// Has another parent, and had it from the beginning.
  fileprivate mutating func leave(for parent: ListID) {
    self.parent = parent
    for number in versions.indices { versions[number].parent = parent }
  }
}

extension ArrayState {
  /// Drops a row and all below it; what had been deleted from there earlier has `home` instead.
  fileprivate mutating func forget(_ row: RowID, home: ListID) {
    trash[row] = nil
    var gone: Set<ListID> = []
    var waiting = [row]
    while let row = waiting.popLast() {
      purged[row] = revision
      if let list = lists.removeValue(forKey: ListID(row)) {
        gone.insert(ListID(row))
        waiting += list.rows
      } else if let item = items.removeValue(forKey: ItemID(row)) {
        photos = photos.filter { $0.value.item != ItemID(row) }
        if let contents = item.contents { waiting.append(RowID(contents)) }
      }
    }
    removeTokens { gone.contains($0) }
    for (row, deleted) in trash where gone.contains(deleted.list) {
      trash[row]?.list = home
      trash[row]?.isRehomed = true
      loseHome(of: row)
    }
  }

  /// Takes a row's former list from it. A later list with the same id is another one, so the row moves if it is restored
  /// into it.
  mutating func loseHome(of row: RowID) {
    let nowhere = ListID(.version7())
    items[ItemID(row)]?.list = nowhere
    lists[ListID(row)]?.leave(for: nowhere)
  }

  func trash(_ window: PageWindow, for caller: Caller) throws(InventoryError) -> PageOf<TrashedRow>
  {
    try requireRoot(of: caller)
    let all = trash.filter { isInSight($0.key, for: caller) }.sorted {
      ($1.value.revision, $0.key.description) < ($0.value.revision, $1.key.description)
    }
    var first: Int
    switch window.start {
    case .offset(let offset): first = min(offset, all.count)
    case .after(let anchor):
      guard let index = all.firstIndex(where: { $0.key == anchor }) else {
        throw .anchorGone(anchor)
      }
      first = index + 1
    }
    let rows = all.dropFirst(first).prefix(window.limit).map { row, deleted in
      TrashedRow(
        id: row, kind: items[ItemID(row)]?.details.kind, title: step(row).title,
        listID: deleted.isRehomed ? nil : deleted.list, index: RowIndex(deleted.index),
        revision: deleted.revision, deletedAt: deleted.at, deletedBy: deleted.by)
    }
    return PageOf<TrashedRow>(count: all.count, first: first, elements: rows)
  }
}
