import Inventory

/// Reads of unbounded size.
extension DatabaseSnapshot {
  func sublists(
    of list: ListReference, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<LeveledList> {
    try reading { (access) throws(StorageError) in
      let record = try access.list(list)
      let level = try access.level(of: record.key) + 1
      let keys = try lists(in: record, withContents: false).map { ($0.key, level) }
      return try page(of: keys, window, access)
    }
  }

  func descendants(
    of list: ListReference, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<LeveledList> {
    try reading { (access) throws(StorageError) in
      let top = try access.list(list)
      var keys: [(key: RowKey, level: Int)] = []
      var pending = [(key: top.key, level: try access.level(of: top.key))]
      while let (key, level) = pending.popLast() {
        if key != top.key { keys.append((key, level)) }
        let record = try ListRecord.read(key, in: db)
        pending += try lists(in: record, withContents: true).reversed().map {
          ($0.key, level + $0.steps)
        }
      }
      return try page(of: keys, window, access)
    }
  }

  private func page(
    of keys: [(key: RowKey, level: Int)], _ window: PageWindow, _ access: Access
  ) throws(StorageError) -> PageOf<LeveledList> {
    var first: Int
    switch window.start {
    case .offset(let offset): first = min(offset, keys.count)
    case .after(let anchor):
      guard let entry = try access.find(anchor),
        let place = keys.firstIndex(where: { $0.key == entry.key })
      else { throw .refused(.anchorGone(anchor)) }
      first = place + 1
    }
    var page = PageOf<LeveledList>(count: keys.count, first: first, elements: [])
    for (key, level) in keys.dropFirst(first).prefix(window.limit) {
      let list = try ListRecord.read(key, in: db).list(isRoot: false, in: db)
      page.elements.append(LeveledList(list: list, level: level))
    }
    return page
  }

  func subtreeTotals(of list: ListReference) throws(InventoryError) -> SubtreeTotals {
    try reading { (access) throws(StorageError) in
      try totals(below: try access.list(list).key)
    }
  }

  func totals(below top: RowKey) throws(StorageError) -> SubtreeTotals {
    var totals = SubtreeTotals()
    var pending = [top]
    while let key = pending.popLast() {
      let record = try ListRecord.read(key, in: db)
      totals.total += record.total
      var sublists = 0
      try db.sql("SELECT key FROM row WHERE parent = ?1 AND kind = 0").bind(key).each {
        pending.append($0.key(0))
        sublists += 1
      }
      totals.itemCount += record.tree.count - sublists
      try db.sql("SELECT contents FROM row WHERE parent = ?1 AND contents IS NOT NULL")
        .bind(key).each {
          pending.append($0.key(0))
          sublists += 1
        }
      totals.listCount += sublists
    }
    return totals
  }

  func resolve(path titles: [String]) throws(InventoryError) -> PathStep {
    try reading { (access) throws(StorageError) in
      var list = try access.list(.root)
      var step = PathStep(id: RowID(list.id), title: list.details.title, isList: true)
      for (number, title) in titles.enumerated() {
        let found = try db.sql(
          """
          SELECT key, contents, id, title, kind FROM row
          WHERE parent = ?1 AND leaf IS NOT NULL AND title = ?2 LIMIT 100
          """
        ).bind(list.key).bind(title).all { row in
          (
            key: row.key(0) as RowKey, contents: row.keyOrNil(1) as RowKey?,
            step: PathStep(id: RowID(row.uuid(2)), title: row.string(3), isList: row.isList(4))
          )
        }
        guard let only = found.first else { throw .refused(.notFound(.path)) }
        guard found.count == 1 else {
          throw .refused(.ambiguousPath(candidates: try inOrder(found.map(\.step), access)))
        }
        step = only.step
        guard number < titles.count - 1 else { break }
        // The path goes on in the item's contents.
        guard let next = step.isList ? only.key : only.contents,
          let record = try ListRecord.find(key: next, in: db)
        else { throw .refused(.notFound(.path)) }
        list = record
      }
      return step
    }
  }

  /// Sorts steps of one list in the list's order.
  private func inOrder(_ steps: [PathStep], _ access: Access) throws(StorageError) -> [PathStep] {
    var indexed: [(step: PathStep, index: Int)] = []
    for step in steps {
      let entry = try access.entry(step.id)
      guard let parent = entry.parent, let place = entry.place,
        let list = try ListRecord.find(key: parent, in: db)
      else { continue }
      indexed.append((step, try list.tree.index(of: place, in: db)))
    }
    return indexed.sorted { $0.index < $1.index }.map(\.step)
  }

  /// A list below another one. `steps` is 1 for a row; 2 for contents, because the item is a step too.
  private typealias Child = (key: RowKey, steps: Int)

  /// The lists directly below a list, in the order of its rows.
  private func lists(in record: ListRecord, withContents: Bool) throws(StorageError) -> [Child] {
    let found = try db.sql(
      """
      SELECT key, 1, coalesce(arranged_row.leaf, row.leaf), coalesce(arranged_row.pos, row.pos)
      FROM row LEFT JOIN arranged_row ON arrangement = ?2 AND arranged_row.row = row.key
      WHERE parent = ?1 AND kind = 0
      UNION ALL
      SELECT contents, 2, coalesce(arranged_row.leaf, row.leaf), coalesce(arranged_row.pos, row.pos)
      FROM row LEFT JOIN arranged_row ON arrangement = ?2 AND arranged_row.row = row.key
      WHERE ?3 = 1 AND parent = ?1 AND contents IS NOT NULL
      """
    ).bind(record.key).bind(record.tree.arrangement).bind(withContents).all { row in
      (
        child: (key: row.key(0), steps: row.int(1)) as Child,
        place: TreeSlot(leaf: row.int64(2), pos: row.int64(3))
      )
    }
    guard record.tree.height > 0 else {
      return found.sorted { $0.place.pos < $1.place.pos }.map(\.child)
    }
    var indexed: [(child: Child, index: Int)] = []
    for (child, place) in found {
      indexed.append((child, try record.tree.index(of: place, in: db)))
    }
    return indexed.sorted { $0.index < $1.index }.map(\.child)
  }
}
