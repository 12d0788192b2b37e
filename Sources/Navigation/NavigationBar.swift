import Inventory

/// The bar above a screen. Leading and trailing follow the writing direction.
package struct NavigationBar: Sendable, Equatable {
  /// Back, cancel or add; nothing else ever stands there.
  package var leading: BarButton?
  /// Never left out.
  package var title: String
  /// Whether the bar has room for the title; the content shows it as well where it has not.
  package var titleFits: Bool
  package var prompt: String?
  package var trailing: BarButton?

  package init(
    leading: BarButton?, title: String, prompt: String? = nil, trailing: BarButton?
  ) {
    self.leading = leading
    self.title = title
    titleFits = title.count <= ScreenStyle.titleLimit
    self.prompt = prompt
    self.trailing = trailing
  }
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

/// What may be done to the rows that a screen shows.
package struct RowRights: Sendable, Equatable {
  package var can: Permissions
  package var deleteLabel: String

  init(_ subject: ScreenSubject?, _ style: ScreenStyle) {
    can = subject?.can ?? []
    deleteLabel = subject?.deleteLabel ?? style.texts.deleteLabel
  }
}
