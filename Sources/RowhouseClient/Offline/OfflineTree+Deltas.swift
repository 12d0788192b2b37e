import Foundation

extension OfflineTree {
  /// What an event has done to a tree.
  struct Applied {
    /// The rows that have changed, by their lists.
    var rows: [RowKey: Set<RowKey>] = [:]
    /// The lists and items that have left sight, with everything below them. They are no longer in the tree.
    var hidden: Set<RowKey> = []
    /// Whether lists have left sight, also lists that the tree did not have.
    var hidesLists = false
    /// Whether the tree may still have lists that have left sight.
    var isUncertain = false
  }

  /// Applies an event. Skips a delta if its list is not kept, or already has its revision.
  ///
  /// The rows of the other deltas' lists must be in `rows`.
  ///
  /// - Returns: Nil if a delta does not fit: then nothing has changed.
  mutating func apply(_ change: LiveChange) -> Applied? {
    var parts: [(list: RowKey, changes: Delta.Changes, order: [RowKey])] = []
    for delta in change.deltas {
      let key = RowKey(delta.listID)
      guard let node = nodes[key] else { continue }
      guard case .changes(let changes) = delta.content else { return nil }
      guard changes.toRevision > node.list.revision else { continue }
      var order = node.order
      guard changes.fromRevision == node.list.revision,
        changes.apply(to: &order, { RowKey($0.id) })
      else { return nil }
      parts.append((key, changes, order))
    }

    var applied = Applied()
    // A row that moves to another list may be a deletion after its insertion, so all deletions come first.
    for (list, changes, _) in parts {
      let leaving = changes.deletes.compactMap { nodes[list]?.order[$0] }
      let keys = leaving + changes.reloadsAfter.map { RowKey($0.row.id) }
      let amount = amount(of: keys)
      applied.rows[list] = Set(keys)
      nodes[list]?.list.totalValueInDollars -= amount
      for key in leaving { holders[key] = nil }
    }
    for (list, changes, order) in parts {
      let placed = changes.inserts + changes.reloadsAfter
      for row in placed {
        let key = RowKey(row.row.id)
        rows[key] = row.row
        holders[key] = list
        applied.rows[list]?.insert(key)
      }
      let amount = amount(of: placed.map { RowKey($0.row.id) })
      nodes[list]?.order = order
      nodes[list]?.list.take(changes)
      nodes[list]?.list.totalValueInDollars += amount
    }
    hide(after: change, &applied)
    for key in applied.rows.values.joined() where holders[key] == nil { rows[key] = nil }
    return applied
  }

  /// Removes the lists and items that a change took out of sight. Events do not have the changes that are made in them
  /// from then on, so their old rows must not be there when they return.
  ///
  /// - A list with a delta is still in sight. If it has left a kept list, the delta has its new place.
  /// - A list without a delta has left sight if the change names it, or if it has left a kept list. With it, everything
  ///   below it has left sight.
  /// - An item that has left a kept list is deleted, or is in a list that is not kept now. If its contents list is
  ///   kept, the tree is uncertain.
  ///
  /// If lists have left sight, and the tree lacks a row between a kept list and the root list, the tree is uncertain
  /// too.
  private mutating func hide(after change: LiveChange, _ applied: inout Applied) {
    let seen = Set(change.deltas.map { RowKey($0.listID) })
    let left = Set(applied.rows.values.joined().filter { holders[$0] == nil })
    var tops = Set(change.lists.map { RowKey($0) }).subtracting(seen)
    for row in left where !seen.contains(row) {
      switch rows[row]?.content {
      case .list: tops.insert(row)
      case .item(let item):
        guard let contents = item.contentsListID else { continue }
        applied.hidesLists = true
        if nodes[RowKey(contents)] != nil { applied.isUncertain = true }
      case .sentinel, nil: continue
      }
    }
    if !tops.isEmpty { applied.hidesLists = true }
    for key in below(tops, without: seen) where nodes[key] != nil || items[key] != nil {
      applied.hidden.insert(key)
      drop(key)
    }
    // The row that is lacking may be below a list that has left sight.
    if applied.hidesLists, !nodes.keys.allSatisfy(isPlaced) { applied.isUncertain = true }
  }

  /// Whether a list that was read must not be added to the tree yet.
  ///
  /// - Its parent was read too, but is not in the tree. The parent must be added first.
  /// - Its parent is in the tree, but does not have the list as a row. At the tree's revision the list was in the
  ///   trash. It has been restored since, which gave it no new revision.
  /// - Its parent was read again, and must not be added yet either.
  ///
  /// - Parameter others: The lists that were read and are not added yet.
  func isHidden(_ read: MirroredList, beside others: [RowKey: MirroredList]) -> Bool {
    guard let parent = read.list.parentID.map({ RowKey($0) }) else { return false }
    let other = others[parent]
    if nodes[parent] == nil { return other != nil }
    if holders[RowKey(read.list.id)] != parent { return true }
    return other.map { isHidden($0, beside: others) } ?? false
  }

  /// Whether the tree has all rows from a list up to the root list.
  private func isPlaced(_ list: RowKey) -> Bool {
    var key = list
    while key != root {
      guard let parent = parent(of: key) else { return false }
      key = parent
    }
    return true
  }

  /// Lists, and all lists and items below them.
  ///
  /// - Parameter others: Lists that are elsewhere by now, with what is below them.
  private func below(_ tops: Set<RowKey>, without others: Set<RowKey>) -> Set<RowKey> {
    var children: [RowKey: [RowKey]] = [:]
    for key in nodes.keys {
      if let parent = parent(of: key) { children[parent, default: []].append(key) }
    }
    for (key, item) in items { children[RowKey(item.listID), default: []].append(key) }
    var (found, next) = (tops, Array(tops))
    while let key = next.popLast() {
      // A hidden list has no delta, so its rows may have moved.
      let rows = (nodes[key]?.order ?? []).filter { holders[$0] == key }
      for child in (children[key] ?? []) + rows
      where !others.contains(child) && found.insert(child).inserted {
        next.append(child)
      }
    }
    return found
  }

  /// What rows add to the total of their list.
  func amount(of keys: [RowKey]) -> Decimal {
    keys.reduce(Decimal(0)) { $0 + (rows[$1]?.amount ?? 0) }
  }

  /// Adds a list that was read, in place of an older state of it.
  mutating func take(_ read: MirroredList) {
    let key = RowKey(read.list.id)
    drop(key)
    let order = read.rows.map { RowKey($0.id) }
    for (row, content) in zip(order, read.rows) {
      rows[row] = content
      holders[row] = key
    }
    nodes[key] = Node(list: read.list, order: order)
    if read.list.parentID == nil, read.list.itemID == nil { root = root ?? key }
  }

  /// Removes a list or an item that the server no longer has.
  mutating func drop(_ key: RowKey) {
    items[key] = nil
    for row in nodes.removeValue(forKey: key)?.order ?? [] where holders[row] == key {
      holders[row] = nil
      rows[row] = nil
    }
  }

  /// A list as one that was just read.
  func mirrored(_ key: RowKey) -> MirroredList? {
    guard let list = nodes[key]?.list, let rows = shownRows(of: key) else { return nil }
    return MirroredList(
      list: list, rows: rows.filter { !$0.isSentinel }, sentinel: list.sentinelRow)
  }
}
