import FoundationEssentials
import Inventory
import Navigation

extension ScreenTexts {
  /// Texts that tell from which key they come.
  static let sample = ScreenTexts(
    button: { $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() },
    deleteLabel: "Remove",
    editing: { "Edit \($0)" }, adding: { "Add \($0.rawValue)" },
    moving: { "Move \($0) to another list." }, about: { "About \($0)" },
    position: { "\($0) of \($1)" })
}

extension ScreenStyle {
  static let sample = sample(.leftToRight)

  static func sample(_ direction: WritingDirection) -> ScreenStyle {
    ScreenStyle(texts: .sample, direction: direction, serverName: "Rowhouse")
  }
}

/// An id that is the same wherever the number is.
func row(_ number: Int) -> RowID {
  let byte = UInt8(truncatingIfNeeded: number)
  return RowID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, byte)))
}

func list(_ number: Int) -> ScreenTarget { .list(ListID(row(number))) }
func item(_ number: Int) -> ScreenTarget { .item(ItemID(row(number))) }

/// Screens that were passed: "Screen 1" and so on.
func crumbs(_ count: Int) -> [Crumb] {
  (0..<count).map { Crumb(id: row($0 + 1), title: "Screen \($0 + 1)") }
}

extension Permissions {
  /// All sixteen.
  static let combinations = (0...Permissions.all.rawValue).map { Permissions(rawValue: $0) }
}
