import Inventory

extension ArrayChange {
  mutating func batch(
    _ batch: Batch, in list: ListReference
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    guard batch.count <= Limits.operationsInBatch else {
      throw .tooManyRows(limit: Limits.operationsInBatch)
    }
    try requireValid(batch.fieldErrors(currentYear: now.year))
    try requireMatch(list: list)
    if !batch.deletions.isEmpty { try require(.delete, in: list) }
    if !batch.insertions.isEmpty { try require(.add, in: list) }
    if !batch.moves.isEmpty { try require(.move, in: list) }
    let before = state[list].rows
    try requireValid(batch.fieldErrors(inListOf: before.count))

    let deleted = try batch.deletions.map { (subject) throws(InventoryError) in
      try row(subject, in: before, beyond: .sentinelUndeletable)
    }
    let moved = try batch.moves.map { (move) throws(InventoryError) in
      try row(move.subject, in: before, beyond: .sentinelImmovable)
    }
    for update in batch.updates where !before.contains(update.id) {
      throw .rowMoved(update.id, now: nil)
    }
    try requireValid(batch.fieldErrors(deleting: deleted, moving: moved))
    try edit(batch.updates, in: list)
    for insertion in batch.insertions { try requireNew(insertion.new, in: list) }
    for row in deleted { try requireEmpty(row, isRecursive: batch.isRecursive) }

    var after = before.filter { !deleted.contains($0) && !moved.contains($0) }
    let arrivals =
      batch.insertions.map { (row: $0.new.id, to: $0.index) }
      + zip(moved, batch.moves).map { (row: $0, to: $1.to) }
    for (row, index) in arrivals.sorted(by: { $0.to < $1.to }) { after.insert(row, at: index) }
    for insertion in batch.insertions { make(insertion.new, in: list) }
    for row in before.reversed() where deleted.contains(row) { throwAway(row, of: list) }
    noteMoves(of: moved, among: before.filter { !deleted.contains($0) }, batch)
    setRows(after, of: list)
    let receipt = finish()
    return Outcome(
      receipt: receipt,
      results: results(of: batch, deleted: deleted, moved: moved, from: before))
  }

  /// Rows that are at their target once the rows above are there count as not moved.
  private mutating func noteMoves(of named: [RowID], among rows: [RowID], _ batch: Batch) {
    var order = BatchOrder(moving: named.map { ($0, rows.firstIndex(of: $0) ?? 0) })
    let arrivals =
      batch.insertions.map { (row: RowID?.none, to: $0.index) }
      + zip(named, batch.moves).map { (row: $0, to: $1.to) }
    for (row, index) in arrivals.sorted(by: { $0.to < $1.to }) {
      if let row {
        if let step = order.move(row, to: index), step.from != step.to { moved.insert(row) }
      } else {
        _ = order.insert(at: index)
      }
    }
  }

  private func row(
    _ subject: Batch.Subject, in rows: [RowID], beyond sentinel: InventoryError
  ) throws(InventoryError) -> RowID {
    switch subject {
    case .id(let id):
      guard rows.contains(id) else { throw .rowMoved(id, now: nil) }
      return id
    case .index(let index, let expected):
      try requireStanding(expected, at: index, in: rows)
      guard index < rows.count else { throw sentinel }
      return rows[index]
    }
  }

  private mutating func edit(
    _ updates: [Batch.Update], in list: ListID
  ) throws(InventoryError) {
    var fieldErrors: [FieldError] = []
    var changesRows = false
    for (number, update) in updates.enumerated() {
      do throws(InventoryError) {
        if state.lists[ListID(update.id)] != nil {
          let old = state[ListID(update.id)].details
          let new = try update.list(old)
          if new.permissions != old.permissions { try requireRole(.owner) }
          try requireValid(new.fieldErrors)
          if !ListFields(between: old, and: new).isDisjoint(with: .shownByRow) {
            changesRows = true
          }
          state[ListID(update.id)].details = new
          touch(ListID(update.id))
        } else {
          changesRows = true
          let old = state[ItemID(update.id)].details
          let new = try update.item(old)
          try requireValid(
            self.fieldErrors(of: new)
              + (new.kind == old.kind ? [] : [FieldError(["kind"], "An item keeps its kind.")]))
          state[ItemID(update.id)].details = new
          touch(ItemID(update.id))
        }
      } catch {
        guard case .invalid(let found) = error else { throw error }
        fieldErrors += found.map {
          FieldError(["updates", String(number), "patch"] + $0.path, $0.detail)
        }
      }
    }
    try requireValid(fieldErrors)
    if changesRows { try require(.edit, in: list) }
  }

  private func requireNew(_ new: Batch.New, in list: ListID) throws(InventoryError) {
    switch new {
    case .item(let item): try requireAccepted(item.details.kind, by: list)
    case .list: try state.requireRoom(onLevel: state.level(of: RowID(list)) + 1, for: caller)
    }
    // No creation in a batch is a repeated one.
    _ = try isRepeated(new.id, false)
  }

  private mutating func make(_ new: Batch.New, in list: ListID) {
    switch new {
    case .item(let item): add(item, to: list)
    case .list(let id, let details):
      add(id, details)
      state[id].parent = list
    }
  }

  private func results(
    of batch: Batch, deleted: [RowID], moved: [RowID], from before: [RowID]
  ) -> BatchResults {
    func index(_ row: RowID) -> RowIndex { RowIndex(before.firstIndex(of: row) ?? -1) }
    var results = BatchResults()
    results.deletions = deleted.map { .init(id: $0, index: index($0)) }
    results.insertions = batch.insertions.map { resource($0.new.id) }
    results.moves = zip(moved, batch.moves).map {
      .init(id: $0, from: index($0), to: RowIndex($1.to))
    }
    results.updates = batch.updates.map { resource($0.id) }
    return results
  }

  private func resource(_ row: RowID) -> Outcome.Resource {
    state.lists[ListID(row)] != nil ? resource(list: ListID(row)) : resource(item: ItemID(row))
  }
}
