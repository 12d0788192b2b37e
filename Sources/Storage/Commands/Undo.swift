import Inventory
import SQL

/// An undo in progress: first it finds all conflicts, then it makes the inverse change.
struct Undo {
  let change: Change
  /// The revision of the change that is undone.
  let revision: Revision
  /// Rows with higher keys were created after the change. Such a row can have the id of a row that the change knew.
  let newest: RowKey

  /// A list whose order the change touched.
  struct Order {
    let list: RowKey
    let operations: [ListOperation]
    /// Whether the list exists and is not in the trash.
    let isLive: Bool
    /// Computed after the checks that do not need it.
    var reversal = ListReversal(undoing: [], followedBy: nil, count: 0)
  }

  /// The present state of a row.
  struct Standing {
    let entry: Access.Entry
    let isLive: Bool
    /// The last revision that gave it its place, and the last one that edited it, if it is an item.
    let placed: Revision
    let edited: Revision
  }

  /// A list or an item with the details that it had before the change.
  enum Edited {
    case item(ItemRecord, ItemDetails)
    case list(ListRecord, ListDetails)
    case photos(ItemRecord, [PhotoID])
  }

  var db: Connection { change.db }
  private var log: ChangeLog { change.access.log }

  var orders: [Order] = []
  /// The list that contained a row before the change, and the one that contained it after.
  var origins: [RowID: RowKey] = [:]
  var destinations: [RowID: RowKey] = [:]
  var edited: [Edited] = []
  /// The records of rows that the change took out of the trash or put back there.
  var trashRecords: [RowID: TrashRecord] = [:]
  /// Seconds after which deleted rows are purged; 0 means never.
  let trashTime: Int64
  fileprivate var conflicts: [RowID: UndoConflict.Reason] = [:]
  /// The number of steps, edits and rows that may still be read, in all lists together.
  fileprivate var bound: Int
  fileprivate let prepared: PreparedUndo?
  /// By list: the rows that the undone change put there, and that later changes have placed there again.
  fileprivate var placedSince: [RowKey: [RowID]] = [:]
  /// Rows that the change put into a list, except items without contents that were not edited since.
  fileprivate var inserted: [RowKey: RowID] = [:]
}

/// The parts of an undo that take long, computed by a reader from one state.
struct PreparedUndo: Sendable {
  /// The inventory's revision in that state.
  let revision: Revision
  /// By the keys of the lists.
  fileprivate let reversals: [RowKey: ListReversal]
  /// Rows that the change put into a list, and that are as it left them, with everything below them.
  fileprivate let unedited: Set<RowKey>
}

extension CommandRunner {
  func undo(_ revision: Revision) throws(StorageError) -> Outcome {
    if let prepared = preparedOrder {
      try change.access.requireLogged(revision)
      try change.requireRole(.editor)
      // If the undo has become impossible, the next preparation throws the reason.
      guard try change.access.visibility(of: prepared.list) == .live else {
        throw .refused(.boundExceeded)
      }
      let list = try change.list(prepared.list)
      guard list.details.permissions.contains(.move) else { throw .refused(.boundExceeded) }
      try take(prepared, in: list)
    } else {
      try possibleUndo(of: revision).carryOut()
    }
    return Outcome(receipt: try change.commit(action: "undo"))
  }

  /// Computes the result of an undo, and changes nothing. Returns `order` if the undo only gives one list a new order.
  func preparedUndo(
    _ revision: Revision
  ) throws(StorageError) -> (undo: PreparedUndo, order: (list: RowKey, places: [Int])?) {
    let undo = try possibleUndo(of: revision)
    let prepared = PreparedUndo(
      revision: change.access.revision,
      reversals: Dictionary(uniqueKeysWithValues: undo.orders.map { ($0.list, $0.reversal) }),
      unedited: Set(undo.inserted.keys))
    guard undo.orders.count == 1, undo.edited.isEmpty, let order = undo.orders.first,
      order.reversal.returns.isEmpty, order.reversal.arrivals.isEmpty,
      let places = order.reversal.order
    else { return (prepared, nil) }
    return (prepared, (order.list, places))
  }

