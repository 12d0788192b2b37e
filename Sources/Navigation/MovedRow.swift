import Inventory

/// A row for which the user chooses a target list.
package struct MovedRow: Sendable, Equatable {
  package var id: RowID
  /// Nil for a list.
  package var kind: ItemKind?
  /// The row's list; nil if the id names no row.
  package var home: ListID?
  /// The permissions of that list.
  package var can: Permissions
  /// Whether the move would put a list below the lowest level for lists.
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

  /// Whether the move would succeed: both lists permit it, the list accepts the kind, and the move makes no cycle and
  /// no list that is too deep.
  ///
  /// - Parameter path: the rows from the root down to the list.
  package func isAccepted(
    by list: ListID, _ subject: ScreenSubject, path: [RowID]
  ) -> Bool {
    guard let home, can.contains(.move) else { return false }
    if home == list { return true }
    return subject.can.contains(.add) && !path.contains(id) && !isTooDeep
      && kind.map(subject.accepts.accepts) ?? true
  }
}
