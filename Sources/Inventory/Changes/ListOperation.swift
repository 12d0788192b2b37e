/// One step of a change of one list. Indices count in the rows that the previous step left.
///
/// The change log consists of these, and deltas are composed from them.
package enum ListOperation: Sendable, Equatable {
  case insert(RowID, at: Int)
  case delete(RowID, at: Int)
  /// `to` counts after the removal.
  case move(RowID, from: Int, to: Int)
  /// The content of the row has changed.
  case reload(RowID, at: Int)
  /// The row now at index i was at index `order[i]`.
  case permute(order: [Int])
  /// The list's own fields changed. An empty set marks the creation of the list.
  case fields(ListFields)
}
