import Inventory

extension ArraySnapshot {
  func history() throws(InventoryError) -> ClosedRange<Revision> {
    try state.requireRoot(of: caller)
    return state.historyStart...state.revision
  }

  /// Found by comparing each list's versions one with the next.
  func activity(since: Revision, limit: Int) throws(InventoryError) -> Activity {
    let history = try history()
    var activity = Activity(
      fromRevision: since, revision: state.revision, content: .historyGone)
    guard history.contains(since) else { return activity }
    var changes = Activity.Changes(
      requestID: since.next == state.revision ? state.lastRequestID : nil)
    changes.bringsLists = state.arrivals.contains { $0 > since }
    var items: [ItemID: Set<ListID>] = [:]
    var steps = 0
    func isTold(_ row: RowID, _ revision: Revision) -> Bool {
      revision > since && state.arrived[row] != revision && sees(row)
    }
    for (id, item) in state.items
    where isTold(RowID(id), item.revision)
      && state.sees(RowID(id), at: item.revision, for: caller)
    {
      items[id, default: []].insert(item.list)
      if item.contents != nil, !state.sees(RowID(id), at: since, for: caller) {
        changes.bringsLists = true
      }
      steps += 1
    }
    for (id, list) in state.lists where isTold(RowID(id), list.revision) {
      let before = list.versions.last { $0.revision <= since } ?? list.versions.first
      let isNew = !state.sees(RowID(id), at: since, for: caller)
      if isNew { changes.bringsLists = true }
      changes.lists.append(
        Activity.TouchedList(
          id: id, revisionBefore: isNew ? nil : before?.revision, isNew: isNew))
      for (removed, revision) in removals(from: list, since: since) {
        steps += 1
        let row = removed.id
        guard state.sees(RowID(id), at: revision, for: caller) else { continue }
        let isGone = !sees(row)
        let isInSight =
          state.isStill(row, since: revision) && state.exists(row)
          && state.chain(of: row).contains(RowID(state.root(for: caller)))
        let hasLists =
          state.lists[ListID(row)] != nil || state.items[ItemID(row)]?.contents != nil
        let isKept = state.sees(row, at: revision, for: caller)
        if !isInSight || hasLists && (isGone || !isKept) { changes.hidesLists = true }
        switch removed.content {
        case .item: items[ItemID(row), default: []].insert(id)
        case .list where isInSight && isGone:
          let gone = Activity.TouchedList(id: ListID(row), revisionBefore: nil)
          if !changes.lists.contains(gone) { changes.lists.append(gone) }
        case .list: break
        }
      }
      steps += 1
    }
    changes.items = items.map { Activity.TouchedItem(id: $0, lists: $1) }
    activity.content = steps > limit ? .tooMuch : .changes(changes)
    return activity
  }

  private func sees(_ row: RowID) -> Bool {
    do throws(InventoryError) {
      try state.require(row, for: caller, as: .row)
      return true
    } catch { return false }
  }

  /// The rows that were taken out of a list after `since`, be they back in it or not, and when.
  private func removals(from list: ArrayState.StoredList, since: Revision) -> [(Row, Revision)] {
    zip(list.versions, list.versions.dropFirst()).flatMap { before, after -> [(Row, Revision)] in
      guard after.revision > since else { return [] }
      let kept = Set(after.rows.lazy.map(\.id))
      return before.rows.filter { !kept.contains($0.id) }.map { ($0, after.revision) }
    }
  }
}
