/// What a button of a navigation bar or a toolbar does.
package enum BarAction: String, Sendable, CaseIterable {
  case back, add, cancel, edit, done, save, move, previous, photos, next

  /// Whether it belongs in the leading place alone.
  package var isLeading: Bool { self == .back || self == .cancel }
}

/// The trailing button of a client's own screen, as a stack keeps it.
package struct TrailingButton: Sendable, Hashable {
  package var action: BarAction
  /// Nil: what the action is called in the reader's language.
  @Verbatim package var title: String?
  package var isEnabled: Bool

  package init(_ action: BarAction, title: String? = nil, isEnabled: Bool = true) {
    self.action = action
    self.title = title
    self.isEnabled = isEnabled
  }
}

/// What may be added to a list.
package enum AddedKind: String, Sendable, CaseIterable { case list, thing, car }
