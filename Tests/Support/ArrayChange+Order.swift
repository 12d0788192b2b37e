import Inventory

extension ArrayChange {
  mutating func reorder(
    _ list: ListReference, _ order: NewOrder
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    try requireMatch(list: list)
    try require(.move, in: list)
    let present = state[list].rows
    guard present.count <= Limits.rowsReordered else {
      throw .tooManyRows(limit: Limits.rowsReordered)
    }
    switch order {
    case .ids(let ids):
      try requireMembers(ids, of: present)
      setRows(ids, of: list)
      reordered.insert(list)
    case .sorted(let order):
      let values = present.map { state.sortValue(of: $0, order.key) }
      setRows(order.permutation(of: values).map { present[$0] }, of: list)
      reordered.insert(list)
    }
    return Outcome(receipt: finish())
  }

  private func requireMembers(_ ids: [RowID], of present: [RowID]) throws(InventoryError) {
    var named: Set<RowID> = []
    var unknown: [RowID] = []
    var duplicate: [RowID] = []
    for id in ids {
      if !named.insert(id).inserted {
        duplicate.append(id)
      } else if !present.contains(id) {
        unknown.append(id)
      }
    }
    let missing = present.filter { !named.contains($0) }
    guard missing.isEmpty, unknown.isEmpty, duplicate.isEmpty else {
      throw .notThePresentRows(
        missing: Array(missing.prefix(100)), unknown: Array(unknown.prefix(100)),
        duplicate: Array(duplicate.prefix(100)))
    }
  }

  mutating func deleteRow(
    _ row: RowID, _ kind: RowKind, isRecursive: Bool
  ) throws(InventoryError) -> Outcome {
    switch kind {
    case .any: try state.require(row, for: caller, as: .row)
    case .list: _ = try state.listID(.id(ListID(row)), for: caller)
    case .item: try state.requireItem(ItemID(row), for: caller)
    }
    try requireRole(.editor)
    try requireMatch(row: row)
    let list = try home(of: row)
    return try delete(row, of: list, isRecursive: isRecursive)
  }

  mutating func deleteRow(
    at index: Int, of list: ListReference, expecting: RowID?, isRecursive: Bool
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    try requireMatch(list: list)
    try require(.delete, in: list)
    let rows = state[list].rows
    try requireStanding(expecting, at: index, in: rows)
    guard index != rows.count else { throw .sentinelUndeletable }
    guard rows.indices.contains(index) else {
      throw .invalid([FieldError(["index"], "There is no row at this index.")])
    }
    return try delete(rows[index], of: list, isRecursive: isRecursive)
  }

  private mutating func delete(
    _ row: RowID, of list: ListID, isRecursive: Bool
  ) throws(InventoryError) -> Outcome {
    try require(.delete, in: list)
    try requireEmpty(row, isRecursive: isRecursive)
    throwAway(row, of: list)
    return Outcome(receipt: finish())
  }

  func requireEmpty(_ row: RowID, isRecursive: Bool) throws(InventoryError) {
    let holder =
      state.lists[ListID(row)] != nil ? ListID(row) : state.items[ItemID(row)]?.contents
    let below = holder.map { state[$0].rows.count } ?? 0
    guard below == 0 || isRecursive else { throw .listNotEmpty(rowCount: below) }
  }
}
