import Inventory

/// The texts on bars, in one language.
package struct ScreenTexts: Sendable {
  /// The title of an action's button.
  package var button: @Sendable (BarAction) -> String
  /// The label of the button that deletes a row, for lists without one of their own.
  package var deleteLabel: String
  package var editing: @Sendable (_ name: String) -> String
  package var adding: @Sendable (AddedKind) -> String
  package var moving: @Sendable (_ name: String) -> String
  package var about: @Sendable (_ server: String) -> String
  /// "3 of 7"; the number counts from 1.
  package var position: @Sendable (_ number: Int, _ count: Int) -> String

  package init(
    button: @escaping @Sendable (BarAction) -> String, deleteLabel: String,
    editing: @escaping @Sendable (_ name: String) -> String,
    adding: @escaping @Sendable (AddedKind) -> String,
    moving: @escaping @Sendable (_ name: String) -> String,
    about: @escaping @Sendable (_ server: String) -> String,
    position: @escaping @Sendable (_ number: Int, _ count: Int) -> String
  ) {
    self.button = button
    self.deleteLabel = deleteLabel
    self.editing = editing
    self.adding = adding
    self.moving = moving
    self.about = about
    self.position = position
  }
}

/// The direction in which a language is written. The raw value is HTML's `dir`.
package enum WritingDirection: String, Sendable, CaseIterable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// The texts, direction and limits that screens are drawn with.
package struct ScreenStyle: Sendable {
  package var texts: ScreenTexts
  package var direction: WritingDirection
  /// The longest title of a back button, in grapheme clusters.
  package var backTitleLimit: Int
  /// The name of the server.
  package var serverName: String

  package static let usualBackTitleLimit = 16
  /// The longest title that fits into a bar, in grapheme clusters.
  package static let titleLimit = 30

  package init(
    texts: ScreenTexts, direction: WritingDirection,
    backTitleLimit: Int = ScreenStyle.usualBackTitleLimit, serverName: String
  ) {
    self.texts = texts
    self.direction = direction
    self.backTitleLimit = backTitleLimit
    self.serverName = serverName
  }
}
