import Inventory

/// Reads for screens, neighbours and navigators.
extension DatabaseSnapshot {
  func screenSubjects(of rows: Set<RowID>) throws(InventoryError) -> [RowID: ScreenSubject] {
    try reading { () throws(StorageError) in
      // Each row takes about as long as four operations of a delta.
      guard rows.count <= bound / 4 else { throw .refused(.boundExceeded) }
      let access = try access()
      var lists: [RowKey: ScreenSubject] = [:]
      func list(_ key: RowKey) throws(StorageError) -> ScreenSubject {
        if let known = lists[key] { return known }
        let record = try ListRecord.read(key, in: db)
        let subject = ScreenSubject(
          title: record.details.title,
          can: record.details.permissions.intersection(caller.role.permissions),
          accepts: record.details.itemKind, deleteLabel: record.details.deleteLabel)
        lists[key] = subject
        return subject
      }
      var found: [RowID: ScreenSubject] = [:]
      for row in rows {
        guard let entry = try access.find(row), try access.ancestors.isLive(entry.key) else {
          continue
        }
        if entry.isList {
          found[row] = try list(entry.key)
        } else if let parent = entry.parent {
          var subject = try list(parent)
          subject.isList = false
          subject.title = try db.step(entry.key).title
          found[row] = subject
        }
      }
      return found
    }
  }

  func isTooDeep(_ row: RowID?, in list: ListID) throws(InventoryError) -> Bool {
    do throws(InventoryError) {
      try reading { (access) throws(StorageError) in
        let target = try access.list(.id(list))
        guard let row else { return try access.requireRoom(below: target.key) }
        let entry = try access.entry(row)
        var lists = bound
        try access.requireRoom(
          for: entry, in: target.key, from: try access.levelInInventory(of: entry.key),
          bound: &lists)
      }
      return false
    } catch {
      guard case .tooDeep = error else { throw error }
      return true
    }
  }

  func nearestAncestor(of row: RowID) throws(InventoryError) -> PathStep {
    try reading { (access) throws(StorageError) in
      let key = try access.find(row).flatMap { (entry) throws(StorageError) in
        try access.nearestAncestor(of: entry.key)
      }
      return try db.step(key ?? access.root)
    }
  }

  func neighbours(of item: ItemID) throws(InventoryError) -> Neighbours {
    try reading { (access) throws(StorageError) in
      let entry = try access.entry(RowID(item), kind: .item)
      guard let parent = entry.parent, let place = entry.place,
        let list = try ListRecord.find(key: parent, in: db)
      else { throw .broken("item \(item) is in no list") }
      let tree = list.tree
      let index = try tree.index(of: place, in: db)
      let sublists = try sublists(around: place, at: index, in: tree)
      return Neighbours(
        previous: try nearestItem(from: index, by: -1, in: tree),
        next: try nearestItem(from: index, by: 1, in: tree),
        index: index - sublists.before, count: tree.count - sublists.all)
    }
  }

  func navigator(_ id: NavigatorID) throws(InventoryError) -> Navigator {
    try reading { (access) throws(StorageError) in
      guard let record = try NavigatorRecord.find(id, access) else {
        throw .refused(.notFound(.navigator))
      }
      let navigator = try record.navigator(in: db)
      let states = navigator.details.tabs.flatMap(\.stack).compactMap(\.state)
      guard states.reduce(0, { $0 + $1.json.utf8.count }) < mostBytes else {
        throw .refused(.boundExceeded)
      }
      return navigator
    }
  }

  func navigators(named name: String?) throws(InventoryError) -> [NavigatorSummary] {
    try reading { (access) throws(StorageError) in
      try NavigatorRecord.all(named: name, access)
    }
  }

  func appearance() throws(InventoryError) -> VersionedAppearance {
    try reading { (access) throws(StorageError) in try access.appearance() }
  }

  /// The number of a list's sublists, and the number of its sublists before a place.
  private func sublists(
    around place: TreeSlot, at index: Int, in tree: OrderTree
  ) throws(StorageError) -> (all: Int, before: Int) {
    var all = 0
    var before = 0
    var others: [Int64: Int] = [:]
    try db.sql(
      """
      SELECT coalesce(arranged_row.leaf, row.leaf), coalesce(arranged_row.pos, row.pos)
      FROM row LEFT JOIN arranged_row ON arrangement = ?2 AND arranged_row.row = row.key
      WHERE parent = ?1 AND kind = 0
      """
    ).bind(tree.list).bind(tree.arrangement).eachWhile { row in
      all += 1
      let leaf = row.int64(0)
      if leaf != place.leaf {
        others[leaf, default: 0] += 1
      } else if row.int64(1) < place.pos {
        before += 1
      }
      return all <= bound
    }
    guard all <= bound else { throw .refused(.boundExceeded) }
    for (leaf, count) in others {
      let start = try tree.index(of: TreeSlot(leaf: leaf, pos: .min), in: db)
      if start < index { before += count }
    }
    return (all, before)
  }

  /// The nearest item in one direction. `sublists` has bounded the number of lists in between.
  private func nearestItem(
    from index: Int, by step: Int, in tree: OrderTree
  ) throws(StorageError) -> PathStep? {
    var index = index + step
    while let key = try tree.row(at: index, in: db) {
      let found = try db.step(key)
      if !found.isList { return found }
      index += step
    }
    return nil
  }
}

extension Access {
  /// The parent of the row, or of its topmost deleted ancestor if there is one. Nil if no chain leads to the caller's
  /// root.
  fileprivate func nearestAncestor(of row: RowKey) throws(StorageError) -> RowKey? {
    var nearest: RowKey?
    var seen: Set<RowKey> = []
    var key = row
    var isDeleted = false
    let bound = db.tree?.bound ?? .max
    while key != root {
      guard seen.count <= bound else { throw .refused(.boundExceeded) }
      guard seen.insert(key).inserted else { throw .broken("row \(key) is below itself") }
      if let parent = try db.parent(of: key) {
        nearest = nearest ?? parent
        key = parent
      } else {
        var list: RowKey? = try db.sql("SELECT list FROM trash WHERE row = ?1").bind(key)
          .one { $0.key(0) }
        // Rows deleted from below a purged row earlier are still in the trash.
        if list == nil, isDeleted {
          list = try db.sql("SELECT home FROM purge WHERE row = ?1").bind(key).one { $0.key(0) }
        }
        guard let list else { return nil }
        isDeleted = true
        nearest = list
        key = list
      }
    }
    return nearest
  }
}
