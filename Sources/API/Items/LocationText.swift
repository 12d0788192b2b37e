import Inventory

/// A location in one cell: the titles of nested lists, the outermost first, separated by ` / ` as in Homebox
/// (https://hay-kot.github.io/homebox/import-csv/).
///
/// Separators are compared by scalars, because a title may begin with a combining mark.
enum LocationText {
  private static let separator: [Unicode.Scalar] = [" ", "/", " "]
  /// Follows the titles of a location that has more of them than a table may have in one cell. A new item cannot be added
  /// there by a table.
  private static let cut = "…"

  /// The text of an exported cell. A slash after a space, and a backslash, get a backslash before them.
  static func text(_ titles: [String]) -> String {
    let shown = titles.prefix(Limits.roomsInOneCell).map(escaped)
    return (shown + (titles.count > shown.count ? [cut] : [])).joined(separator: " / ")
  }

  /// The titles in a cell.
  ///
  /// - Parameter isExport: whether the table looks like this server's export, whose cells have escapes.
  static func titles(_ text: String, isExport: Bool) -> [String] {
    Array(text.unicodeScalars).split(separator: separator).map { part in
      let title = String(String.UnicodeScalarView(part))
      return TextRules.trimmed(isExport ? unescaped(title) : title)
    }.filter { !$0.isEmpty }
  }

  private static func escaped(_ title: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in title.unicodeScalars {
      if scalar == "\\" || scalar == "/" && text.last == " " { text.append("\\") }
      text.append(scalar)
    }
    return String(text)
  }

  private static func unescaped(_ title: String) -> String {
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in title.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      if isEscaped, scalar != "/", scalar != "\\" { text.append("\\") }
      text.append(scalar)
      isEscaped = false
    }
    if isEscaped { text.append("\\") }
    return String(text)
  }
}
