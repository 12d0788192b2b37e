/// Protects cells from being run as formulas in spreadsheets. A text that begins like a formula gets an
/// apostrophe before it, which an import removes again.
///
/// Parts after a semicolon, a tab or a line end are protected too. In some countries spreadsheets treat commas as text
/// and start new cells and lines at these characters, even inside quotes, if the quotes are not at the cell's start.
/// Quotes at the start of such a part do not protect it: spreadsheets read them as an empty text, and then the formula.
///
/// https://owasp.org/www-community/attacks/CSV_Injection
enum FormulaGuard {
  private static let beginnings = Set<Unicode.Scalar>([
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ])
  private static let separators = Set<Unicode.Scalar>([";", "\t", "\r", "\n"])
  /// Characters that spreadsheets drop at the start of a cell.
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

  /// - Parameter isExport: whether the text is from this server's export. Other programs guard only the beginning of a
  ///   cell.
  static func unguarded(_ text: String, isExport: Bool = true) -> String {
    // Fast path: most cells have no apostrophe.
    guard text.utf8.contains(UInt8(ascii: "'")) else { return text }
    var result = String.UnicodeScalarView()
    var isFirst = true
    for part in parts(of: text) {
      let isGuarded =
        (isFirst || isExport) && part.first == "'"
        && isFormula(part, isFirst: isFirst, skipsQuotes: isExport)
      result.append(contentsOf: isGuarded ? part.dropFirst() : part)
      isFirst = false
    }
    return String(result)
  }

  /// The text, split after each separator.
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

  /// Whether a part begins like a formula. Leading apostrophes and quotes are skipped, so that a guarded part
  /// still counts as a formula.
  private static func isFormula(
    _ part: Substring.UnicodeScalarView, isFirst: Bool, skipsQuotes: Bool = true
  ) -> Bool {
    let first = part.first { $0 != "'" && !(skipsQuotes && $0 == "\"") }
    guard let first else { return false }
    return beginnings.contains(first) || isFirst && blanks.contains(first)
  }
}
