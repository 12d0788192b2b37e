import Inventory

extension ArrayChange {
  mutating func moveRow(
    in list: ListReference, from: Int, to: Int, expecting: RowID?
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    try requireMatch(list: list)
    try require(.move, in: list)
    var rows = state[list].rows
    try requireStanding(expecting, at: from, in: rows)
    guard from != rows.count else { throw .sentinelImmovable }
    guard rows.indices.contains(from) else {
      throw .invalid([FieldError(["from"], "There is no row at this index.")])
    }
    let landing = try Landing.above(
      sentinelOf: rows.count - 1, proposed: to, isStrict: context.isStrict, field: ["to"])
    if from != landing.index { moved.insert(rows[from]) }
    rows.insert(rows.remove(at: from), at: landing.index)
    setRows(rows, of: list)
    return Outcome(
      receipt: finish(landing: landing))
  }

  mutating func relocate(
    _ row: RowID, into list: ListReference?, _ position: Position
  ) throws(InventoryError) -> Outcome {
    try state.require(row, for: caller, as: .row)
    var target: ListID?
    if let list { target = try state.listID(list, for: caller) }
    try requireRole(.editor)
    try requireMatch(row: row)
    let source = try home(of: row)
    let landing = try move([row], into: target ?? source, position)
    return Outcome(
      receipt: finish(landing: landing))
  }

  mutating func moveRows(
    _ rows: [RowID], into list: ListReference, _ position: Position
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    for row in rows { try state.require(row, for: caller, as: .row) }
    try requireRole(.editor)
    try requireDistinct(rows)
    try requireMatch(list: list)
    let landing = try move(rows, into: list, position)
    return Outcome(
      receipt: finish(landing: landing))
  }

  /// Takes all rows out of where they are, then puts them in at one place of the target.
  private mutating func move(
    _ named: [RowID], into target: ListID, _ position: Position
  ) throws(InventoryError) -> Landing {
    for row in named { try requireMovable(row, into: target) }
    var others = state[target].rows.filter { !named.contains($0) }
    let landing = try landing(position, among: others)
    noteMoves(of: named, in: target, behind: others.prefix(landing.index).last)
    for row in named {
      let source = try home(of: row)
      guard source != target else { continue }
      setRows(state[source].rows.filter { $0 != row }, of: source)
      setHome(of: row, to: target)
    }
    others.insert(contentsOf: named, at: landing.index)
    setRows(others, of: target)
    return landing
  }

  /// Of rows that are put behind each other, those count as moved that are not there already.
  private mutating func noteMoves(of named: [RowID], in target: ListID, behind anchor: RowID?) {
    var rows = state[target].rows
    var anchor = anchor
    for row in named {
      let from = rows.firstIndex(of: row)
      rows.removeAll { $0 == row }
      let to = anchor.flatMap({ rows.firstIndex(of: $0) }).map { $0 + 1 } ?? 0
      rows.insert(row, at: to)
      if let from, from != to { moved.insert(row) }
      anchor = row
    }
  }

  private func requireMovable(_ row: RowID, into target: ListID) throws(InventoryError) {
    let source = try home(of: row)
    try require(.move, in: source)
    guard source != target else { return }
    try require(.add, in: target)
    if state.chain(of: RowID(target)).contains(row) { throw .cycle }
    let accepts = state[target].details.itemKind
    if let item = state.items[ItemID(row)], !accepts.accepts(item.details.kind) {
      throw .kindMismatch(list: target, accepts: accepts)
    }
    try state.requireRoom(for: row, in: target, from: state.level(of: row), for: caller)
  }

  /// The list that something is a row of.
  ///
  /// - Throws: `rootList` for the caller's root too: its own list is out of the caller's sight.
  func home(of row: RowID) throws(InventoryError) -> ListID {
    if row == RowID(state.root(for: caller)) { throw .rootList }
    if let item = state.lists[ListID(row)]?.item { throw .contentsList(item: item) }
    guard let seat = state.seat(of: row) else { throw .notFound(.row) }
    return seat.list
  }

  func requireStanding(
    _ expected: RowID?, at index: Int, in rows: [RowID]
  ) throws(InventoryError) {
    guard let expected else { return }
    let present = rows.firstIndex(of: expected)
    guard present == index else {
      throw .rowMoved(expected, now: present.map { RowIndex($0) })
    }
  }

  private func requireDistinct(_ rows: [RowID]) throws(InventoryError) {
    guard !rows.isEmpty else { throw .invalid([FieldError(["ids"], "At least one id.")]) }
    guard rows.count <= Limits.rowsMovedAtOnce else {
      throw .invalid([FieldError(["ids"], "At most \(Limits.rowsMovedAtOnce) ids.")])
    }
    let repeated = rows.indices.filter { rows[..<$0].contains(rows[$0]) }
    guard repeated.isEmpty else {
      throw .invalid(repeated.map { FieldError(["ids", String($0)], "No id twice.") })
    }
  }
}
