import Inventory
import SQL

/// Searches rows by reading their texts. Finds the same rows as SQLite's search index, with the same ranks.
///
/// With PostgreSQL, `indexedMatches` selects the rows with the search index before it reads their texts.
struct SearchScan {
  private let db: Connection
  private let query: SearchQuery
  /// Nil: all rows with the tag match.
  private let sought: SoughtWords?

  init(_ query: SearchQuery, _ sought: SoughtWords?, in db: Connection) {
    self.db = db
    self.query = query
    self.sought = sought
  }

  /// The matches below a list, in the order of their creation. The cost depends only on the rows below the list.
  func matches(below top: RowKey) throws(StorageError) -> [SearchReader.Match] {
    guard sought.map({ !$0.terms.isEmpty }) ?? (query.tag != nil) else { return [] }
    var matches: [SearchReader.Match] = []
    // Lists, and items with contents, because an item is the parent of its contents list.
    var pending = [top]
    while let parent = pending.popLast() {
      try db.sql(
        Self.columns,
        """
        row.kind = 0 OR row.contents IS NOT NULL
        FROM row CROSS JOIN searchable AS text ON text.key = row.key
        WHERE row.parent = ?1
        """
      ).bind(parent).bind(query.kind?.code).bind(query.tag).each { (row) throws(StorageError) in
        if row.bool(8) { pending.append(row.key(0)) }
        if let match = try match(row) { matches.append(match) }
      }
    }
    matches.sort { $0.key < $1.key }
    return matches
  }

  /// The matches among new and edited rows that are not indexed yet, in the order of their creation.
  func unindexedMatches(
    of inventory: InventoryKey, in subtree: Subtree
  ) throws(StorageError) -> [SearchReader.Match] {
    let late: StaticString =
      """
      row.parent
      FROM (
        SELECT key FROM search_backlog
        UNION
        SELECT key FROM row WHERE key > (SELECT coalesce(max(id), 0) FROM search_docsize)
      ) AS late
      CROSS JOIN row ON row.key = late.key CROSS JOIN searchable AS text ON text.key = late.key
      WHERE row.inventory = ?1
      ORDER BY row.key
      """
    let lateOnServer: StaticString =
      """
      row.parent
      FROM search_backlog AS late JOIN row ON row.key = late.key
      JOIN searchable AS text ON text.key = late.key
      WHERE row.inventory = ?1
      ORDER BY row.key
      """
    var matches: [SearchReader.Match] = []
    try db.sql(Self.columns, db.engine == .sqlite ? late : lateOnServer)
      .bind(inventory).bind(query.kind?.code).bind(query.tag).each { (row) throws(StorageError) in
        if let match = try match(row), try subtree.contains(row.keyOrNil(8)) {
          matches.append(match)
        }
      }
    return matches
  }

  /// The matches in the index of a PostgreSQL database, in the order of their creation. The index selects the rows that
  /// have all terms. Their texts are then read, to check the match and to compute its rank.
  func indexedMatches(
    of inventory: InventoryKey, in subtree: Subtree
  ) throws(StorageError) -> [SearchReader.Match] {
    guard let sought, !sought.terms.isEmpty else { return [] }
    var matches: [SearchReader.Match] = []
    var last = RowKey(0)
    var count = 0
    repeat {
      count = 0
      try db.sql(
        Self.columns,
        """
        row.parent
        FROM search JOIN row ON row.key = search.key JOIN searchable AS text ON text.key = row.key
        WHERE row.inventory = ?1 AND search.words @@ CAST(?4 AS tsquery) AND row.key > ?5
          AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE search_backlog.key = row.key)
        ORDER BY row.key LIMIT ?6
        """
      ).bind(inventory).bind(query.kind?.code).bind(query.tag)
        .bind(WordIndex.expression(sought)).bind(last).bind(Self.page)
        .each { (row) throws(StorageError) in
          count += 1
          last = row.key(0)
          if let match = try match(row), try subtree.contains(row.keyOrNil(8)) {
            matches.append(match)
          }
        }
    } while count == Self.page && matches.count <= Limits.searchMatches
    return matches
  }

  /// The number of rows that are read from a server at once.
  private static let page = 1_000

  /// The key, whether the kind ?2 and the tag ?3 fit, and the texts.
  private static let columns: StaticString = """
    SELECT row.key,
      (CAST(?2 AS BIGINT) IS NULL OR row.kind = ?2)
        AND (CAST(?3 AS TEXT) IS NULL
          OR coalesce(instr('\n' || row.tags || '\n', '\n' || ?3 || '\n'), 0) > 0),
      text.title, text.name, text.serial_number, text.tags, text.fields, text.notes,
    """

  /// The row as a match. It has the columns of `columns`.
  private func match(_ row: Statement) throws(StorageError) -> SearchReader.Match? {
    do throws(DatabaseError) { try db.checkProgress() } catch { throw .database(error) }
    guard row.bool(1), let rank = rank(row) else { return nil }
    return SearchReader.Match(key: row.key(0), rank: rank)
  }

  /// The rank of a row's texts, as the SQL function `relevance` computes it; nil if a word is missing.
  private func rank(_ row: Statement) -> Double? {
    guard let sought else { return 0 }
    var weights = Array(repeating: 0.0, count: sought.terms.count)
    var counts = Array(repeating: 0, count: sought.terms.count)
    var missing = Set(sought.words.indices)
    var length = 0
    for column in 0..<6 {
      guard let text = row.text(column + 2) else { continue }
      // For each word of the column, a bit for each term that it equals.
      var terms: [UInt64] = []
      db.tokenizer.forEachWord(in: text) { word, _ in
        length += 1
        let found = sought.terms(equalTo: word)
        terms.append(found)
        guard found != 0 else { return true }
        for number in counts.indices
        where found & 1 << UInt64(number) != 0 && counts[number] < Relevance.counted {
          counts[number] += 1
          weights[number] += Relevance.weight(inColumn: column)
        }
        for number in missing where sought.isWord(number, atEndOf: terms) {
          missing.remove(number)
        }
        return true
      }
    }
    guard missing.isEmpty else { return nil }
    return -weights.reduce(0) { $0 + Relevance.score(ofWeight: $1, length: length) }
  }
}
