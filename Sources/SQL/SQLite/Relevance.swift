import CSQLite

/// The SQL function `relevance(search, words)`: how well a row of a full-text index matches a search.
///
/// SQLite's own `bm25` visits every row of the index that has one of the words, and every occurrence in a row. This
/// function visits one row, and a bounded number of occurrences of each phrase. Only for phrases that must follow one
/// another, it visits all positions, each position once.
///
/// The tokenizer may split a word of the search into several terms. In the MATCH expression each term is an FTS5 phrase
/// of its own. The blob `words` has, for each word, the number of its terms and then their phrase numbers, one byte
/// each.
///
/// The result is NULL if a word's phrases do not follow one another anywhere in the row. Otherwise it is a number;
/// smaller is better. https://www.sqlite.org/fts5.html#custom_auxiliary_functions
package enum Relevance {
  /// The maximum number of occurrences of one phrase in one row that are counted.
  package static let counted = 64
  /// The weight of an occurrence, by column. Further columns have the last weight.
  private static let weights: [Double] = [10, 5, 5, 4, 1, 1]
  /// BM25's k1 and b, and the assumed average length of a row in words: https://en.wikipedia.org/wiki/Okapi_BM25
  private static let (saturation, lengthShare, usualLength) = (1.2, 0.75, 24.0)

  /// The weight of one occurrence in a column.
  package static func weight(inColumn column: Int) -> Double {
    weights[min(column, weights.count - 1)]
  }

  /// The amount that a phrase adds to the score of a row.
  ///
  /// - Parameters:
  ///   - weight: the sum of the weights of its occurrences.
  ///   - length: the row's length in words.
  package static func score(ofWeight weight: Double, length: Int) -> Double {
    let norm = 1 - lengthShare + lengthShare * Double(length) / usualLength
    return weight * (saturation + 1) / (weight + saturation * norm)
  }

  static func add(to connection: OpaquePointer) throws(DatabaseError) {
    guard let api = rowhouse_fts5(connection) else {
      throw DatabaseError(
        extendedCode: SQLITE_ERROR, message: "FTS5 is missing", context: "relevance")
    }
    let code = api.pointee.xCreateFunction(
      api, "relevance", nil,
      { functions, index, context, count, values in
        guard let functions, let index, let context, count == 1, let value = values?[0],
          let bytes = sqlite3_value_blob(value)
        else {
          sqlite3_result_error(context, "relevance takes the words of a search", -1)
          return
        }
        let words = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        let row = Row(functions: functions, index: index)
        guard row.holds(words) else { return sqlite3_result_null(context) }
        sqlite3_result_double(context, -row.score())
      }, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(connection: connection, code: code, context: "relevance")
    }
  }

  /// The index's current row.
  private struct Row {
    let functions: UnsafePointer<Fts5ExtensionApi>
    let index: OpaquePointer

    /// Whether each word's phrases follow one another somewhere in the row.
    func holds(_ words: UnsafeRawBufferPointer) -> Bool {
      var start = 0
      while start < words.count {
        let end = min(words.count, start + 1 + Int(words[start]))
        if end - start > 2, !hasInOnePiece(words[(start + 1)..<end]) { return false }
        start = end
      }
      return true
    }

    private func hasInOnePiece(_ phrases: Slice<UnsafeRawBufferPointer>) -> Bool {
      var places = phrases.map { Places(of: Int32($0), functions, index) }
      while let first = places[0].next {
        var wanted = first
        var number = 1
        while number < places.count {
          wanted += 1
          while let next = places[number].next, next < wanted { places[number].advance() }
          guard let next = places[number].next else { return false }
          guard next == wanted else {
            // A sequence that ends here cannot begin earlier.
            let begin = next - Int64(number)
            while let place = places[0].next, place < begin { places[0].advance() }
            break
          }
          number += 1
        }
        if number == places.count { return true }
        if places[0].next == first { places[0].advance() }
      }
      return false
    }

    func score() -> Double {
      var length: Int32 = 0
      _ = functions.pointee.xColumnSize(index, -1, &length)
      var score = 0.0
      for phrase in 0..<functions.pointee.xPhraseCount(index) {
        var places = Places(of: phrase, functions, index)
        var sum = 0.0
        var left = counted
        while left > 0, places.next != nil {
          sum += weight(inColumn: Int(places.column))
          places.advance()
          left -= 1
        }
        score += Relevance.score(ofWeight: sum, length: Int(length))
      }
      return score
    }
  }

  /// Iterates over the positions of a phrase in the row.
  private struct Places {
    private let functions: UnsafePointer<Fts5ExtensionApi>
    private let index: OpaquePointer
    private var iterator = Fts5PhraseIter()
    private(set) var column: Int32 = -1
    private var offset: Int32 = -1

    init(
      of phrase: Int32, _ functions: UnsafePointer<Fts5ExtensionApi>, _ index: OpaquePointer
    ) {
      self.functions = functions
      self.index = index
      let code = functions.pointee.xPhraseFirst(index, phrase, &iterator, &column, &offset)
      if code != SQLITE_OK { column = -1 }
    }

    /// The column and the position in it as one number. Nil at the end.
    var next: Int64? { column < 0 ? nil : Int64(column) << 32 | Int64(offset) }

    mutating func advance() {
      functions.pointee.xPhraseNext(index, &iterator, &column, &offset)
    }
  }
}
