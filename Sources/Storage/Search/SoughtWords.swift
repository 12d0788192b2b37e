import Inventory
import SQL

/// The words of a search as the index has them: split into terms by the index's own tokenizer, each term once.
struct SoughtWords {
  struct Term: Hashable {
    let text: [UInt8]
    /// Whether all words that begin with it match.
    let isPrefix: Bool
  }

  private(set) var terms: [Term] = []
  /// For each word, the indices of its terms in `terms`. A text has the word if it has these terms one after the other.
  private(set) var words: [[Int]] = []

  /// The maximum number of terms. Further words would be ignored; `Limits.searchParts` keeps searches far below it.
  static let maximumTerms = 64

  /// The prefix of each word in the index.
  let scope: String

  /// - Parameter inventory: the key of the searched inventory.
  init(_ words: SearchWords, in inventory: InventoryKey, cutBy tokenizer: Tokenizer) {
    scope = ScopedWords.prefix(of: inventory.value)
    var numbers: [Term: Int] = [:]
    for (place, word) in words.words.enumerated() {
      let parts = tokenizer.words(of: word)
      guard !parts.isEmpty, terms.count + parts.count <= Self.maximumTerms else { continue }
      let isLast = place == words.words.count - 1
      self.words.append(
        parts.enumerated().map { number, text in
          let term = Term(text: text, isPrefix: isLast && number == parts.count - 1)
          if let known = numbers[term] { return known }
          numbers[term] = terms.count
          terms.append(term)
          return terms.count - 1
        })
    }
  }

  /// A bit for each term that a word of a text equals.
  func terms(equalTo word: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var found: UInt64 = 0
    for (number, term) in terms.enumerated() where term.text.first == word.first {
      let isTerm =
        term.isPrefix
        ? word.starts(with: term.text)
        : word.count == term.text.count && word.elementsEqual(term.text)
      if isTerm { found |= 1 << UInt64(number) }
    }
    return found
  }

  /// Whether the last words of a text are the parts of a word of the search.
  ///
  /// - Parameter terms: for each word of the text, a bit for each term that it equals.
  func isWord(_ number: Int, atEndOf terms: [UInt64]) -> Bool {
    let parts = words[number]
    return parts.count <= terms.count
      && zip(parts, terms.suffix(parts.count)).allSatisfy { $1 & 1 << UInt64($0) != 0 }
  }

  /// The MATCH expression: each term as a string, which is never read as syntax, and a prefix with a star:
  /// https://www.sqlite.org/fts5.html#full_text_query_syntax
  ///
  /// The terms of a word do not form an FTS5 phrase, because FTS5 cannot be stopped while it looks for one.
  var matchExpression: String {
    terms.map { term in
      let text = scope + String(decoding: term.text, as: UTF8.self)
      return "\"" + text.replacing("\"", with: "\"\"") + "\"" + (term.isPrefix ? " *" : "")
    }.joined(separator: " ")
  }

  /// The words in the format that the SQL function `relevance` takes.
  var phrases: [UInt8] { words.flatMap { [UInt8($0.count)] + $0.map { UInt8($0) } } }
}
