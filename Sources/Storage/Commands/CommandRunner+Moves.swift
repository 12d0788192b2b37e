import Inventory
import SQL

extension CommandRunner {
  /// Moves a row as a drag does: removes it from index `from` and inserts it at `to`, counted after the removal.
  func moveRow(
    in reference: ListReference, from: Int, to: Int, expecting expected: RowID?
  ) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    try change.requireMatch(list)
    try change.require(.move, in: list)
    let entry = try entry(
      at: from, of: list, expecting: expected, sentinel: .sentinelImmovable, field: "from")
    let landing = try landing(at: to, of: list.tree.count - 1, field: ["to"])
    if landing.index != from {
      try change.move(entry, within: list.key, from: from, to: landing.index)
    }
    return Outcome(
      receipt: try change.commit(action: "move row", landing: landing))
  }

  /// Moves a row by its id, within its list or into another.
  func relocate(
    _ id: RowID, into reference: ListReference?, _ position: Position
  ) throws(StorageError) -> Outcome {
    let entry = try change.access.entry(id)
    let target = try reference.map { (list) throws(StorageError) in try change.list(list) }
    try change.requireRole(.editor)
    try change.requireOwnMatch(entry)
    let (source, place) = try change.standing(entry)
    let destination = target ?? source
    try change.requireMovable(entry, from: source, to: destination)
    let isSame = destination.key == source.key
    let from = try change.index(of: place, in: source.key)
    let landing = try landing(position, in: destination, without: isSame ? [from] : [])
    if !isSame {
      try change.move(entry, from: source.key, at: from, into: destination.key, at: landing.index)
    } else if landing.index != from {
      try change.move(entry, within: source.key, from: from, to: landing.index)
    }
    return Outcome(
      receipt: try change.commit(action: "move row", landing: landing))
  }

  /// Moves rows from any lists to one place of a list, in the given order.
  func moveRows(
    _ ids: [RowID], into reference: ListReference, _ position: Position
  ) throws(StorageError) -> Outcome {
    let target = try change.list(reference)
    let entries = try ids.map { (id) throws(StorageError) in try change.access.entry(id) }
    try change.requireRole(.editor)
    try change.refuse(Self.fieldErrors(of: ids))
    try change.requireMatch(target)
    for entry in entries {
      try change.requireMovable(entry, from: try change.standing(entry).list, to: target)
    }
    var text = TextCost()
    try text.count(entries.lazy.map(\.key), in: db)
    // The indices of rows that are in the target already.
    let inside = try entries.filter { $0.parent == target.key }
      .map { (entry) throws(StorageError) in try change.index(of: entry, in: target.key) }
      .sorted()
    let landing = try landing(position, in: target, without: inside)
    try move(entries, into: target.key, after: try anchor(landing.index, inside, target))
    return Outcome(
      receipt: try change.commit(action: "move rows", landing: landing))
  }

  private static func fieldErrors(of ids: [RowID]) -> [FieldError] {
    guard !ids.isEmpty, ids.count <= Limits.rowsMovedAtOnce else {
      return [FieldError(["ids"], "1 to \(Limits.rowsMovedAtOnce) ids.")]
    }
    var seen: Set<RowID> = []
    return ids.enumerated().compactMap { number, id in
      seen.insert(id).inserted
        ? nil : FieldError(["ids", String(number)], "Given more than once.")
    }
  }

  /// The key of the row right before the place `index`; nil for index 0. `index` does not count the rows at the indices
  /// `inside`.
  private func anchor(
    _ index: Int, _ inside: [Int], _ list: ListRecord
  ) throws(StorageError) -> RowKey? {
    guard index > 0 else { return nil }
    var before = index - 1
    for taken in inside where taken <= before { before += 1 }
    return try list.tree.row(at: before, in: db)
  }

  private func move(
    _ entries: [Access.Entry], into target: RowKey, after anchor: RowKey?
  ) throws(StorageError) {
    var anchor = anchor
    for old in entries {
      // Earlier moves may have changed its place.
      let entry = try change.access.entry(old.key)
      guard let source = entry.parent else { throw .broken("row \(old.key) is in no list") }
      let from = try change.index(of: entry, in: source)
      var to = 0
      if let anchor { to = try change.index(of: try change.access.entry(anchor), in: target) + 1 }
      if source != target {
        try change.move(entry, from: source, at: from, into: target, at: to)
      } else {
        if from < to { to -= 1 }
        if from != to { try change.move(entry, within: target, from: from, to: to) }
      }
      anchor = entry.key
    }
  }
}
