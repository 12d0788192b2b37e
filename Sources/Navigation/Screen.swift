import Inventory

/// A screen below the current one: its id and title.
package struct Crumb: Sendable, Equatable {
  /// Nil for a screen without a list or item.
  package var id: RowID?
  package var title: String

  package init(id: RowID?, title: String) {
    self.id = id
    self.title = title
  }
}

/// A screen that a front end shows for a list, an item or something else, in one mode.
package struct Screen: Sendable, Equatable {
  /// The first screen has level 1.
  package var level: Int
  package var navigationBar: NavigationBar
  package var toolbar: Toolbar?
  package var row: RowRights
  /// The root and the eight nearest ancestors, the root first, without screens that have no id. Empty on the first
  /// three screens.
  package var shortcuts: [Crumb]
  package var direction: WritingDirection
  /// Whether a tap on the content hides and shows the bars.
  package var barTogglesOnTap: Bool

  /// - Parameter below: the screens below this one, the first one first.
  package init(_ content: ScreenContent, below: [Crumb], _ style: ScreenStyle) {
    level = below.count + 1
    navigationBar = NavigationBar(content, below: below, style)
    if case .item(_, .browse(let neighbours?)) = content {
      toolbar = Toolbar(neighbours, style)
    }
    row = RowRights(content.subject, style)
    shortcuts = Self.shortcuts(below)
    direction = style.direction
    barTogglesOnTap = if case .photos = content { true } else { false }
  }

  private static let nearest = 8

  private static func shortcuts(_ below: [Crumb]) -> [Crumb] {
    guard below.count >= 3 else { return [] }
    let near = max(1, below.count - nearest)
    return (below[..<1] + below[near...]).filter { $0.id != nil }
  }
}

extension NavigationBar {
  fileprivate init(_ content: ScreenContent, below: [Crumb], _ style: ScreenStyle) {
    let texts = style.texts
    // The first screen has no leading button: someone who taps back too often must hit nothing.
    let back = below.last.map { BarButton.back(to: $0.title, style) }
    let cancel = BarButton(.cancel, style)
    switch content {
    case .list(let list, .browse):
      let add = list.can.contains(.add) ? BarButton(.add, style) : nil
      self.init(
        leading: back, title: list.title,
        trailing: list.isEditable ? BarButton(.edit, style) : add)
    case .list(let list, .edit):
      self.init(
        leading: list.can.contains(.add) ? BarButton(.add, style) : back, title: list.title,
        trailing: BarButton(.done, style))
    case .list(let list, .details(let maySave)):
      self.init(
        leading: cancel, title: texts.editing(list.title),
        trailing: BarButton(.save, style, isEnabled: maySave))
    case .list(let list, .add(let kind, let isTooDeep)):
      self.init(
        leading: cancel, title: texts.adding(kind),
        trailing: BarButton(.save, style, isEnabled: list.takes(kind) && !isTooDeep))
    case .list(let list, .move(let name, let isAccepted)):
      self.init(
        leading: cancel, title: list.title, prompt: texts.moving(name),
        trailing: BarButton(.move, style, isEnabled: isAccepted))
    case .item(let item, .browse):
      self.init(
        leading: back, title: item.title,
        trailing: item.can.contains(.edit) ? BarButton(.edit, style) : nil)
    case .item(let item, .edit):
      self.init(
        leading: cancel, title: texts.editing(item.title),
        trailing: BarButton(.save, style, isEnabled: item.can.contains(.edit)))
    case .custom(let title, let prompt, let trailing):
      self.init(
        leading: back, title: title, prompt: prompt,
        trailing: trailing.map { BarButton($0, style) })
    case .photos, .about:
      self.init(leading: back, title: content.name(style), trailing: nil)
    }
  }
}

extension BarButton {
  /// A back button with the previous screen's title, or "Back" if that title is too long. Titles are never cut.
  fileprivate static func back(to title: String, _ style: ScreenStyle) -> BarButton {
    BarButton(.back, style, title: title.count <= style.backTitleLimit ? title : nil)
  }
}

extension ScreenSubject {
  /// Whether the caller may edit, move or delete rows in this list.
  fileprivate var isEditable: Bool { !can.isDisjoint(with: [.edit, .move, .delete]) }

  /// Whether something of this kind may be added.
  fileprivate func takes(_ kind: AddedKind) -> Bool {
    guard can.contains(.add) else { return false }
    return switch kind {
    case .list: true
    case .thing: accepts.accepts(.thing)
    case .car: accepts.accepts(.car)
    }
  }

  /// Whether a row may be moved to this list. Within its own list it needs `move` only. Otherwise both lists must
  /// permit it, this list must accept the kind, and the move must make no cycle and no list that is too deep.
  ///
  /// - Parameters:
  ///   - kind: nil for a list.
  ///   - home: the row's list; nil for the root list and for an item's contents, which are no rows.
  ///   - permissions: the permissions of the row's list.
  ///   - isTooDeep: whether the move would put a list below the lowest level for lists.
  ///   - path: the rows from the root down to this list.
  package func acceptsMove(
    of row: RowID, _ kind: ItemKind?, from home: ListID?, permitting permissions: Permissions,
    isTooDeep: Bool, along path: [RowID]
  ) -> Bool {
    guard let home, permissions.contains(.move) else { return false }
    if path.last == RowID(home) { return true }
    return can.contains(.add) && !path.contains(row) && !isTooDeep
      && kind.map(accepts.accepts) ?? true
  }
}
