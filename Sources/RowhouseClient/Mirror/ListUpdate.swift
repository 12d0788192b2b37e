/// What has become of a mirrored list.
public struct ListUpdate: Sendable {
  /// What a table is to do that has done what each update before said, and nothing else.
  public var change: Change
  /// All rows that the table shows afterwards, the pinned last one among them.
  public var rows: [Row]
  /// The list's own fields afterwards. Its total is that of the last time the whole list was read.
  public var list: Rowhouse.List
  /// The rows of the update before.
  private let rowsBefore: [Row]

  public enum Change: Sendable, Hashable {
    /// Show `rows` anew.
    case all
    /// Do this to the table, and take `rows` within the same block of updates.
    case batch(ListBatch)
    /// The list is no more: the last update.
    case gone
  }

  init(_ change: Change, of mirrored: MirroredList, after rowsBefore: [Row] = []) {
    self.change = change
    rows = mirrored.shownRows
    list = mirrored.list
    self.rowsBefore = rowsBefore
  }

  /// What a table is to do that shows `shown`, though people may have dragged rows about in it.
  ///
  /// A table moves a row before the server hears of it. It is not told to move it once more, and where
  /// what it shows is neither what it was told nor what it would be told, it is to show all rows anew.
  public func change(from shown: [Row]) -> Change {
    guard case .batch(let batch) = change else { return change }
    if Self.areSame(shown, rowsBefore) { return change }
    return Self.areSame(shown, rows) ? .batch(ListBatch(changingInPlace: batch.changed)) : .all
  }

  private static func areSame(_ some: [Row], _ others: [Row]) -> Bool {
    some.count == others.count && zip(some, others).allSatisfy { $0.id == $1.id }
  }
}

/// Indices for a table view's or collection view's batch updates, to be handed on as they are.
public struct ListBatch: Sendable, Hashable {
  /// In the rows before.
  public var deletes: [Int]
  /// In the rows afterwards.
  public var inserts: [Int]
  /// From an index before to one afterwards.
  public var moves: [Delta.Move]
  /// In the rows before.
  public var reloads: [Int]
  /// In the rows afterwards: rows that moved and changed; reconfigure them behind the batch.
  public var reconfigures: [Int]
  /// In the rows afterwards: all that were there before and look different now. For a diffable data
  /// source, which finds out by itself what else there is to do.
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

  /// No row comes, goes or moves.
  init(changingInPlace changed: [Int]) {
    deletes = []
    inserts = []
    moves = []
    reloads = changed
    reconfigures = []
    self.changed = changed
  }

  /// Whether there is nothing for the table to do.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty && reconfigures.isEmpty
  }
}
