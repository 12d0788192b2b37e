/// The words that a search looks for: all of them, the last one as the beginning of a word.
package struct SearchWords: Sendable, Hashable {
  /// One at least; each has a letter or a digit, and may hold signs too, as "AB-12" does.
  package let words: [String]

  /// Cuts the text at white space and leaves out what has neither letter nor digit; nil if nothing is
  /// left.
  package init?(_ text: String) {
    words = text.unicodeScalars.split { $0.properties.isWhitespace }
      .filter { $0.contains(where: Self.isSearched) }.map { String($0) }
    if words.isEmpty { return nil }
  }

  /// Whether words are made of it: letters, digits, and what is for private use.
  package static func isSearched(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
