/// Texts as cells of a spreadsheet, which takes some beginnings for formulas and would run them: such a
/// text gets an apostrophe before it, as a person would type it there, and loses it on the way back.
///
/// https://owasp.org/www-community/attacks/CSV_Injection
enum FormulaGuard {
  private static let beginnings = Set("=+-@\t\r".utf8)

  static func guarded(_ text: String) -> String {
    isFormula(text.utf8[...]) ? "'" + text : text
  }

  static func unguarded(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "'"), isFormula(text.utf8.dropFirst()) else {
      return text
    }
    return String(text.dropFirst())
  }

  /// Whether it begins like a formula behind any number of apostrophes.
  private static func isFormula(_ text: Substring.UTF8View) -> Bool {
    text.first { $0 != UInt8(ascii: "'") }.map(beginnings.contains) ?? false
  }
}
