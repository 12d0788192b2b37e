import Inventory
import SQLite

/// The trash and the log.
extension SQLiteSnapshot {
  func trash(
    _ window: PageWindow, for caller: Caller
  ) throws(InventoryError) -> PageOfTrash {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
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
      var page = PageOfTrash(count: count, first: first, rows: [])
      for key in try trash.keys(from: first, limit: window.limit) {
        page.rows.append(try trashedRow(key, access))
      }
      return page
    }
  }

  /// What a caller who sees a part of an inventory sees of its trash, the latest first.
  private func trashedKeys(_ access: Access) throws(StorageError) -> [Int64] {
    var found: [(row: Int64, list: Int64)] = []
    try db.sql(
      """
      SELECT trash.row, list FROM trash JOIN row ON row.key = trash.row
      WHERE trash.inventory = ?1 ORDER BY trash.revision DESC, row.id
      """
    ).bind(access.inventory).each { found.append(($0.int64(0), $0.int64(1))) }
    var isSeen: [Int64: Bool] = [:]
    var keys: [Int64] = []
    for (row, list) in found {
      var isHere = isSeen[list]
      if isHere == nil {
        if case .inTrash = try access.reach(row, nil) { isHere = true }
        isSeen[list] = isHere ?? false
      }
      if isHere == true { keys.append(row) }
    }
    return keys
  }

  private func trashedRow(_ key: Int64, _ access: Access) throws(StorageError) -> TrashedRow {
    var list: Int64?
    let row = try db.sql(
      """
      SELECT id, kind, title, place, trash.revision, deleted_at, actor, list, rehomed
      FROM trash JOIN row ON row.key = trash.row WHERE trash.row = ?1
      """
    ).bind(key).one { row in
      list = row.bool(8) ? nil : row.int64(7)
      return TrashedRow(
        id: RowID(row.uuid(0)), kind: row.int64(1) == 0 ? nil : row.int64(1) == 2 ? .car : .thing,
        title: row.string(2), listID: nil, index: RowIndex(row.int(3)),
        revision: Revision(row.int64(4)), deletedAt: Timestamp(seconds: row.int64(5)),
        deletedBy: row.string(6))
    }
    guard var row else { throw .broken("row \(key) is not in the trash") }
    if let list, try access.reach(of: list) != .purged {
      row.listID = ListID(try access.id(of: list))
    }
    return row
  }

  func changes(
    since: Revision?, offset: Int, limit: Int, for caller: Caller
  ) throws(InventoryError) -> PageOfChanges {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      if let since {
        guard since >= access.historyStart, since <= access.revision else {
          throw .refused(.historyGone(now: access.revision))
        }
      }
      var log = LogReader(access)
      let floor = since ?? access.historyStart
      guard access.root == access.inventoryRoot else {
        return try log.page(after: floor, offset: offset, limit: limit)
      }
      // All is seen and revisions have no holes, so that they count themselves.
      let count = Int(access.revision.number - floor.number)
      var page = PageOfChanges(count: count, changes: [])
      for number in 0..<min(limit, max(0, count - min(offset, count))) {
        let revision = Revision(access.revision.number - Int64(offset + number))
        if let change = try log.change(revision) { page.changes.append(change) }
      }
      return page
    }
  }

  func change(
    _ revision: Revision, for caller: Caller
  ) throws(InventoryError) -> LoggedChange {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      guard revision > Revision(0), revision <= access.revision else {
        throw .refused(.notFound(.change))
      }
      guard revision > access.historyStart else {
        throw .refused(.historyGone(now: access.revision))
      }
      var log = LogReader(access)
      guard let change = try log.change(revision) else { throw .refused(.notFound(.change)) }
      return change
    }
  }
}

/// Reads entries of the log as one caller sees them.
private struct LogReader {
  let access: Access
  /// The ids of the lists looked at so far; nil for those that are out of sight.
  private var known: [Int64: ListID?] = [:]

  init(_ access: Access) { self.access = access }

  /// Nil where the change touched nothing that the caller sees.
  mutating func change(_ revision: Revision) throws(StorageError) -> LoggedChange? {
    var keys: [Int64] = []
    try access.db.sql(
      "SELECT DISTINCT list FROM operation WHERE inventory = ?1 AND revision = ?2"
    ).bind(access.inventory).bind(revision.number).each { keys.append($0.int64(0)) }
    var lists: [ListID] = []
    for key in keys { if let list = try list(key) { lists.append(list) } }
    if lists.isEmpty, access.root != access.inventoryRoot, try !hasVisibleEdit(revision) {
      return nil
    }
    lists.sort { $0.description < $1.description }
    return try access.db.sql(
      """
      SELECT at, actor, request_id, action, undoable FROM change
      WHERE inventory = ?1 AND revision = ?2
      """
    ).bind(access.inventory).bind(revision.number).one { row in
      LoggedChange(
        revision: revision, at: Timestamp(seconds: row.int64(0)), actor: row.string(1),
        requestID: row.string(2), action: row.string(3), lists: lists, isUndoable: row.bool(4))
    }
  }

  /// The changes after a revision that the caller sees, found by looking at each.
  mutating func page(
    after floor: Revision, offset: Int, limit: Int
  ) throws(StorageError) -> PageOfChanges {
    var page = PageOfChanges(count: 0, changes: [])
    var number = access.revision.number
    while number > floor.number {
      if let change = try change(Revision(number)) {
        if page.count >= offset, page.changes.count < limit { page.changes.append(change) }
        page.count += 1
      }
      number -= 1
    }
    return page
  }

  private mutating func list(_ key: Int64) throws(StorageError) -> ListID? {
    if let known = known[key] { return known }
    let id: ListID? =
      switch try access.reach(of: key) {
      case .live, .inTrash: ListID(try access.id(of: key))
      case .purged, .outside, .arriving: nil
      }
    known[key] = .some(id)
    return id
  }

  private func hasVisibleEdit(_ revision: Revision) throws(StorageError) -> Bool {
    var edits: [(row: RowID, field: String)] = []
    try access.db.sql(
      "SELECT row, min(field) FROM edit WHERE inventory = ?1 AND revision = ?2 GROUP BY row"
    )
    .bind(access.inventory).bind(revision.number).each {
      edits.append((RowID($0.uuid(0)), $0.string(1)))
    }
    for (row, field) in edits {
      // An id whose list is gone for good may be an item's by now.
      guard let entry = try access.find(row), entry.isList == ListDetails.logs(field) else {
        continue
      }
      switch try access.reach(entry.key, entry.parent) {
      case .live, .inTrash: return true
      case .purged, .outside, .arriving: continue
      }
    }
    return false
  }
}
