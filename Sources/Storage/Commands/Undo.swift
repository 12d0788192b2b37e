import Inventory
import SQLite

/// The inverse of one change while it is being made: first all that stands in its way is found, then
/// it is carried out.
struct Undo {
  let runner: CommandRunner
  /// Of the change that is undone.
  let revision: Revision
  /// Rows with higher keys were made after it: one with the id of a row that the change knew is another.
  let newest: Int64

  /// A list whose order the change touched.
  struct Order {
    let list: Int64
    let reversal: ListReversal
    /// Whether the list is there and in nobody's trash.
    let isLive: Bool
  }

  /// What a row is and has been through since.
  struct Standing {
    let entry: Access.Entry
    let isLive: Bool
    /// The last revision that gave it its place, and that touched it or what it contains.
    let placed: Revision
    let touched: Revision
  }

  /// A list or an item with the details that it had before the change.
  enum Edited {
    case item(ItemRecord, ItemDetails)
    case list(ListRecord, ListDetails)
    case photos(ItemRecord, [PhotoID])
  }

  var change: Change { runner.change }
  var db: Connection { runner.db }

  var orders: [Order] = []
  /// The list that a row stood in before the change, and the one that it stands in since.
  var origins: [RowID: Int64] = [:]
  var destinations: [RowID: Int64] = [:]
  var edited: [Edited] = []
  private var conflicts: [RowID: UndoConflict.Reason] = [:]

  init(_ runner: CommandRunner, of revision: Revision, newest: Int64) {
    self.runner = runner
    self.revision = revision
    self.newest = newest
  }
}

extension CommandRunner {
  func undo(_ revision: Revision) throws(StorageError) -> Outcome {
    if let prepared {
      try requireLogged(revision)
      try requireRole(.editor)
      // Why it has become impossible is told when it is prepared anew.
      guard try change.access.reach(of: prepared.list) == .live else {
        throw .refused(.boundExceeded)
      }
      let list = try change.list(prepared.list)
      guard list.details.permissions.contains(.move) else { throw .refused(.boundExceeded) }
      try take(prepared, in: list)
    } else {
      let undo = try possibleUndo(of: revision, orderBound)
      try undo.carryOut()
    }
    return Outcome(receipt: try change.commit(action: "undo"))
  }

  /// The list whose order a change has changed, and what turns that round.
  func undoneOrder(_ revision: Revision) throws(StorageError) -> (list: Int64, places: [Int]) {
    let undo = try possibleUndo(of: revision, .max)
    guard undo.orders.count == 1, undo.edited.isEmpty, let order = undo.orders.first,
      order.reversal.returns.isEmpty, order.reversal.arrivals.isEmpty,
      let places = order.reversal.order
    else { throw .broken("the change \(revision) is more than a new order") }
    return (order.list, places)
  }

  /// The inverse of a change once nothing stands in its way; `boundExceeded` where it gives a list of more rows than
  /// `bound` a new order.
  private func possibleUndo(of revision: Revision, _ bound: Int) throws(StorageError) -> Undo {
    try requireLogged(revision)
    let log = ChangeLog(db: db, inventory: change.access.inventory)
    guard try log.rowsOrdered(by: revision) <= bound else { throw .refused(.boundExceeded) }
    let entry = try log.entry(revision)
    try requireSight(of: entry)
    try requireRole(.editor)
    guard entry.isUndoable else { throw .refused(.notUndoable(revision)) }
    var undo = Undo(self, of: revision, newest: entry.newest)
    try undo.prepare(entry)
    return undo
  }

  private func requireLogged(_ revision: Revision) throws(StorageError) {
    let access = change.access
    guard revision > Revision(0), revision <= access.revision else {
      throw .refused(.notFound(.change))
    }
    guard revision > access.historyStart else {
      throw .refused(.historyGone(now: access.revision))
    }
  }

