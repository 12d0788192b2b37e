import Inventory

/// The trash and the log.
extension DatabaseSnapshot {
  func trash(_ window: PageWindow) throws(InventoryError) -> PageOf<TrashedRow> {
    try reading { (access) throws(StorageError) in
      let trash =
        access.root == access.inventoryRoot
        ? VisibleTrash.whole(access) : .part(try trashedKeys(access))
      let count = try trash.count
      let first: Int
      switch window.start {
      case .offset(let offset): first = min(offset, count)
      case .after(let anchor):
        guard let entry = try access.find(anchor), let place = try trash.place(of: entry.key)
        else { throw .refused(.anchorGone(anchor)) }
        first = place + 1
      }
      var page = PageOf<TrashedRow>(count: count, first: first, elements: [])
      for key in try trash.keys(from: first, limit: window.limit) {
        page.elements.append(try trashedRow(key, access))
      }
      return page
    }
  }

  /// The keys of the rows in the trash that the caller sees, the latest first. For a caller who sees only a part of the
  /// inventory, and must not learn from the duration what is in the rest.
  private func trashedKeys(_ access: Access) throws(StorageError) -> [RowKey] {
    var found: [(key: RowKey, id: String, revision: Int64)] = []
    try db.eachParent(below: access.root, throughTrash: true) { (list) throws(StorageError) in
      try db.sql(
        """
        SELECT trash.row, row.id, trash.revision FROM trash JOIN row ON row.key = trash.row
        WHERE trash.list = ?1
        """
      ).bind(list).each { found.append(($0.key(0), RowID($0.uuid(1)).description, $0.int64(2))) }
    }
    found.sort { $0.revision == $1.revision ? $0.id < $1.id : $0.revision > $1.revision }
    let bound = db.tree?.bound ?? .max
    var past = PastSight(access, bound: bound, rowBound: bound)
    var keys: [RowKey] = []
    for row in found {
      if case .inTrash = try access.visibility(row.key, nil, &past) { keys.append(row.key) }
    }
    return keys
  }

  private func trashedRow(_ key: RowKey, _ access: Access) throws(StorageError) -> TrashedRow {
    var list: RowKey?
    let row = try db.sql(
      """
      SELECT id, kind, title, place, trash.revision, deleted_at, actor, list, rehomed
      FROM trash JOIN row ON row.key = trash.row WHERE trash.row = ?1
      """
    ).bind(key).one { row in
      list = row.bool(8) ? nil : row.key(7)
      return TrashedRow(
        id: RowID(row.uuid(0)), kind: row.itemKind(1),
        title: row.string(2), listID: nil, index: RowIndex(row.count(3)),
        revision: Revision(row.int64(4)), deletedAt: row.time(5),
        deletedBy: row.string(6))
    }
    guard var row else { throw .broken("row \(key) is not in the trash") }
    if let list, try access.visibility(of: list) != .purged {
      row.listID = ListID(try access.id(of: list))
    }
    return row
  }

  func changes(
    since: Revision?, before: Revision?, offset: Int, limit: Int
  ) throws(InventoryError) -> PageOfChanges {
    try reading { (access) throws(StorageError) in
      if let since {
        guard since >= access.historyStart, since <= access.revision else {
          throw .refused(.historyGone(now: access.revision))
        }
      }
      var log = LogReader(access)
      let floor = since ?? access.historyStart
      let top = before.map { min($0.number - 1, access.revision.number) } ?? access.revision.number
      guard access.root == access.inventoryRoot else {
        return try log.page(after: floor, upTo: Revision(top), offset: offset, limit: limit)
      }
      // The caller sees all changes, and revisions in the log have no gaps, so the count follows from them.
      let count = Int(max(0, top - floor.number))
      var page = PageOfChanges(count: count, changes: [], next: nil)
      var number = min(offset, count)
      let end = min(count, number + limit)
      while number < end, !log.isFull {
        let revision = Revision(top - Int64(number))
        if let change = try log.change(revision) { page.changes.append(change) }
        number += 1
      }
      if number < count { page.next = Revision(top - Int64(number) + 1) }
      return page
    }
  }

  func change(_ revision: Revision) throws(InventoryError) -> LoggedChange {
    try reading { (access) throws(StorageError) in
      try access.requireLogged(revision)
      var log = LogReader(access, bound: bound)
      guard let change = try log.change(revision) else { throw .refused(.notFound(.change)) }
      return change
    }
  }
}
