import Inventory
import Navigation

/// The texts of one language, used where an owner has not set one.
struct Texts: Sendable {
  /// The language's own name.
  let name: String
  let direction: WritingDirection
  /// The text of a list's pinned last row.
  let sentinel: String
  /// The texts of bars.
  let screens: ScreenTexts
  /// The title of the section of items above this value.
  let worthMore: @Sendable (Cents) -> String
  /// The title of the section of all other rows.
  let remainder: String
  /// The client's own texts.
  let interface: @Sendable (InterfaceText) -> String
  /// The heading of the problems page.
  let problems: String
  let title: @Sendable (ProblemCode) -> String
  /// The meaning of a problem and its remedy, for people.
  let explanation: @Sendable (ProblemCode) -> String

  /// The label of the button that deletes a row.
  var deleteLabel: String { screens.deleteLabel }
}