  /// The inverse of a change, if there is no conflict.
  ///
  /// - Throws: `boundExceeded` if it takes more than the writer may do at once, and has not been prepared.
  private func possibleUndo(of revision: Revision) throws(StorageError) -> Undo {
    try change.access.requireLogged(revision)
    let log = change.access.log
    let bound = prepared == nil ? orderBound : .max
    if bound < .max, try log.isLong(revision, bound: bound) { throw .refused(.boundExceeded) }
    let entry = try log.entry(revision)
    try requireSight(of: entry, at: revision, bound: bound)
    try change.requireRole(.editor)
    guard entry.isUndoable else { throw .refused(.notUndoable(revision)) }
    var undo = Undo(
      change: change, revision: revision, newest: entry.newest, trashTime: trashTime, bound: bound,
      prepared: preparedUndo)
    try undo.prepare(entry)
    return undo
  }

  /// Throws `notFound` unless the caller saw everything that the change touched, at that time and now.
  private func requireSight(
    of entry: ChangeLog.Entry, at revision: Revision, bound: Int
  ) throws(StorageError) {
    let access = change.access
    guard access.root != access.inventoryRoot else { return }
    var past = PastSight(access, bound: bound)
    for (list, operations) in entry.steps {
      // Reloads do not count: the list above the caller's root reloads the root's row.
      let isReload = operations.allSatisfy { if case .reload = $0 { true } else { false } }
      guard !isReload else { continue }
      guard try past.sees(list, at: revision) else { throw .refused(.notFound(.change)) }
    }
    for (row, _) in entry.edits {
      guard let found = try access.find(row, upTo: entry.newest),
        try past.sees(found.key, at: revision)
      else { throw .refused(.notFound(.change)) }
    }
  }
}

// The conflicts: first those that the rows' present state shows, then those that need all steps since. If the steps are
// many, a reader reads them, because a refusal names all rows.
extension Undo {
  /// - Throws: the refusal, if there is one.
  fileprivate mutating func prepare(_ entry: ChangeLog.Entry) throws(StorageError) {
    trashRecords = entry.trashRecords
    // Skips the lists that the change created, because their rows are removed with them.
    for (list, operations) in entry.steps where !operations.contains(.fields([])) {
      let rows = ListReversal.rows(of: operations).filter { $0.value.wasHere || $0.value.isHere }
      guard !rows.isEmpty || operations.contains(where: \.isPermutation) else { continue }
      for (row, was) in rows {
        if was.wasHere { origins[row] = list }
        if was.isHere { destinations[row] = list }
      }
      orders.append(
        Order(
          list: list, operations: operations,
          isLive: try change.access.visibility(of: list) == .live))
    }
    for order in orders { try look(at: order) }
    for (row, fields) in entry.edits where origins[row] != nil || destinations[row] == nil {
      try look(at: row, fields)
    }
    for index in orders.indices where orders[index].isLive {
      orders[index].reversal = try reversal(of: orders[index])
      try lookAtPlaces(of: orders[index])
    }
    try lookForEdits()
    try refuseConflicts()
    try requirePermissions()
  }

  private func refuseConflicts() throws(StorageError) {
    guard !conflicts.isEmpty else { return }
    let all = conflicts.map { UndoConflict($0.key, $0.value) }
      .sorted { $0.id.description < $1.id.description }
    throw .refused(.undoConflict(Array(all.prefix(UndoConflict.most))))
  }

  private mutating func look(at order: Order) throws(StorageError) {
    for (row, was) in ListReversal.rows(of: order.operations) {
      if was.wasHere {
        if destinations[row] != nil {
          try lookAtPlaced(row, from: order)
        } else {
          try lookAtDeleted(row, to: order)
        }
      } else if was.isHere, origins[row] == nil {
        try lookAtPlaced(row, from: nil)
      }
    }
    guard !order.isLive, order.operations.contains(where: \.isPermutation) else { return }
    guard try change.access.visibility(of: order.list) != .purged else {
      throw .refused(.notFound(.list))
    }
    note(RowID(try change.access.id(of: order.list)), .gone)
  }

