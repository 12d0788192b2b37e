/// A reason why a change cannot be undone: what later happened to a row or a list.
package struct UndoConflict: Sendable, Hashable {
  package enum Reason: String, Sendable, CaseIterable {
    /// The row was moved again, or restored.
    case moved
    /// Someone later edited a field that this change wrote, or something inside a row that it added.
    case edited
    /// The row, or the reordered list, was deleted, is inside a deleted row, or is out of the caller's sight.
    case gone
    /// The list to which the row would return is gone.
    case listGone = "list_gone"
    /// The reordered list now has other rows or another order.
    case reordered
  }

  package let id: RowID
  package var reason: Reason

  package init(_ id: RowID, _ reason: Reason) {
    self.id = id
    self.reason = reason
  }

  /// The most conflicts that a refusal names.
  package static let most = 100
}