  /// A change that reached out of the caller's root is none of the caller's business.
  private func requireSight(of entry: ChangeLog.Entry) throws(StorageError) {
    let access = change.access
    guard access.root != access.inventoryRoot else { return }
    for (list, operations) in entry.steps {
      // The list above shows what is in the root list, and is reloaded there.
      let isReload = operations.allSatisfy { if case .reload = $0 { true } else { false } }
      guard !isReload else { continue }
      try requireSight(try access.reach(of: list))
    }
    for (row, _) in entry.edits {
      // Another row may have the id of one that has been purged.
      guard let found = try access.find(row), found.key <= entry.newest else {
        throw .refused(.notFound(.change))
      }
      try requireSight(try access.reach(found.key, found.parent))
    }
  }

  private func requireSight(_ reach: Access.Reach) throws(StorageError) {
    switch reach {
    case .live, .inTrash: break
    case .purged, .outside, .arriving: throw .refused(.notFound(.change))
    }
  }
}

// What stands in the way.
extension Undo {
  /// - Throws: the refusal, if there is one.
  fileprivate mutating func prepare(_ entry: ChangeLog.Entry) throws(StorageError) {
    let log = ChangeLog(db: db, inventory: change.access.inventory)
    // What is in a list that the change made goes and comes with it.
    for (list, operations) in entry.steps where !operations.contains(.fields([])) {
      if let order = try order(of: list, operations, log) { orders.append(order) }
    }
    for order in orders {
      for row in order.reversal.arrivals { destinations[row] = order.list }
      for row in order.reversal.returns {
        origins[row.row] = order.list
        if row.isHere { destinations[row.row] = order.list }
      }
    }
    for order in orders { try look(at: order, log) }
    for (row, fields) in entry.edits where origins[row] != nil || destinations[row] == nil {
      try look(at: row, fields)
    }
    guard conflicts.isEmpty else {
      let all = conflicts.map { UndoConflict($0.key, $0.value) }
        .sorted { $0.id.description < $1.id.description }
      throw .refused(.undoConflict(Array(all.prefix(UndoConflict.most))))
    }
    try requirePermissions()
  }

  private func order(
    of list: Int64, _ operations: [ListOperation], _ log: ChangeLog
  ) throws(StorageError) -> Order? {
    let isTouched = operations.contains { operation in
      switch operation {
      case .insert, .delete, .move, .permute: true
      case .reload, .fields: false
      }
    }
    guard isTouched else { return nil }
    let isLive = try change.access.reach(of: list) == .live
    // Without the list its rows have nowhere to go, so that their places do not matter.
    let later = isLive ? try log.operations(on: list, since: revision) : nil
    return Order(
      list: list,
      reversal: ListReversal(
        undoing: operations, followedBy: later, count: isLive ? try change.list(list).tree.count : 0
      ), isLive: isLive)
  }

  private mutating func look(at order: Order, _ log: ChangeLog) throws(StorageError) {
    for row in order.reversal.returns {
      if destinations[row.row] != nil {
        try lookAtMoved(row.row, to: order)
      } else {
        try lookAtDeleted(row.row, to: order)
      }
    }
    for row in order.reversal.arrivals where origins[row] == nil {
      try lookAtInserted(row, in: order)
    }
    guard order.reversal.order != nil else { return }
    guard order.isLive else {
      guard try change.access.reach(of: order.list) != .purged else {
        throw .refused(.notFound(.list))
      }
      return note(RowID(try change.access.id(of: order.list)), .gone)
    }
    guard try log.hasNewOrder(order.list, orNewValues: false, since: revision) else { return }
    let hasOthers = try log.hasRow(in: order.list, newerThan: newest)
    let isSame = try hasOthers ? false : stands(order, log)
    if !isSame {
      note(RowID(try change.list(order.list).id), .reordered)
    }
  }

  /// Whether all that has happened to a list's order since comes to nothing.
  private func stands(_ order: Order, _ log: ChangeLog) throws(StorageError) -> Bool {
    guard let later = try log.operations(on: order.list, since: revision) else { return false }
    var composer = DeltaComposer(countBefore: order.reversal.order?.count ?? 0)
    for operation in later { composer.apply(operation) }
    guard let batch = composer.batch() else { return false }
    return batch.deletes.isEmpty && batch.inserts.isEmpty && batch.moves.isEmpty
  }

