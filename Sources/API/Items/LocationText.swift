import Inventory

/// A location in one cell: the titles of nested lists, the outermost first, separated by ` / ` as in Homebox
/// (https://hay-kot.github.io/homebox/import-csv/).
enum LocationText {
  private static let separator = " / "
  /// Follows the titles of a location that has more of them than a table may have in one cell. A new item cannot be added
  /// there by a table.
  private static let cut = "…"

  /// The text of an exported cell. Slashes that could be separators, and backslashes, get a backslash before them.
  static func text(_ titles: [String]) -> String {
    let shown = titles.prefix(Limits.roomsInOneCell).map {
      $0.replacing("\\", with: "\\\\").replacing(" /", with: " \\/")
    }
    return (shown + (titles.count > shown.count ? [cut] : [])).joined(separator: separator)
  }

  /// The titles in a cell.
  ///
  /// - Parameter isExport: whether the table looks like this server's export, whose cells have escapes.
  static func titles(_ text: String, isExport: Bool) -> [String] {
    text.split(separator: separator)
      .map { TextRules.trimmed(isExport ? unescaped($0) : String($0)) }
      .filter { !$0.isEmpty }
  }

  private static func unescaped(_ title: Substring) -> String {
    var text = ""
    var isEscaped = false
    for scalar in title.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      if isEscaped, scalar != "/", scalar != "\\" { text.append("\\") }
      text.unicodeScalars.append(scalar)
      isEscaped = false
    }
    return isEscaped ? text + "\\" : text
  }
}
