import CSQLite

/// Splits texts into words as the search index does: in lower case, without diacritics.
///
/// It is FTS5's `unicode61`, called directly: https://www.sqlite.org/fts5.html#custom_tokenizers
package final class Tokenizer {
  private let functions: fts5_tokenizer
  private let handle: OpaquePointer

  private final class Scan {
    let take: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Bool
    init(_ take: @escaping (UnsafeBufferPointer<UInt8>, Range<Int>) -> Bool) { self.take = take }
  }

  init(_ connection: OpaquePointer) throws(DatabaseError) {
    let context = "unicode61"
    guard let api = rowhouse_fts5(connection) else {
      throw DatabaseError(extendedCode: SQLITE_ERROR, message: "FTS5 is missing", context: context)
    }
    var functions = fts5_tokenizer()
    var data: UnsafeMutableRawPointer?
    var handle: OpaquePointer?
    var code = api.pointee.xFindTokenizer(api, "unicode61", &data, &functions)
    if code == SQLITE_OK {
      code = "remove_diacritics".withCString { name in
        "2".withCString { value in
          var arguments: [UnsafePointer<CChar>?] = [name, value]
          return functions.xCreate(data, &arguments, 2, &handle)
        }
      }
    }
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(connection: connection, code: code, context: context)
    }
    self.functions = functions
    self.handle = handle
  }

  deinit { functions.xDelete(handle) }

  /// Calls the body with each word and its byte range in the text, until the body returns false.
  package func forEachWord(
    in text: UnsafeBufferPointer<UInt8>,
    _ body: (_ word: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) -> Bool
  ) {
    text.withMemoryRebound(to: CChar.self) { text in
      withoutActuallyEscaping(body) { body in
        let scan = Scan(body)
        withExtendedLifetime(scan) {
          // `unicode61` splits documents and queries alike.
          _ = functions.xTokenize(
            handle, Unmanaged.passUnretained(scan).toOpaque(), FTS5_TOKENIZE_DOCUMENT,
            text.baseAddress, Int32(clamping: text.count)
          ) { context, _, word, count, start, end in
            guard let context else { return SQLITE_DONE }
            let scan = Unmanaged<Scan>.fromOpaque(context).takeUnretainedValue()
            let word = UnsafeRawBufferPointer(start: word, count: Int(count))
            let goesOn = scan.take(word.assumingMemoryBound(to: UInt8.self), Int(start)..<Int(end))
            return goesOn ? SQLITE_OK : SQLITE_DONE
          }
        }
      }
    }
  }

  /// The words of a text.
  package func words(of text: String) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var text = text
    text.withUTF8 { text in
      forEachWord(in: text) { word, _ in
        words.append([UInt8](word))
        return true
      }
    }
    return words
  }
}
