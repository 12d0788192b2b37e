import Inventory
import SQL

// The requirements of the inverse.
extension Undo {
  /// Checks the permissions that the undo needs in each list, before anything is changed. If several lists lack some,
  /// the refusal names the list with the lowest id.
  func requirePermissions() throws(StorageError) {
    var needs: [RowKey: Permissions] = [:]
    func need(_ permission: Permissions, _ list: RowKey) {
      needs[list, default: []].insert(permission)
    }
    for order in orders {
      for row in order.reversal.returns {
        need(row.isHere ? .move : .add, order.list)
      }
      for row in order.reversal.arrivals {
        need(origins[row] == nil ? .delete : .move, order.list)
      }
      if order.reversal.order != nil { need(.move, order.list) }
    }
    for edited in edited {
      switch edited {
      case .item(let item, _), .photos(let item, _):
        if let parent = item.parent { need(.edit, parent) }
      case .list(let list, let details):
        if list.details.permissions != details.permissions { try change.requireRole(.owner) }
        if let parent = change.parentEdited(by: details, of: list) { need(.edit, parent) }
      }
    }
    let lists = try needs.map { (key, needed) throws(StorageError) in
      (list: try change.list(key), needed: needed)
    }
    for (list, needed) in lists.sorted(by: { $0.list.id.description < $1.list.id.description }) {
      let missing = needed.subtracting(list.details.permissions)
      guard missing.isEmpty else { throw .refused(.listForbids(missing, list.id)) }
    }
  }
}

// The inverse, once there is no conflict.
extension Undo {
  /// A place in a list: right behind a row, or at an index. A row's key stays the same while other rows are inserted
  /// and removed.
  private enum Anchor {
    case behind(RowKey)
    case at(Int)
  }

  /// First removes all rows that the change inserted, then inserts those that it removed.
  func carryOut() throws(StorageError) {
    let anchors = try orders.map { (order) throws(StorageError) in try self.anchors(of: order) }
    let levels = try levels()
    for order in orders { try sendAway(order) }
    for (order, anchors) in zip(orders, anchors) {
      var unsettled = try unsettledRows(of: order)
      for (number, row) in order.reversal.returns.enumerated() {
        try putBack(row, anchors[number], order, &unsettled)
      }
    }
    for order in orders {
      if let places = order.reversal.order { try change.arrange(order.list, by: places) }
    }
    for (row, level) in levels {
      guard let list = origins[row] else { continue }
      try change.requireRoom(for: try entry(row), in: list, from: level)
    }
    for edited in edited { try rewrite(edited) }
  }

  /// The rows that are inserted into a list, each with its present level; nil for a row in the trash.
  private func levels() throws(StorageError) -> [RowID: Int?] {
    var levels: [RowID: Int?] = [:]
    for row in orders.lazy.flatMap(\.reversal.returns) where !row.isHere && !row.isSettled {
      let isMoved = destinations[row.row] != nil
      levels[row.row] = .some(
        isMoved ? try change.access.levelInInventory(of: try entry(row.row).key) : nil)
    }
    return levels
  }

  private func anchors(of order: Order) throws(StorageError) -> [Anchor] {
    let tree = try change.list(order.list).tree
    func key(_ index: Int) throws(StorageError) -> RowKey {
      guard let key = try tree.row(at: index, in: db) else {
        throw .broken("list \(order.list): its log has a row \(index)")
      }
      return key
    }
    return try order.reversal.returns.map { (row) throws(StorageError) -> Anchor in
      switch row.place {
      case .behindReturn(let other): .behind(try entry(other).key)
      case .behindIndex(let index): .behind(try key(index))
      case .first: .at(0)
      case .at(let index): .at(index)
      }
    }
  }

  /// Removes rows from the last to the first, so that the trash record of each names the row that was right before it.
  private func sendAway(_ order: Order) throws(StorageError) {
    let list = order.list
    let tree = try change.list(list).tree
    var leaving: [(row: RowID, index: Int)] = []
    // The index of each leaf's first row: most rows share a leaf.
    var starts: [Int64: Int] = [:]
    for row in order.reversal.arrivals {
      let place = try place(of: try entry(row), in: list)
      let start =
        if let known = starts[place.leaf] { known } else { try tree.start(of: place.leaf, in: db) }
      starts[place.leaf] = start
      leaving.append((row, start + (try tree.offset(of: place, in: db))))
    }
    leaving.sort { $0.index > $1.index }
    // The row that was behind the row removed last, and its index since that removal.
    var behind: (index: Int, row: RowID?)?
    for (number, (row, index)) in leaving.enumerated() {
      // Its place in the tree may have changed, but its index has not.
      let entry = try entry(row)
      guard origins[row] == nil else {
        try change.remove(entry, from: list, at: index)
        behind = nil
        continue
      }
      if let former = try formerRecord(of: entry, leaving: list) {
        try change.trash(entry, of: list, at: index, as: former)
        behind = nil
        continue
      }
      let above = number + 1 < leaving.count ? leaving[number + 1] : nil
      let previous =
        above?.index == index - 1 ? above?.row : try change.row(at: index - 1, of: list)
      let next =
        if let behind, behind.index == index + 1 {
          behind.row
        } else {
          try change.row(at: index + 1, of: list)
        }
      try change.trash(entry, of: list, at: index, between: previous, and: next)
      behind = (index, next)
    }
  }

