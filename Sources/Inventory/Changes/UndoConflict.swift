/// Why a change can't be undone: what has become of a row, or a list, since.
package struct UndoConflict: Sendable, Hashable {
  package enum Reason: String, Sendable, CaseIterable {
    /// It has been moved again, or put back.
    case moved
    /// What the change had set, or something in what it had added, has been edited.
    case edited
    /// It has been deleted, or stands in what has been.
    case gone
    /// The list that it would go back to is gone.
    case listGone = "list_gone"
    /// A list that was put into another order has other members or another order by now.
    case reordered
  }

  package let id: RowID
  package var reason: Reason

  package init(_ id: RowID, _ reason: Reason) {
    self.id = id
    self.reason = reason
  }

  /// No refusal names more.
  package static let most = 100
}
