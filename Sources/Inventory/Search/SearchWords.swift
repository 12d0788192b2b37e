/// The words of a search. All must match, the last one as the beginning of a word.
package struct SearchWords: Sendable, Hashable {
  /// At least one word. Each has a letter or a digit, and may contain signs, like "AB-12".
  package let words: [String]

  /// Splits the text at white space. Drops words without letters and digits, and all but the last of words that differ
  /// only by letter case and diacritics. Nil if no word remains.
  package init?(_ text: String) {
    var seen: Set<[UInt8]> = []
    words = text.unicodeScalars.split { $0.properties.isWhitespace }
      .filter { $0.contains(where: Self.isSearched) }.map { String($0) }
      .reversed().filter { seen.insert(TextFolding.fold($0)).inserted }.reversed()
    if words.isEmpty { return nil }
  }

  /// The number of parts that are searched separately. "AB-12" has two.
  package var partCount: Int {
    words.reduce(0) { count, word in
      count + word.unicodeScalars.split { !Self.isSearched($0) }.count
    }
  }

  /// Whether a search compares this scalar: a letter, a digit, or one of private use.
  package static func isSearched(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