  /// - Parameter origin: the list from which the change moved the row; nil for a row that it inserted.
  private mutating func lookAtPlaced(_ row: RowID, from origin: Order?) throws(StorageError) {
    guard let standing = try standing(of: row), standing.isLive else { return note(row, .gone) }
    guard isPlaced(standing) else { return note(row, .moved) }
    if let origin {
      if !origin.isLive { note(row, .listGone) }
    } else if standing.entry.hasLists || standing.edited > revision {
      inserted[standing.entry.key] = row
    }
  }

  private mutating func lookAtDeleted(_ row: RowID, to order: Order) throws(StorageError) {
    guard let standing = try standing(of: row) else { return note(row, .gone) }
    guard let deleted = try TrashRecord.find(standing.entry.key, in: db) else {
      return note(row, standing.isLive ? .moved : .gone)
    }
    let (deletion, list) =
      trashRecords[row].map { ($0.revision, $0.list) } ?? (revision, order.list)
    // The row may have been restored and deleted again. If its list has been purged, `isFrom` cannot tell, because the
    // purge updates the trash records later, in small steps.
    if deleted.revision != deletion {
      let isPurged = try change.access.visibility(of: list) == .purged
      if isPurged || !deleted.isFrom(list) { return note(row, .moved) }
    }
    if !order.isLive { note(row, .listGone) }
  }

  /// Whether a row is in the list in which the change left it. Its place in the list is checked later.
  private mutating func isPlaced(_ standing: Standing) -> Bool {
    guard standing.placed > revision else { return true }
    let id = standing.entry.id
    guard let list = destinations[id], standing.entry.parent == list else { return false }
    placedSince[list, default: []].append(id)
    return true
  }

  /// The reversal of the list's order. If it takes long to compute, it has been prepared.
  private mutating func reversal(of order: Order) throws(StorageError) -> ListReversal {
    if let prepared = self.prepared {
      let access = change.access
      guard let reversal = prepared.reversals[order.list],
        (access.historyStart...access.revision).contains(prepared.revision),
        try !log.hasNewOrder(order.list, orNewValues: false, since: prepared.revision)
      else { throw .refused(.boundExceeded) }
      return reversal
    }
    let later = try log.orderSteps(on: order.list, since: revision, bound: &bound)
    let reversal = ListReversal(
      undoing: order.operations, followedBy: later, count: try change.list(order.list).tree.count,
      findsPlaces: placedSince[order.list] != nil
        || order.operations.contains(where: \.isPermutation))
    guard reversal.isSound else {
      throw .broken("list \(order.list): the log does not fit it")
    }
    return reversal
  }

  private mutating func lookAtPlaces(of order: Order) throws(StorageError) {
    for row in placedSince[order.list] ?? [] where !order.reversal.inPlace.contains(row) {
      note(row, .moved)
    }
    guard order.reversal.order != nil else { return }
    let list = try change.list(order.list)
    guard order.reversal.isOrderKept, try !hasNewerRow(list) else {
      return note(RowID(list.id), .reordered)
    }
  }

  /// Whether a list has a row that was created after the change, and that may have the id of an earlier row. Reads the
  /// rows only if the log has later steps that changed which rows the list has, or their order.
  private mutating func hasNewerRow(_ list: ListRecord) throws(StorageError) -> Bool {
    // A prepared undo has been checked.
    guard self.prepared == nil,
      try log.hasNewOrder(list.key, orNewValues: false, since: revision)
    else { return false }
    guard list.tree.count <= bound else { throw .refused(.boundExceeded) }
    bound -= list.tree.count
    return try log.hasRow(in: list.key, newerThan: newest)
  }

  /// Notes a conflict for each inserted row that is no longer as the change left it, with everything below it. Later
  /// changes that cancel out are no conflict.
  private mutating func lookForEdits() throws(StorageError) {
    inserted = inserted.filter { conflicts[$0.value] == nil }
    guard !inserted.isEmpty else { return }
    if let prepared = self.prepared {
      let isKnown = prepared.unedited.isSuperset(of: inserted.keys)
      guard isKnown else { throw .refused(.boundExceeded) }
    }
    let since = self.prepared?.revision ?? revision
    var known: [RowKey: RowID?] = [:]
    for row in try log.rowsEdited(since: since, bound: &bound) {
      guard let key = try change.access.find(row)?.key,
        let top = try insertedRow(above: key, &known)
      else { continue }
      guard self.prepared == nil else { throw .refused(.boundExceeded) }
      note(top, .edited)
    }
    for list in try log.listsTouched(since: since, bound: &bound) {
      guard let top = try insertedRow(above: list, &known), conflicts[top] == nil else { continue }
      guard self.prepared == nil else { throw .refused(.boundExceeded) }
      if try !hasSameRows(list) { note(top, .edited) }
    }
  }

