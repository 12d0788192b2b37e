import Inventory

/// The bar above a screen. Leading and trailing follow the writing direction.
package struct NavigationBar: Sendable, Equatable {
  /// A back, cancel or add button.
  package var leading: BarButton?
  package var title: String
  /// Whether the title fits into the bar. If not, the content must show it too.
  package var titleFits: Bool { title.count <= ScreenStyle.titleLimit }
  package var prompt: String?
  package var trailing: BarButton?
}

/// The bar below an item.
package struct Toolbar: Sendable, Equatable {
  package var previous: BarButton
  package var photos: BarButton
  package var next: BarButton

  init(_ neighbours: Neighbours, _ style: ScreenStyle) {
    previous = BarButton(.previous, style, isEnabled: neighbours.previous != nil)
    photos = BarButton(.photos, style)
    next = BarButton(.next, style, isEnabled: neighbours.next != nil)
  }
}

/// The caller's rights to change the rows of a screen.
package struct RowRights: Sendable, Equatable {
  package var can: Permissions
  package var deleteLabel: String

  init(_ subject: ScreenSubject?, _ style: ScreenStyle) {
    can = subject?.can ?? []
    deleteLabel = subject?.deleteLabel ?? style.texts.deleteLabel
  }
}
