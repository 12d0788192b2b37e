import Inventory
import SQL

extension CommandRunner {
  func reorder(_ reference: ListReference, _ order: NewOrder) throws(StorageError) -> Outcome {
    let list = try listToReorder(reference)
    if let prepared = preparedOrder {
      try take(prepared, in: list)
    } else {
      guard list.tree.count <= orderBound else { throw .refused(.boundExceeded) }
      let rows = try change.members(of: list)
      let places = try places(of: rows, in: order)
      if !places.isIdentity { try change.arrange(rows, of: list.key, places) }
    }
    return Outcome(receipt: try change.commit(action: "reorder"))
  }

  /// Computes the new order of a long list, or the result of an undo, and changes nothing. A reader's connection is
  /// enough.
  ///
  /// - Parameter orderBound: a list with more rows gets its new order in pieces.
  func prepare(_ command: Command, orderBound: Int) throws(StorageError) -> Prepared {
    let list: ListRecord
    let rows: [Change.Member]
    let places: [Int]
    switch command {
    case .reorder(let reference, let order):
      list = try listToReorder(reference)
      rows = try change.members(of: list)
      places = try self.places(of: rows, in: order)
    case .undo(let revision):
      let (undo, order) = try preparedUndo(revision)
      guard let order, order.places.count > orderBound else { return .undo(undo) }
      list = try change.list(order.list)
      rows = try change.members(of: list)
      places = order.places
    default: throw .broken("a command that orders no list was to be prepared")
    }
    guard places.count == rows.count else {
      throw .broken("list \(list.key): an order of \(places.count) for \(rows.count) rows")
    }
    var prepared = PreparedOrder(
      of: list, at: change.access.revision, rows: rows.map(\.key), by: places)
    if case .reorder(_, .sorted(let sort)) = command {
      prepared.dependsOnValues = true
      prepared.dependsOnUpdates = sort.key == .updatedAt
    }
    return .order(prepared)
  }

  private func listToReorder(_ reference: ListReference) throws(StorageError) -> ListRecord {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    try change.requireMatch(list)
    try change.require(.move, in: list)
    guard list.tree.count <= Limits.rowsReordered else {
      throw .refused(.tooManyRows(limit: Limits.rowsReordered))
    }
    return list
  }

  private func places(of rows: [Change.Member], in order: NewOrder) throws(StorageError) -> [Int] {
    switch order {
    case .ids(let ids): try Self.permutation(of: rows.map(\.id), to: ids)
    case .sorted(let sort): sort.permutation(of: try values(rows, by: sort.key))
    }
  }

  /// Switches a list to an order that was computed and written before.
  ///
  /// Throws `boundExceeded` if the list's rows have changed since.
  func take(_ prepared: PreparedOrder, in list: ListRecord) throws(StorageError) {
    guard try isCurrent(prepared, list) else { throw .refused(.boundExceeded) }
    guard !prepared.changesNothing else { return }
    // A dry run is rolled back, so it needs no places.
    if !change.context.isDryRun {
      guard let arrangement = prepared.arrangement, try arrangement.end(in: db) else {
        throw .refused(.boundExceeded)
      }
      try change.update(list.key) { $0.tree.take(arrangement.plan, arrangement: arrangement.key) }
    }
    change.record(prepared)
  }

  private func isCurrent(
    _ prepared: PreparedOrder, _ list: ListRecord
  ) throws(StorageError) -> Bool {
    let access = change.access
    guard prepared.list == list.key, prepared.root == list.tree.root,
      prepared.rows.count == list.tree.count,
      (access.historyStart...access.revision).contains(prepared.revision)
    else { return false }
    if prepared.dependsOnUpdates, access.revision > prepared.revision,
      try access.log.hasUpdate(in: list.key, since: prepared.revision)
    {
      return false
    }
    return try !access.log
      .hasNewOrder(
        list.key, orNewValues: prepared.dependsOnValues, since: prepared.revision)
  }

  /// The permutation that brings `present` into the order of `ids`: the row at place i was at `result[i]`.
  ///
  /// Of too many ids, reads only enough for the refusal, and then names no missing rows: a long body must not cost
  /// more than the list.
  private static func permutation(
    of present: [RowID], to ids: [RowID]
  ) throws(StorageError) -> [Int] {
    let places = Dictionary(
      uniqueKeysWithValues: present.enumerated().map { ($0.element, $0.offset) })
    var permutation: [Int] = []
    var seen: Set<RowID> = []
    var (unknown, duplicate): ([RowID], [RowID]) = ([], [])
    let read = ids.prefix(present.count + 2 * Limits.rowsNamedInRefusal)
    for id in read {
      guard seen.insert(id).inserted else {
        duplicate.append(id)
        continue
      }
      if let place = places[id] { permutation.append(place) } else { unknown.append(id) }
    }
    let missing = read.count == ids.count ? present.filter { !seen.contains($0) } : []
    guard missing.isEmpty, unknown.isEmpty, duplicate.isEmpty else {
      throw .refused(
        .notThePresentRows(
          missing: Array(missing.prefix(Limits.rowsNamedInRefusal)),
          unknown: Array(unknown.prefix(Limits.rowsNamedInRefusal)),
          duplicate: Array(duplicate.prefix(Limits.rowsNamedInRefusal))))
    }
    return permutation
  }

