extension Batch {
  /// The errors of a batch that do not depend on the list.
  ///
  /// - Parameter currentYear: the year that car years are compared with.
  package func fieldErrors(currentYear: Int) -> [FieldError] {
    var found: [FieldError] = []
    var ids: Set<RowID> = []
    for (number, insertion) in insertions.enumerated() {
      let path = ["inserts", String(number)]
      let (kind, fieldErrors) =
        switch insertion.new {
        case .item(let item): ("item", item.details.fieldErrors(currentYear: currentYear))
        case .list(_, let details): ("list", details.fieldErrors)
        }
      found += fieldErrors.map { FieldError(path + [kind] + $0.path, $0.detail) }
      if !ids.insert(insertion.new.id).inserted {
        found.append(FieldError(path + [kind, "id"], "Given more than once."))
      }
    }
    var updated: Set<RowID> = []
    for (number, update) in updates.enumerated() where !updated.insert(update.id).inserted {
      found.append(FieldError(["updates", String(number), "id"], "Given more than once."))
    }
    return found
  }

  /// The errors of indices that name no row in a list of `count` rows, and of places that are taken twice.
  ///
  /// Indices of the sentinel are left out: they are `sentinelImmovable` or `sentinelUndeletable`.
  package func fieldErrors(inListOf count: Int) -> [FieldError] {
    var found: [FieldError] = []
    func check(_ subject: Subject, _ path: [String]) {
      guard case .index(let index, _) = subject, !(0...count).contains(index) else { return }
      found.append(FieldError(path, "No row has this index."))
    }
    for (number, subject) in deletions.enumerated() {
      check(subject, ["deletes", String(number), "index"])
    }
    for (number, move) in moves.enumerated() {
      check(move.subject, ["moves", String(number), "from"])
    }

    let countAfter = max(0, count - deletions.count + insertions.count)
    var taken: Set<Int> = []
    func place(_ index: Int, _ path: [String]) {
      if !(0..<countAfter).contains(index) {
        let expected =
          countAfter > 0
          ? "Use an index from 0 to \(countAfter - 1)." : "The list is empty after this change."
        found.append(FieldError(path, expected))
      } else if !taken.insert(index).inserted {
        found.append(FieldError(path, "Another row goes to this index."))
      }
    }
    for (number, insertion) in insertions.enumerated() {
      place(insertion.index, ["inserts", String(number), "index"])
    }
    for (number, move) in moves.enumerated() {
      place(move.to, ["moves", String(number), "to"])
    }
    return found
  }

  /// The errors of rows that are named twice, given the rows that each deletion and move names.
  package func fieldErrors(deleting deleted: [RowID], moving moved: [RowID]) -> [FieldError] {
    var found: [FieldError] = []
    var named: Set<RowID> = []
    func check(_ row: RowID, _ subject: Subject, _ path: [String], _ index: String) {
      guard !named.insert(row).inserted else { return }
      let member = if case .index = subject { index } else { "id" }
      found.append(FieldError(path + [member], "This batch already deletes or moves this row."))
    }
    for (number, row) in deleted.enumerated() {
      check(row, deletions[number], ["deletes", String(number)], "index")
    }
    for (number, row) in moved.enumerated() {
      check(row, moves[number].subject, ["moves", String(number)], "from")
    }
    let gone = Set(deleted)
    for (number, update) in updates.enumerated() where gone.contains(update.id) {
      found.append(FieldError(["updates", String(number), "id"], "This batch deletes this row."))
    }
    return found
  }
}