  /// The trash record for a row whose restoration is undone: the one that it had before it was restored.
  ///
  /// If the list in that record has been purged since, the result names `list` instead, and keeps the time of the
  /// deletion. Nil if the change restored no such row, if the caller does not see the list in the record, if that list
  /// is below the row, or if the row would be purged at once.
  ///
  /// - Parameter list: the list from which the undo removes the row.
  private func formerRecord(
    of entry: Access.Entry, leaving list: RowKey
  ) throws(StorageError) -> TrashRecord? {
    let access = change.access
    guard var record = trashRecords[entry.id],
      trashTime == 0 || record.deletedAt.seconds + trashTime > change.now.seconds
    else { return nil }
    switch try access.visibility(of: record.list) {
    case .live, .inTrash: break
    case .purged where access.root == access.inventoryRoot:
      record.list = list
      record.isRehomed = true
      return record
    // Whether a list's token saw the purged list cannot be known.
    case .purged, .outside, .arriving: return nil
    }
    let isBelow = try access.ancestors.isAncestor(entry.key, ofTrashed: record.list)
    return isBelow ? nil : record
  }

  private func putBack(
    _ row: ListReversal.Return, _ anchor: Anchor, _ order: Order, _ unsettled: inout UnsettledRows
  ) throws(StorageError) {
    guard !row.isSettled else { return }
    let entry = try entry(row.row)
    var to: Int
    switch anchor {
    case .behind(let key):
      to = try change.index(of: try change.access.entry(key), in: order.list) + 1
    case .at(0): to = 0
    case .at(let index): to = unsettled.place(index, of: try change.list(order.list).tree.count)
    }
    if row.isHere {
      let from = try change.index(of: entry, in: order.list)
      if from < to { to -= 1 }
      if from != to { try change.move(entry, within: order.list, from: from, to: to) }
      unsettled.settle(row.row, from: from, to: to)
      return
    }
    let isMoved = destinations[row.row] != nil
    if isMoved {
      try change.refuseCycle(entry, into: try change.list(order.list))
    }
    let former = isMoved ? nil : try TrashRecord.find(entry.key, in: db)
    if let former { try change.untrash(entry, former) }
    try change.insert(entry, into: order.list, at: to)
    unsettled.settle(row.row, from: nil, to: to)
    let isOld = former?.isFrom(order.list) ?? false
    if !isOld { try change.touch(entry, movedTo: order.list) }
  }

  /// The rows of the list that go back to an index. Others go back to a place behind another row.
  private func unsettledRows(of order: Order) throws(StorageError) -> UnsettledRows {
    var rows: [(row: RowID, index: Int)] = []
    for row in order.reversal.returns where row.isHere {
      guard case .at = row.place else { continue }
      rows.append((row.row, try change.index(of: try entry(row.row), in: order.list)))
    }
    return UnsettledRows(rows)
  }

  private func rewrite(_ edited: Edited) throws(StorageError) {
    switch edited {
    case .list(let old, let details):
      try change.replace(try change.list(old.key), with: details)
    case .photos(let old, let photos):
      var item = try ItemRecord.read(old.key, in: db)
      try change.rewritePhotos(of: &item, as: photos)
    case .item(let old, let details):
      // The undo may have moved the item since it was read.
      var item = try ItemRecord.read(old.key, in: db)
      let (list, place) = try change.home(of: item)
      try change.replace(
        &item, with: details, at: try change.index(of: place, in: list.key), of: list)
    }
  }

  private func entry(_ id: RowID) throws(StorageError) -> Access.Entry {
    guard let entry = try change.access.find(id) else { throw .broken("row \(id) is gone") }
    return entry
  }

  private func place(of entry: Access.Entry, in list: RowKey) throws(StorageError) -> TreeSlot {
    guard entry.parent == list, let place = entry.place else {
      throw .broken("row \(entry.key) is not in list \(list)")
    }
    return place
  }
}

/// The rows of one list that must still go back to their places in it, with their present indices.
struct UnsettledRows {
  /// Sorted by index.
  private var rows: [(row: RowID, index: Int)]

  init(_ rows: [(row: RowID, index: Int)]) { self.rows = rows.sorted { $0.index < $1.index } }

  /// Converts an index counted without these rows to one counted with them, in a list of `count` rows.
  func place(_ index: Int, of count: Int) -> Int {
    var place = min(index, count - rows.count)
    for row in rows where row.index <= place { place += 1 }
    return place
  }

  /// Records that a row has gone back to an index: from another one, or from outside of the list.
  mutating func settle(_ row: RowID, from: Int?, to: Int) {
    rows.removeAll { $0.row == row }
    for number in rows.indices {
      if let from, rows[number].index > from { rows[number].index -= 1 }
      if rows[number].index >= to { rows[number].index += 1 }
    }
  }
}