  private func values(
    _ rows: [Change.Member], by key: SortOrder.Key
  ) throws(StorageError) -> [SortValue] {
    var values = [SortValue](repeating: .missing, count: rows.count)
    var text = 0
    // In the order of the keys, which is the order of the pages that hold the rows.
    for place in rows.indices.sorted(by: { rows[$0].key < rows[$1].key }) {
      let row = rows[place]
      let value = try db.sql(
        SortValue.columns, "FROM row LEFT JOIN list ON list.key = row.key WHERE row.key = ?1"
      ).bind(row.key).one { SortValue($0, by: key) }
      guard let value else { throw .broken("row \(row.key) is gone") }
      values[place] = value
      text += value.textSize
      guard text <= Limits.textSorted else { throw .refused(.tooMuchAtOnce(.textSorted)) }
    }
    return values
  }
}

extension Change {
  /// A row of a list that is reordered.
  struct Member {
    var key: RowKey
    var id: RowID
  }

  /// Reorders a list: row i is the one that was at `places[i]`.
  func arrange(_ key: RowKey, by places: [Int]) throws(StorageError) {
    let rows = try members(of: try list(key))
    guard places.count == rows.count else {
      throw .broken("list \(key): an order of \(places.count) for \(rows.count) rows")
    }
    try arrange(rows, of: key, places)
  }

  /// Moves the rows to a new tree. Its leaves have new ids, so that no new place is taken by another row.
  func arrange(_ rows: [Member], of key: RowKey, _ places: [Int]) throws(StorageError) {
    let slots = try update(key) { (list) throws(StorageError) in
      try list.tree.rebuild(shape: shape, in: db)
    }
    // In the order of the keys, which is the order of the pages that hold the rows.
    for (place, slot) in zip(places, slots).sorted(by: { rows[$0.0].key < rows[$1.0].key }) {
      try db.sql("UPDATE row SET leaf = ?2, pos = ?3 WHERE key = ?1")
        .bind(rows[place].key).bind(slot.leaf).bind(slot.pos).perform()
    }
    record(.permute(order: places), on: key)
  }

  func members(of list: ListRecord) throws(StorageError) -> [Member] {
    var members: [Member] = []
    members.reserveCapacity(list.tree.count)
    try list.tree.eachRow(
      "SELECT key, id",
      own: "FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos",
      arranged: "FROM placed JOIN row ON row.key = placed.row ORDER BY placed.pos",
      in: db
    ) { members.append(Member(key: $0.key(0), id: RowID($0.uuid(1)))) }
    return members
  }
}

/// The result of a reader's work for a command, passed to the writer.
enum Prepared: Sendable {
  case order(PreparedOrder)
  case undo(PreparedUndo)
}

/// A new order of a long list, computed by a reader from one state.
struct PreparedOrder: Sendable {
  let list: RowKey
  /// The inventory's revision in that state.
  let revision: Revision
  /// The root of the list's tree in that state.
  let root: Int64
  /// The keys of the rows in the new order.
  let rows: [RowKey]
  /// The former index of the row now at each place.
  let places: [Int]
  /// The indices of `rows` by ascending key.
  let indicesByKey: [Int]
  /// `places` in the format of the log.
  let logged: [UInt8]
  /// The moves in the receipt; nil for a resync.
  private let moves: [Delta.Move]?
  /// Whether the order depends on the rows' values, so that an edit of a row makes it out of date.
  var dependsOnValues = false
  /// Whether it also depends on when they were last updated.
  var dependsOnUpdates = false
  /// The written arrangement; nil if it has not been written.
  var arrangement: Arrangement?

  var changesNothing: Bool { places.isIdentity }

  init(of list: ListRecord, at revision: Revision, rows: [RowKey], by places: [Int]) {
    self.list = list.key
    self.revision = revision
    root = list.tree.root
    let ordered = places.map { rows[$0] }
    self.rows = ordered
    indicesByKey = ordered.indices.sorted { ordered[$0] < ordered[$1] }
    self.places = places
    logged = LoggedOrder.bytes(places)
    var composer = DeltaComposer(countBefore: rows.count)
    composer.apply(.permute(order: places))
    moves = composer.batch()?.moves
  }

  /// The content of the receipt's delta for the list in this order.
  func content(of list: ListRecord) -> Delta.Content {
    guard let moves else { return .resync }
    return .changes(
      Delta.Changes(
        permissions: list.details.permissions, countBefore: list.tree.count,
        countAfter: list.tree.count, moves: moves))
  }
}

extension [Int] {
  /// Whether each number is its own index.
  var isIdentity: Bool { !indices.contains { self[$0] != $0 } }
}
