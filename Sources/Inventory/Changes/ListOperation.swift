/// One step of a change, for one list: indices count in the rows as the step before left them.
///
/// The change log is made of these, and deltas are composed from them.
package enum ListOperation: Sendable, Equatable {
  case insert(RowID, at: Int)
  case delete(RowID, at: Int)
  /// `to` counts after the row has been taken out.
  case move(RowID, from: Int, to: Int)
  /// What the row shows has changed.
  case reload(RowID, at: Int)
  /// The row now at place i stood at `order[i]`.
  case permute(order: [Int])
  /// The list's own fields; none of them: here the list was made.
  case fields(ListFields)
}