  private mutating func lookAtMoved(_ row: RowID, to order: Order) throws(StorageError) {
    guard let standing = try standing(of: row), standing.isLive else { return note(row, .gone) }
    if standing.placed > revision { return note(row, .moved) }
    if !order.isLive { note(row, .listGone) }
  }

  private mutating func lookAtDeleted(_ row: RowID, to order: Order) throws(StorageError) {
    guard let standing = try standing(of: row) else { return note(row, .gone) }
    let deleted = try db.sql("SELECT revision FROM trash WHERE row = ?1")
      .bind(standing.entry.key).one { Revision($0.int64(0)) }
    if let deleted {
      if deleted != revision { return note(row, .moved) }
      if !order.isLive { note(row, .listGone) }
    } else {
      note(row, standing.isLive ? .moved : .gone)
    }
  }

  private mutating func lookAtInserted(_ row: RowID, in order: Order) throws(StorageError) {
    guard let standing = try standing(of: row), standing.isLive else { return note(row, .gone) }
    if standing.placed > revision { return note(row, .moved) }
    if standing.touched > revision { note(row, .edited) }
  }

  private mutating func look(
    at row: RowID, _ fields: [ChangeLog.EditedField]
  ) throws(StorageError) {
    guard let standing = try standing(of: row), standing.isLive else { return note(row, .gone) }
    if standing.entry.isList {
      let list = try change.list(standing.entry.key)
      var details = list.details
      let isSet = reset(fields, list.details.logged) { details.set($0, $1) }
      guard isSet, details.violations.isEmpty else { return note(row, .edited) }
      edited.append(.list(list, details))
    } else if let item = try ItemRecord.find(key: standing.entry.key, in: db) {
      var details = item.details
      let photos = fields.first { $0.name == "\(ChangeLog.Edit.photos)" }
      let others = fields.filter { $0.name != photos?.name }
      let isSet = reset(others, item.details.logged) { details.set($0, $1) }
      guard isSet, details.violations(currentYear: runner.currentYear).isEmpty,
        photos.map({ $0.after == .photos(item.photos) }) ?? true
      else { return note(row, .edited) }
      if !others.isEmpty { edited.append(.item(item, details)) }
      if let photos { edited.append(.photos(item, photos.before.photos)) }
    }
  }

  /// Sets the fields back; false where one is not as the change left it.
  private func reset(
    _ fields: [ChangeLog.EditedField], _ now: [(StaticString, ChangeLog.Edit.Value)],
    _ set: (String, ChangeLog.Edit.Value) -> Bool
  ) -> Bool {
    fields.allSatisfy { field in
      now.contains { "\($0.0)" == field.name && $0.1 == field.after }
        && set(field.name, field.before)
    }
  }

  /// The first reason found for a row is told.
  private mutating func note(_ row: RowID, _ reason: UndoConflict.Reason) {
    if conflicts[row] == nil { conflicts[row] = reason }
  }

  private func standing(of id: RowID) throws(StorageError) -> Standing? {
    guard let entry = try change.access.find(id), entry.key <= newest else { return nil }
    let reach = try change.access.reach(entry.key, entry.parent)
    switch reach {
    case .live, .inTrash: break
    // What has left the caller's sight is gone to it, whatever became of it elsewhere.
    case .purged, .outside, .arriving: return nil
    }
    let found = try db.sql(
      """
      SELECT placed, max(coalesce(row.revision, 0), coalesce(list.revision, 0),
        coalesce((SELECT revision FROM list AS inner WHERE inner.key = row.contents), 0))
      FROM row LEFT JOIN list ON list.key = row.key WHERE row.key = ?1
      """
    ).bind(entry.key).one { (Revision($0.int64(0)), Revision($0.int64(1))) }
    guard let found else { throw .broken("row \(entry.key) is gone") }
    return Standing(
      entry: entry, isLive: reach == .live, placed: found.0, touched: found.1)
  }
}
