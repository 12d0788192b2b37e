import Inventory
import SQLite

extension CommandRunner {
  /// Moves a row as a drag does: removes it from index `from` and inserts it at `to`, counted after the removal.
  func moveRow(
    in reference: ListReference, from: Int, to: Int, expecting expected: RowID?
  ) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    try change.requireMatch(list)
    try change.require(.move, in: list)
    let key = try list.tree.row(at: from, in: db)
    if let expected { try require(expected, at: key, in: list) }
    guard let key else {
      if from == list.tree.count { throw .refused(.sentinelImmovable) }
      throw .refused(.invalid([FieldError(["from"], "No row has this index.")]))
    }
    let landing: Landing
    do throws(InventoryError) {
      landing = try Landing.above(
        sentinelOf: list.tree.count - 1, proposed: to, isStrict: change.context.isStrict,
        field: ["to"])
    } catch { throw .refused(error) }
    if landing.index != from {
      try change.move(try change.access.entry(key), within: list.key, from: from, to: landing.index)
    }
    let receipt = try change.commit(
      action: "move row", isRetargeted: landing.isRetargeted)
    return Outcome(receipt: receipt)
  }

  /// Throws `rowMoved` if a row is not where the caller expects it.
  func require(_ expected: RowID, at key: RowKey?, in list: ListRecord) throws(StorageError) {
    let entry = try change.access.find(expected)
    if let entry, entry.key == key { return }
    guard let entry, entry.parent == list.key, let place = entry.place else {
      throw .refused(.rowMoved(expected, now: nil))
    }
    throw .refused(
      .rowMoved(expected, now: RowIndex(try change.index(of: place, in: list.key))))
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
    let landing = try landing(position, in: destination, excluding: isSame ? place : nil)
    let from = try change.index(of: place, in: source.key)
    if !isSame {
      try change.move(entry, from: source.key, at: from, into: destination.key, at: landing.index)
    } else if landing.index != from {
      try change.move(entry, within: source.key, from: from, to: landing.index)
    }
    let receipt = try change.commit(
      action: "move row", isRetargeted: landing.isRetargeted)
    return Outcome(receipt: receipt)
  }

  /// Moves rows from any lists to one place of a list, in the given order.
  func moveRows(
    _ ids: [RowID], into reference: ListReference, _ position: Position
  ) throws(StorageError) -> Outcome {
    let target = try change.list(reference)
    var entries: [Access.Entry] = []
    for id in ids { entries.append(try change.access.entry(id)) }
    try change.requireRole(.editor)
    try change.refuse(Self.fieldErrors(of: ids))
    try change.requireMatch(target)
    for entry in entries {
      try change.requireMovable(entry, from: try change.standing(entry).list, to: target)
    }
    var text = TextCost()
    try text.count(entries.lazy.map(\.key), in: db)
    // The indices of rows that are in the target already.
    var inside: [Int] = []
    for entry in entries where entry.parent == target.key {
      if let place = entry.place { inside.append(try change.index(of: place, in: target.key)) }
    }
    inside.sort()
    let landing = try landing(position, among: ids, at: inside, in: target)
    try move(entries, into: target.key, after: try anchor(landing.index, inside, target))
    let receipt = try change.commit(
      action: "move rows", isRetargeted: landing.isRetargeted)
    return Outcome(receipt: receipt)
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

  /// The place of several rows, counted after all of them have been removed.
  private func landing(
    _ position: Position, among ids: [RowID], at inside: [Int], in list: ListRecord
  ) throws(StorageError) -> Landing {
    let others = list.tree.count - inside.count
    switch position {
    case .first: return Landing(index: 0)
    case .last: return Landing(index: others)
    case .index(let index):
      do throws(InventoryError) {
        return try Landing.above(
          sentinelOf: others, proposed: index, isStrict: change.context.isStrict,
          field: ["position", "index"])
      } catch { throw .refused(error) }
    case .before(let anchor), .after(let anchor):
      guard !ids.contains(anchor) else { throw .refused(.anchorGone(anchor)) }
      var landing = try landing(position, in: list)
      landing.index -= inside.count { $0 < landing.index }
      return landing
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
      guard let entry = try change.access.find(old.id), let source = entry.parent,
        let place = entry.place
      else { throw .broken("row \(old.key) is gone") }
      let from = try change.index(of: place, in: source)
      var to = 0
      if let anchor {
        guard let anchorPlace = try change.access.entry(anchor).place else {
          throw .broken("row \(anchor) is gone")
        }
        to = try change.index(of: anchorPlace, in: target) + 1
      }
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
