import Inventory
import Navigation

/// The texts of one language, for whatever nobody has set.
struct Texts: Sendable {
  /// What the language calls itself.
  let name: String
  let direction: WritingDirection
  /// What a list's pinned last row says.
  let sentinel: String
  /// What stands on bars.
  let screens: ScreenTexts
  /// The title of the section of what is worth more than this.
  let worthMore: @Sendable (Cents) -> String
  /// The title of the section of all that is in no other.
  let remainder: String
  /// What clients write of themselves.
  let interface: @Sendable (InterfaceText) -> String
  /// The heading above all problems.
  let problems: String
  let title: @Sendable (ProblemCode) -> String
  /// What a problem means and what to do about it, for a person.
  let explanation: @Sendable (ProblemCode) -> String

  /// The label of the button that deletes a row.
  var deleteLabel: String { screens.deleteLabel }
}
