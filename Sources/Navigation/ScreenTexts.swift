import Inventory

/// The texts on bars, in one language.
package struct ScreenTexts: Sendable {
  package var back: String
  package var add: String
  package var cancel: String
  package var edit: String
  package var done: String
  package var save: String
  package var move: String
  package var previous: String
  package var photos: String
  package var next: String
  /// The label of the button that deletes a row, for lists without one of their own.
  package var deleteLabel: String
  package var editing: @Sendable (_ name: String) -> String
  package var adding: @Sendable (AddedKind) -> String
  package var moving: @Sendable (_ name: String) -> String
  package var about: @Sendable (_ server: String) -> String
  /// "3 of 7"; the number counts from 1.
  package var position: @Sendable (_ number: Int, _ count: Int) -> String

  package init(
    back: String, add: String, cancel: String, edit: String, done: String, save: String,
    move: String, previous: String, photos: String, next: String, deleteLabel: String,
    editing: @escaping @Sendable (_ name: String) -> String,
    adding: @escaping @Sendable (AddedKind) -> String,
    moving: @escaping @Sendable (_ name: String) -> String,
    about: @escaping @Sendable (_ server: String) -> String,
    position: @escaping @Sendable (_ number: Int, _ count: Int) -> String
  ) {
    self.back = back
    self.add = add
    self.cancel = cancel
    self.edit = edit
    self.done = done
    self.save = save
    self.move = move
    self.previous = previous
    self.photos = photos
    self.next = next
    self.deleteLabel = deleteLabel
    self.editing = editing
    self.adding = adding
    self.moving = moving
    self.about = about
    self.position = position
  }
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
