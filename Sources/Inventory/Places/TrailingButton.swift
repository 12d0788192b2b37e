/// The action of a button of a navigation bar or a toolbar.
package enum BarAction: String, Sendable, CaseIterable {
  case back, add, cancel, edit, done, save, move, previous, photos, next

  /// Whether it is for the leading place only.
  package var isLeading: Bool { self == .back || self == .cancel }
}

/// The trailing button of a client's own screen.
package struct TrailingButton: Sendable, Hashable {
  package var action: BarAction
  /// Nil: the action's name in the reader's language.
  @ByteExact package var title: String?
  package var isEnabled: Bool

  package init(_ action: BarAction, title: String? = nil, isEnabled: Bool = true) {
    self.action = action
    self.title = title
    self.isEnabled = isEnabled
  }
}

/// A kind that can be added to a list.
package enum AddedKind: String, Sendable, CaseIterable { case list, thing, car }
