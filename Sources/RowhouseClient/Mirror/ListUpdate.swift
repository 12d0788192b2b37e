/// An update of a mirrored list.
public struct ListUpdate: Sendable {
  /// The change to apply to a table that has applied all updates before, and nothing else.
  public var change: Change
  /// All rows after the update, including the pinned last one.
  public var rows: [Row]
  /// The list's own fields after the update. The total is from the last time that the whole list was read.
  public var list: Rowhouse.List
  /// The rows of the update before.
  private let rowsBefore: [Row]

  public enum Change: Sendable, Hashable {
    /// Reload all `rows`.
    case all
    /// Apply this batch to the table, and set `rows` in the same block of updates.
    case batch(ListBatch)
    /// The last update: the list is gone.
    case gone
  }

  init(_ change: Change, of mirrored: MirroredList, after rowsBefore: [Row] = []) {
    self.change = change
    rows = mirrored.shownRows
    list = mirrored.list
    self.rowsBefore = rowsBefore
  }

  /// The change to apply to a table that shows `shown`, in which people may have dragged rows.
  ///
  /// A table moves a dragged row before the server does, so the result does not repeat that move. If the table shows
  /// neither the rows before the update nor those after it, it must reload all rows.
  public func change(from shown: [Row]) -> Change {
    guard case .batch(let batch) = change else { return change }
    if Self.areSame(shown, rowsBefore) { return change }
    return Self.areSame(shown, rows) ? .batch(ListBatch(changingInPlace: batch.changed)) : .all
  }

  private static func areSame(_ some: [Row], _ others: [Row]) -> Bool {
    some.count == others.count && zip(some, others).allSatisfy { $0.id == $1.id }
  }
}

/// Indices for the batch updates of a table view or collection view. Pass them on unchanged.
public struct ListBatch: Sendable, Hashable {
  /// Indices before the update.
  public var deletes: [Int]
  /// Indices after the update.
  public var inserts: [Int]
  /// From indices before to indices after the update.
  public var moves: [Delta.Move]
  /// Indices before the update.
  public var reloads: [Int]
  /// Indices after the update of rows that moved and changed. Reconfigure them after the batch.
  public var reconfigures: [Int]
  /// Indices after the update of all older rows with new content. For a diffable data source, which
  /// computes the other changes itself.
  public var changed: [Int]

  init(_ changes: Delta.Changes) {
    deletes = changes.deletes
    inserts = changes.inserts.map(\.index)
    moves = changes.moves
    reloads = changes.reloads
    changed = changes.reloadsAfter.map(\.index)
    let moved = Set(changes.moves.map(\.to))
    reconfigures = changed.filter(moved.contains)
  }

  init(
    deletes: [Int], inserts: [Int], moves: [Delta.Move], reloads: [Int], reconfigures: [Int],
    changed: [Int]
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.reloads = reloads
    self.reconfigures = reconfigures
    self.changed = changed
  }

  /// A batch without inserts, deletes and moves.
  init(changingInPlace changed: [Int]) {
    self.init(
      deletes: [], inserts: [], moves: [], reloads: changed, reconfigures: [], changed: changed)
  }

  /// Whether the table needs no change.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty && reconfigures.isEmpty
  }
}
