/// Texts as cells of a spreadsheet, which takes some beginnings for formulas and would run them: such a
/// text gets an apostrophe before it, as a person would type it there, and loses it on the way back.
///
/// The same goes for what stands behind a semicolon, a tab or a line end: spreadsheets of some countries take commas for
/// text and begin new cells and lines there, also within quotes that do not begin at the beginning of a cell. Quotes that
/// such a part begins with are read as an empty quoted text before the formula.
///
/// https://owasp.org/www-community/attacks/CSV_Injection
enum FormulaGuard {
  private static let beginnings = Set<Unicode.Scalar>([
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ])
  private static let separators = Set<Unicode.Scalar>([";", "\t", "\r", "\n"])
  /// What spreadsheets drop from the beginning of a cell.
  private static let blanks = Set<Unicode.Scalar>(["\t", "\r", "\n"])

  static func guarded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isFirst = true
    for part in parts(of: text) {
      if isFormula(part, isFirst: isFirst) { result.append("'") }
      result.append(contentsOf: part)
      isFirst = false
    }
    return String(result)
  }

  /// - Parameter isOwn: whether this server's export has written it; others guard the beginning alone.
  static func unguarded(_ text: String, isOwn: Bool = true) -> String {
    // Most cells are texts that nobody guards.
    guard text.utf8.contains(UInt8(ascii: "'")) else { return text }
    var result = String.UnicodeScalarView()
    var isFirst = true
    for part in parts(of: text) {
      let isGuarded =
        (isFirst || isOwn) && part.first == "'"
        && isFormula(part, isFirst: isFirst, skipsQuotes: isOwn)
      result.append(contentsOf: isGuarded ? part.dropFirst() : part)
      isFirst = false
    }
    return String(result)
  }

  /// The text cut behind each separator.
  private static func parts(of text: String) -> [Substring.UnicodeScalarView] {
    var parts: [Substring.UnicodeScalarView] = []
    var rest = text.unicodeScalars[...]
    while let index = rest.firstIndex(where: separators.contains) {
      let next = rest.index(after: index)
      parts.append(rest[..<next])
      rest = rest[next...]
    }
    parts.append(rest)
    return parts
  }

  /// Whether a part begins like a formula behind any number of apostrophes and quotes: one more apostrophe before it does
  /// not change the answer.
  private static func isFormula(
    _ part: Substring.UnicodeScalarView, isFirst: Bool, skipsQuotes: Bool = true
  ) -> Bool {
    let first = part.first { $0 != "'" && !(skipsQuotes && $0 == "\"") }
    guard let first else { return false }
    return beginnings.contains(first) || isFirst && blanks.contains(first)
  }
}