  /// The inserted row that has this key, or contains the row with this key; nil if there is none.
  ///
  /// - Parameter known: the results of earlier walks.
  private mutating func insertedRow(
    above key: RowKey, _ known: inout [RowKey: RowID?]
  ) throws(StorageError) -> RowID? {
    var passed: [RowKey] = []
    var next: RowKey? = key
    var top: RowID?
    while let key = next {
      top = inserted[key] ?? (known[key] ?? nil)
      guard top == nil, known[key] == nil else { break }
      guard bound > 0 else { throw .refused(.boundExceeded) }
      bound -= 1
      passed.append(key)
      // Ends the walk in a damaged database in which a row contains itself.
      known.updateValue(nil, forKey: key)
      next = try db.parent(of: key)
    }
    for key in passed { known.updateValue(top, forKey: key) }
    return top
  }

  /// Whether a list has the same rows in the same order as after the change.
  private mutating func hasSameRows(_ key: RowKey) throws(StorageError) -> Bool {
    let list = try change.list(key)
    guard let later = try log.orderSteps(on: key, since: revision, bound: &bound),
      ListReversal(undoing: [], followedBy: later, count: list.tree.count).isOrderKept
    else { return false }
    return try !hasNewerRow(list)
  }

  private mutating func look(
    at row: RowID, _ fields: [ChangeLog.Edit]
  ) throws(StorageError) {
    guard let standing = try standing(of: row), standing.isLive else { return note(row, .gone) }
    if standing.entry.isList {
      let list = try change.list(standing.entry.key)
      var details = list.details
      let isSet = fields.allSatisfy { details.reset($0) }
      guard isSet, details.fieldErrors.isEmpty else { return note(row, .edited) }
      edited.append(.list(list, details))
    } else if let item = try ItemRecord.find(key: standing.entry.key, in: db) {
      var details = item.details
      let photos = fields.first { $0.field == ChangeLog.Edit.photos }
      let others = fields.filter { $0.field != photos?.field }
      let isSet = others.allSatisfy { details.reset($0) }
      guard isSet, details.fieldErrors(currentYear: change.currentYear).isEmpty,
        photos.map({ $0.after == .photos(item.photos) }) ?? true
      else { return note(row, .edited) }
      if !others.isEmpty { edited.append(.item(item, details)) }
      if let photos { edited.append(.photos(item, photos.before.photos)) }
    }
  }

  /// Notes a conflict. Only the first reason for a row counts.
  private mutating func note(_ row: RowID, _ reason: UndoConflict.Reason) {
    if conflicts[row] == nil { conflicts[row] = reason }
  }

  private func standing(of id: RowID) throws(StorageError) -> Standing? {
    guard let entry = try change.access.find(id, upTo: newest) else { return nil }
    let visibility = try change.access.visibility(entry.key, entry.parent)
    // For the caller, a row that has left the caller's sight is gone, whatever happened to it since.
    guard visibility.isInSight else { return nil }
    let found = try db.sql("SELECT placed, coalesce(revision, 0) FROM row WHERE key = ?1")
      .bind(entry.key).one { (Revision($0.int64(0)), Revision($0.int64(1))) }
    guard let (placed, edited) = found else { throw .broken("row \(entry.key) is gone") }
    return Standing(entry: entry, isLive: visibility == .live, placed: placed, edited: edited)
  }
}

extension ListOperation {
  fileprivate var isPermutation: Bool { if case .permute = self { true } else { false } }
}

extension NamedFields {
  /// Sets a field back. Returns false if its value is not the one that the change gave it.
  fileprivate mutating func reset(_ edited: ChangeLog.Edit) -> Bool {
    guard let field = Field(rawValue: edited.field), self[field] == edited.after else {
      return false
    }
    return set(field, to: edited.before)
  }
}
