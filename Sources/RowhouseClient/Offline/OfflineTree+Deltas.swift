import Foundation

extension OfflineTree {
  /// Applies the deltas of one event. Those of lists that cannot be opened are skipped, and those that a list has already.
  ///
  /// The rows of these lists must be in `rows`.
  ///
  /// - Returns: The rows that have changed, by their lists. Nil if a delta does not fit: then nothing has changed.
  mutating func apply(_ deltas: [Delta]) -> [RowKey: Set<RowKey>]? {
    var parts: [(list: RowKey, changes: Delta.Changes, order: [RowKey])] = []
    for delta in deltas {
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

    var changed: [RowKey: Set<RowKey>] = [:]
    // A row that moves to another list may be a deletion after its insertion, so all deletions come first.
    for (list, changes, _) in parts {
      let leaving = changes.deletes.compactMap { nodes[list]?.order[$0] }
      let keys = leaving + changes.reloadsAfter.map { RowKey($0.row.id) }
      let amount = amount(of: keys)
      changed[list] = Set(keys)
      nodes[list]?.list.totalValueInDollars -= amount
      for key in leaving { holders[key] = nil }
    }
    for (list, changes, order) in parts {
      let placed = changes.inserts + changes.reloadsAfter
      for row in placed {
        let key = RowKey(row.row.id)
        rows[key] = row.row
        holders[key] = list
        changed[list]?.insert(key)
      }
      let amount = amount(of: placed.map { RowKey($0.row.id) })
      nodes[list]?.order = order
      nodes[list]?.list.take(changes)
      nodes[list]?.list.totalValueInDollars += amount
    }
    for key in changed.values.joined() where holders[key] == nil { rows[key] = nil }
    return changed
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
