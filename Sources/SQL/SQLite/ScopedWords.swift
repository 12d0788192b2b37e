import CSQLite

/// The SQL function `scoped_words(scope, text)`: the tokenizer's words of a text, each prefixed with the number of the
/// scope and an `x`. NULL for NULL.
///
/// An index of such words keeps the words of one scope together, so prefix searches in a scope stay local.
package enum ScopedWords {
  /// The prefix of each word of a scope.
  package static func prefix(of scope: Int64) -> String { "\(scope)x" }

  /// Adds the function. It uses the tokenizer as long as the connection is open.
  static func add(to connection: OpaquePointer, _ tokenizer: Tokenizer) throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "scoped_words", 2,
      // A view uses it, and views of an untrusted schema may use only innocuous functions:
      // https://www.sqlite.org/c3ref/c_deterministic.html
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
      Unmanaged.passUnretained(tokenizer).toOpaque(),
      { context, count, values in
        guard count == 2, let scope = values?[0], let text = values?[1],
          let start = sqlite3_value_text(text), let data = sqlite3_user_data(context)
        else { return sqlite3_result_null(context) }
        let tokenizer = Unmanaged<Tokenizer>.fromOpaque(data).takeUnretainedValue()
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(text)))
        let words = ScopedWords.words(of: bytes, sqlite3_value_int64(scope), tokenizer)
        words.withUnsafeBufferPointer { words in
          words.withMemoryRebound(to: CChar.self) { words in
            rowhouse_result_text(context, words.baseAddress, UInt64(words.count))
          }
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(connection: connection, code: code, context: "scoped_words")
    }
  }

  private static func words(
    of text: UnsafeBufferPointer<UInt8>, _ scope: Int64, _ tokenizer: Tokenizer
  ) -> [UInt8] {
    let prefix = [UInt8](Self.prefix(of: scope).utf8)
    var words: [UInt8] = []
    words.reserveCapacity(text.count + text.count / 2 + 16)
    tokenizer.forEachWord(in: text) { word, _ in
      if !words.isEmpty { words.append(UInt8(ascii: " ")) }
      words.append(contentsOf: prefix)
      words.append(contentsOf: word)
      return true
    }
    return words
  }
}
