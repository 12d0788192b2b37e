import Inventory
import SQL

/// Makes the snippets of one search: for each row, the part of a text with the most words of the search.
///
/// FTS5's own `snippet` takes time that grows with the square of a row's matches, and cannot be stopped. This reads a
/// bounded part of each text once, and stores a bounded number of matches.
struct SnippetMaker {
  private let sought: SoughtWords
  private let db: Connection
  /// The bytes of text that may still be read for this search.
  private var budget = Self.budgetOfSearch

  /// The number of words in a snippet.
  private static let length = 16
  /// The maximum number of characters in a snippet. Only snippets with very long words are as long.
  private static let longest = 400
  /// The maximum number of matches stored for one text.
  static let matches = 128
  /// The maximum number of bytes read of one text.
  static let window = 64 << 10
  static let budgetOfSearch = 4 << 20
  /// The number of bytes read of one text once the budget is used up.
  private static let least = 512

  init(_ sought: SoughtWords, in db: Connection) {
    self.sought = sought
    self.db = db
  }

  /// The pieces of a row's snippet; none if the row is gone.
  mutating func snippet(of key: RowKey) throws(StorageError) -> [SearchHit.Piece] {
    var budget = budget
    defer { self.budget = budget }
    return try db.sql(
      "SELECT title, name, serial_number, tags, fields, notes FROM searchable WHERE key = ?1"
    ).bind(key).one { row in
      var best: (score: Int, pieces: [SearchHit.Piece]) = (-1, [])
      for column in 0..<6 {
        guard let text = row.text(column) else { continue }
        let size = min(text.count, Self.window, max(budget, Self.least))
        budget = max(0, budget - size)
        let part = UnsafeBufferPointer(rebasing: text[..<size])
        let found = ScannedText(part, isWhole: size == text.count, sought, in: db.tokenizer)
          .best(ofWords: Self.length)
        if found.score > best.score { best = found }
      }
      return Self.cut(best.pieces)
    } ?? []
  }

  /// Cuts pieces that are too long.
  private static func cut(_ pieces: [SearchHit.Piece]) -> [SearchHit.Piece] {
    var left = longest
    var cut: [SearchHit.Piece] = []
    for piece in pieces where left > 0 {
      let scalars = piece.text.unicodeScalars
      var piece = piece
      if let end = scalars.index(scalars.startIndex, offsetBy: left, limitedBy: scalars.endIndex),
        end < scalars.endIndex
      {
        piece.text = String(scalars[..<end]) + "…"
        left = 0
      } else {
        left -= scalars.count
      }
      cut.append(piece)
    }
    return cut
  }
}

/// A text with its words, and the matches of a search in it.
private struct ScannedText {
  private struct Match {
    /// The numbers of the matching words in the text.
    let places: ClosedRange<Int>
    /// The number of the word in the search.
    let word: Int
  }

  private let text: UnsafeBufferPointer<UInt8>
  /// The places of the text's words, in bytes.
  private var words: [Range<Int>] = []
  /// Sorted by their ends.
  private var matches: [Match] = []
  /// Whether `words` has the last word of the whole text.
  private var isWhole: Bool

  init(
    _ text: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ sought: SoughtWords,
    in tokenizer: Tokenizer
  ) {
    self.text = text
    self.isWhole = isWhole
    var (words, matches): ([Range<Int>], [Match]) = ([], [])
    /// For each word of the text, a bit for each term that it equals.
    var terms: [UInt64] = []
    var end = Int.max
    tokenizer.forEachWord(in: text) { word, place in
      guard words.count < end else { return false }
      words.append(place)
      terms.append(sought.terms(equalTo: word))
      guard terms[words.count - 1] != 0, end == .max else { return true }
      for number in sought.words.indices where sought.isWord(number, atEndOf: terms) {
        let first = words.count - sought.words[number].count
        matches.append(Match(places: first...(words.count - 1), word: number))
      }
      // Further words only fill the snippet.
      if matches.count >= SnippetMaker.matches { end = words.count + 16 }
      return true
    }
    if end != .max, words.count == end { self.isWhole = false }
    (self.words, self.matches) = (words, matches)
  }

  /// The part of `length` words that matches the most different words; among equal parts, the one with the most
  /// matches. The beginning if nothing matches.
  func best(ofWords length: Int) -> (score: Int, pieces: [SearchHit.Piece]) {
    var best: (score: Int, places: ClosedRange<Int>) = (0, 0...0)
    for (number, first) in matches.enumerated() {
      let start = first.places.lowerBound
      var (seen, count, end): (Set<Int>, Int, Int) = ([], 0, first.places.upperBound)
      for match in matches[number...] where match.places.lowerBound >= start {
        guard match.places.upperBound < start + length else { break }
        seen.insert(match.word)
        count += 1
        end = match.places.upperBound
      }
      let score = 1_000 * seen.count + count
      if score > best.score { best = (score, start...max(start, end)) }
    }
    guard !words.isEmpty else {
      return (0, [SearchHit.Piece(text: string(0..<text.count), isMatch: false)])
    }
    let before = max(0, (length - best.places.count) / 2)
    var start = max(0, best.places.lowerBound - before)
    let end = min(words.count - 1, start + length - 1)
    start = max(0, end - length + 1)
    return (best.score, pieces(of: start...end))
  }

  private func pieces(of shown: ClosedRange<Int>) -> [SearchHit.Piece] {
    let isLast = isWhole && shown.upperBound == words.count - 1
    let start = shown.lowerBound == 0 ? 0 : words[shown.lowerBound].lowerBound
    let end = isLast ? text.count : words[shown.upperBound].upperBound
    var pieces: [SearchHit.Piece] = []
    func add(_ text: String, isMatch: Bool = false) {
      guard !text.isEmpty else { return }
      if pieces.last?.isMatch == isMatch {
        pieces[pieces.count - 1].text += text
      } else {
        pieces.append(SearchHit.Piece(text: text, isMatch: isMatch))
      }
    }
    if start > 0 { add("…") }
    var done = start
    for range in marked(in: shown) {
      add(string(done..<max(done, range.lowerBound)))
      add(string(max(done, range.lowerBound)..<max(done, range.upperBound)), isMatch: true)
      done = max(done, range.upperBound)
    }
    add(string(done..<max(done, end)))
    if !isLast { add("…") }
    return pieces
  }

  /// The byte ranges of the matches in a part, in order. Overlapping matches are joined.
  private func marked(in shown: ClosedRange<Int>) -> [Range<Int>] {
    var marked: [ClosedRange<Int>] = []
    let inside = matches.map(\.places).filter {
      $0.lowerBound >= shown.lowerBound && $0.upperBound <= shown.upperBound
    }
    for places in inside.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = marked.last, places.lowerBound <= last.upperBound {
        marked[marked.count - 1] =
          last.lowerBound...max(last.upperBound, places.upperBound)
      } else {
        marked.append(places)
      }
    }
    return marked.map { words[$0.lowerBound].lowerBound..<words[$0.upperBound].upperBound }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
  }
}
