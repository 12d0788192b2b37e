import CSQLite

/// The SQL function `relevance(search, words)`: how well a row of a full-text index fits a search.
///
/// SQLite's own `bm25` looks at every row of the index that has one of the words, and at every occurrence in
/// a row. This looks at the row alone, and at a bounded number of occurrences of each phrase; only the places of
/// phrases that must follow one another are all looked at, each once.
///
/// `words` is a blob: for each word that is looked for the number of its phrases, then these, as numbers of phrases
/// of the MATCH expression. The result is NULL where a word's phrases do not follow one another anywhere in the row;
/// else a number, the smaller the better. https://www.sqlite.org/fts5.html#custom_auxiliary_functions
package enum Relevance {
  /// Occurrences of one phrase in one row that count.
  package static let counted = 64
  /// What one counts, by column; what stands further right counts as the last.
  private static let weights: [Double] = [10, 5, 5, 4, 1, 1]
  /// https://en.wikipedia.org/wiki/Okapi_BM25
  private static let (saturation, lengthShare, usualLength) = (1.2, 0.75, 24.0)

  /// What one occurrence in a column counts.
  package static func weight(inColumn column: Int) -> Double {
    weights[min(column, weights.count - 1)]
  }

  /// What a phrase adds to the score of a row.
  ///
  /// - Parameters:
  ///   - weight: the sum over its occurrences.
  ///   - length: of the row, in words.
  package static func score(ofWeight weight: Double, length: Int) -> Double {
    let norm = 1 - lengthShare + lengthShare * Double(length) / usualLength
    return weight * (saturation + 1) / (weight + saturation * norm)
  }

  static func add(to connection: OpaquePointer) throws(SQLiteError) {
    guard let api = rowhouse_fts5(connection) else {
      throw SQLiteError(
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
      throw SQLiteError(connection: connection, code: code, context: "relevance")
    }
  }

  /// The row that the index stands on.
  private struct Row {
    let functions: UnsafePointer<Fts5ExtensionApi>
    let index: OpaquePointer

    /// Whether each word's phrases follow one another somewhere.
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
            // No piece begins before what would end here.
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

  /// Where a phrase stands in the row, one place after the other.
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

    /// Column and place in it as one number; nil at the end.
    var next: Int64? { column < 0 ? nil : Int64(column) << 32 | Int64(offset) }

    mutating func advance() {
      functions.pointee.xPhraseNext(index, &iterator, &column, &offset)
    }
  }
}
