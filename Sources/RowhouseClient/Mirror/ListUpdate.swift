/// What has become of a mirrored list.
public struct ListUpdate: Sendable {
  public var change: Change
  /// All rows that the table shows afterwards, the pinned last one among them.
  public var rows: [Row]
  /// The list's own fields afterwards. Its total is that of the last time the whole list was read.
  public var list: Rowhouse.List

  public enum Change: Sendable, Hashable {
    /// Show `rows` anew.
    case all
    /// Do this to the table, and take `rows` within the same block of updates.
    case batch(ListBatch)
    /// The list is no more: the last update.
    case gone
  }

  init(_ change: Change, of mirrored: MirroredList) {
    self.change = change
    rows = mirrored.shownRows
    list = mirrored.list
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

  init(_ changes: Delta.Changes) {
    deletes = changes.deletes
    inserts = changes.inserts.map(\.index)
    moves = changes.moves
    reloads = changes.reloads
    let moved = Set(changes.moves.map(\.to))
    reconfigures = changes.reloadsAfter.map(\.index).filter(moved.contains)
  }

  /// Whether there is nothing for the table to do.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty && reconfigures.isEmpty
  }
}
