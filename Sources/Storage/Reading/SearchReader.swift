import Inventory
import SQLite

/// Finds lists and items by their words and tags.
struct SearchReader {
  let db: Connection
  let access: Access

  private struct Match {
    var key: Int64
    /// The smaller, the better.
    var rank: Double
  }

  func search(
    _ query: SearchQuery, begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(StorageError) {
    let top = try access.list(query.below)
    var (matches, isTruncated) = try matches(of: query, below: top.key)
    // What ranks the same stays in the order in which it was made.
    matches.sort { ($0.rank, $0.key) < ($1.rank, $1.key) }
    begin(SearchTotal(count: matches.count, isTruncated: isTruncated))
    let keys = matches.dropFirst(query.offset).prefix(query.limit).map(\.key)
    let snippets = try snippets(of: keys, query.words)
    for key in keys {
      guard visit(try hit(key, snippet: snippets[key] ?? [])) else { return }
    }
  }

  private func matches(
    of query: SearchQuery, below top: Int64
  ) throws(StorageError) -> ([Match], isTruncated: Bool) {
    let subtree = Subtree(below: top, in: db)
    var matches: [Match] = []
    var isTruncated = false
    try candidates(of: query).forEachWhile { (row) throws(StorageError) in
      guard try subtree.contains(row.int64OrNil(2)) else { return true }
      guard matches.count < Limits.searchMatches else {
        isTruncated = true
        return false
      }
      matches.append(Match(key: row.int64(0), rank: row.double(1)))
      return true
    }
    return (matches, isTruncated)
  }

  /// Key, rank and parent of whatever matches, visible or not; titles count most.
  private func candidates(of query: SearchQuery) throws(StorageError) -> Statement {
    guard let words = query.words else { return try tagged(query) }
    return try db.sql(
      """
      SELECT row.key, bm25(search, 10, 5, 5, 4, 1, 1), parent
      FROM search CROSS JOIN row ON row.key = search.rowid
      WHERE search MATCH ?1 AND (?2 IS NULL OR kind = ?2)
        AND (?3 IS NULL OR instr(char(10) || row.tags || char(10), char(10) || ?3 || char(10)))
        AND inventory = ?4
      """
    ).bind(words.matchExpression).bind(query.kind?.code).bind(query.tag).bind(access.inventory)
  }

  /// The same of whatever has the tag.
  private func tagged(_ query: SearchQuery) throws(StorageError) -> Statement {
    // The sign keeps the order from being had by reading all rows.
    try db.sql(
      """
      SELECT key, 0, parent FROM row
      WHERE inventory = ?1 AND tags IS NOT NULL AND (?2 IS NULL OR kind = ?2)
        AND instr(char(10) || tags || char(10), char(10) || ?3 || char(10))
      ORDER BY +key
      """
    ).bind(access.inventory).bind(query.kind?.code).bind(query.tag)
  }

  private func hit(
    _ key: Int64, snippet: [SearchHit.Piece]
  ) throws(StorageError) -> SearchHit {
    let entry = try access.entry(key)
    var place = Place(listID: nil, index: nil, path: try access.path(to: key))
    if let position = entry.place, let parent = entry.parent,
      let list = try ListRecord.find(key: parent, in: db)
    {
      place.listID = list.id
      place.index = RowIndex(try list.tree.index(of: position, in: db))
    }
    return SearchHit(
      content: try RowReader(db: db).content(of: key), place: place, snippet: snippet)
  }

  /// For each of the rows the part of its text where the words are closest together.
  private func snippets(
    of keys: [Int64], _ words: SearchWords?
  ) throws(StorageError) -> [Int64: [SearchHit.Piece]] {
    guard let words, let last = keys.max() else { return [:] }
    var snippets: [Int64: [SearchHit.Piece]] = [:]
    // One walk along all matches, as the sign makes it: looked up one by one, each row would have the
    // matches of all words that begin as the last one does put together anew. The marks around what
    // matched are in no text: https://www.unicode.org/faq/private_use.html#nonchar1
    try db.sql(
      """
      SELECT rowid, snippet(search, -1, char(0xFDD0), char(0xFDD1), '…', 16) FROM search
      WHERE search MATCH ?1 AND rowid <= ?2 AND +rowid IN (SELECT value FROM json_each(?3))
      """
    ).bind(words.matchExpression).bind(last).bind("\(keys)").each {
      snippets[$0.int64(0)] = Self.pieces(of: $0.string(1))
    }
    return snippets
  }

  /// In characters: sixteen words are short, but for those that nobody writes.
  private static let longestSnippet = 400

  private static func pieces(of marked: String) -> [SearchHit.Piece] {
    var pieces: [SearchHit.Piece] = []
    var piece = SearchHit.Piece(text: "", isMatch: false)
    var length = 0
    func end(isMatch: Bool) {
      if !piece.text.isEmpty { pieces.append(piece) }
      piece = SearchHit.Piece(text: "", isMatch: isMatch)
    }
    for scalar in marked.unicodeScalars {
      switch scalar.value {
      case 0xFDD0: end(isMatch: true)
      case 0xFDD1: end(isMatch: false)
      default:
        length += 1
        guard length <= longestSnippet else {
          piece.text += "…"
          end(isMatch: false)
          return pieces
        }
        piece.text.unicodeScalars.append(scalar)
      }
    }
    end(isMatch: false)
    return pieces
  }
}

extension SearchReader {
  func tags(prefix: String, offset: Int, limit: Int) throws(StorageError) -> TagCounts {
    let subtree = Subtree(below: access.root, in: db)
    var counts: [String: Int] = [:]
    try db.sql(
      """
      SELECT tags, parent, count(*) FROM row WHERE inventory = ?1 AND tags IS NOT NULL
      GROUP BY tags, parent
      """
    ).bind(access.inventory).forEachWhile { (row) throws(StorageError) in
      guard try subtree.contains(row.int64OrNil(1)) else { return true }
      let count = row.int(2)
      for tag in row.string(0).split(separator: "\n") { counts[String(tag), default: 0] += count }
      return true
    }
    return TagCounts(counts, prefix: prefix, offset: offset, limit: limit)
  }
}

extension SearchWords {
  /// Each word as a string, which is never read as anything else, the last with a star for the prefix:
  /// https://www.sqlite.org/fts5.html#full_text_query_syntax
  fileprivate var matchExpression: String {
    words.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: " ") + " *"
  }
}

extension SearchQuery.Kind {
  fileprivate var code: Int64 {
    switch self {
    case .list: 0
    case .thing: 1
    case .car: 2
    }
  }
}
