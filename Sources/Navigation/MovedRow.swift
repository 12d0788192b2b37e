import Inventory

/// A row that looks for the list that it is to be moved to.
package struct MovedRow: Sendable, Equatable {
  package var id: RowID
  /// Nil for a list.
  package var kind: ItemKind?
  /// The list that it stands in; nil for what is no row.
  package var home: ListID?
  /// What may be done to the rows of that list.
  package var can: Permissions
  /// Whether a list would come with it below the lowest level for lists.
  package var isTooDeep: Bool

  package init(
    id: RowID, kind: ItemKind?, home: ListID?, can: Permissions, isTooDeep: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.home = home
    self.can = can
    self.isTooDeep = isTooDeep
  }

  /// Whether the move would be done: it is permitted there and here, ends in no cycle and not too deep,
  /// and the list takes that kind.
  ///
  /// - Parameter path: from the root down to the list.
  package func isAccepted(
    by list: ListID, _ subject: ScreenSubject, path: [RowID]
  ) -> Bool {
    guard let home, can.contains(.move) else { return false }
    if home == list { return true }
    return subject.can.contains(.add) && !path.contains(id) && !isTooDeep
      && kind.map(subject.accepts.accepts) ?? true
  }
}
