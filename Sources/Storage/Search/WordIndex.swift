import Inventory
import SQL

/// The index of words in a PostgreSQL database: the table `search` has the words of each row, cut by the tokenizer that
/// SQLite's index uses. So both engines find the same rows.
///
/// Triggers put the keys of new and edited rows into `search_backlog`.
enum WordIndex {
  /// The maximum number of rows that are indexed at once.
  private static let rowsAtOnce = 500
  /// The longest indexed part of a word, in bytes. A lexeme has less than 2 KiB:
  /// https://www.postgresql.org/docs/15/textsearch-limitations.html
  private static let wordLimit = 1_000

  /// The number of rows whose words are not in the index yet, counted up to a limit.
  static func rowsBehind(in db: Connection, upTo limit: Int) throws(StorageError) -> Int {
    try db.sql("SELECT count(*) FROM (SELECT 1 FROM search_backlog LIMIT ?1) AS late")
      .bind(limit).one { $0.int(0) } ?? 0
  }

  /// The key and the approximate size of the rows to index.
  static let sizes: StaticString = """
    SELECT row.key, 100 + coalesce(octet_length(notes), 0) + coalesce(octet_length(fields), 0)
      + coalesce(octet_length(tags), 0) + coalesce(octet_length(title), 0)
    FROM search_backlog JOIN row USING (key)
    WHERE row.key > ?1 ORDER BY row.key LIMIT 500
    """

  /// Indexes the rows of the backlog up to a key.
  static func index(upTo last: RowKey, in db: Connection) throws(StorageError) {
    let rows = try db.sql(
      """
      SELECT key, inventory, title, name, serial_number, tags, fields, notes
      FROM search_backlog JOIN searchable USING (key) WHERE key <= ?1 ORDER BY key LIMIT ?2
      """
    ).bind(last).bind(rowsAtOnce)
    if try index(rows, in: db) != nil {
      try db.sql("DELETE FROM search_backlog WHERE key <= ?1").bind(last).perform()
    }
  }

  /// Indexes all rows, once they have been copied into an empty database. Reports how many each step has indexed.
  static func indexAll(
    in db: Connection, progress: (Int) -> Void
  ) throws(StorageError) {
    // The backlog has all rows. It is not read, because each step would pass over what the steps before have deleted.
    var key = RowKey(0)
    while true {
      let rows = try db.sql(
        """
        SELECT key, inventory, title, name, serial_number, tags, fields, notes
        FROM searchable WHERE key > ?1 ORDER BY key LIMIT ?2
        """
      ).bind(key).bind(rowsAtOnce)
      guard let step = try index(rows, in: db) else { break }
      key = step.last
      progress(step.count)
    }
    try db.sql("TRUNCATE search_backlog").perform()
  }

  /// Indexes the rows that a statement returns. Returns the key of the last one and their number, or nil if there is none.
  private static func index(
    _ rows: Statement, in db: Connection
  ) throws(StorageError) -> (last: RowKey, count: Int)? {
    var records: [String] = []
    var last: RowKey?
    try rows.each { row in
      let scope = ScopedWords.prefix(of: row.int64(1))
      var words: Set<String> = []
      for column in 2..<8 {
        guard let text = row.text(column) else { continue }
        db.tokenizer.forEachWord(in: text) { word, _ in
          words.insert(Self.lexeme(word, scope))
          return true
        }
      }
      let list = words.map { "\"" + Self.escaped($0, "\"") + "\"" }.joined(separator: ",")
      records.append("{\"key\":\(row.int64(0)),\"words\":[\(list)]}")
      last = row.key(0)
    }
    guard let last else { return nil }
    try db.sql(
      """
      INSERT INTO search (key, words)
      SELECT key, array_to_tsvector(ARRAY(SELECT json_array_elements_text(words)))
      FROM json_to_recordset(CAST(?1 AS json)) AS record (key bigint, words json)
      ON CONFLICT (key) DO UPDATE SET words = excluded.words
      """
    ).bind("[" + records.joined(separator: ",") + "]").perform()
    return (last, records.count)
  }

  /// The query for rows that have all terms: https://www.postgresql.org/docs/15/datatype-textsearch.html
  static func expression(_ words: SoughtWords) -> String {
    words.terms.map { term in
      let text = term.text.withUnsafeBufferPointer { lexeme($0, words.scope) }
      return "'" + escaped(text, "'") + "'" + (term.isPrefix ? ":*" : "")
    }.joined(separator: " & ")
  }

  /// A word with the mark of its inventory, cut where it is too long.
  private static func lexeme(_ word: UnsafeBufferPointer<UInt8>, _ scope: String) -> String {
    guard word.count > wordLimit else { return scope + String(decoding: word, as: UTF8.self) }
    var end = wordLimit
    // Not within a character of UTF-8.
    while end > 0, word[end] & 0xc0 == 0x80 { end -= 1 }
    return scope + String(decoding: word[..<end], as: UTF8.self)
  }

  private static func escaped(_ text: String, _ quote: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
  }
}
