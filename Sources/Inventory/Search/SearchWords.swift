/// The words that a search looks for: all of them, the last one as the beginning of a word.
package struct SearchWords: Sendable, Hashable {
  /// One at least; each has a letter or a digit, and may hold signs too, as "AB-12" does.
  package let words: [String]

  /// Cuts the text at white space and leaves out what has neither letter nor digit, and all but the last of
  /// words that are the same but for letter case and diacritics; nil if nothing is left.
  package init?(_ text: String) {
    var seen: Set<[UInt8]> = []
    words = text.unicodeScalars.split { $0.properties.isWhitespace }
      .filter { $0.contains(where: Self.isSearched) }.map { String($0) }
      .reversed().filter { seen.insert(TextFolding.fold($0)).inserted }.reversed()
    if words.isEmpty { return nil }
  }

  /// How many parts the words have that are looked for one by one: "AB-12" has two.
  package var partCount: Int {
    words.reduce(0) { count, word in
      count + word.unicodeScalars.split { !Self.isSearched($0) }.count
    }
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
