import Inventory
import SQL

/// Finds lists and items by their words and tags.
struct SearchReader {
  let db: Connection
  let access: Access

  struct Match {
    var key: RowKey
    /// Smaller is better.
    var rank: Double
  }

  func search(
    _ query: SearchQuery, begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(StorageError) {
    let top = try access.list(query.below)
    var (matches, isTruncated) = try matches(of: query, below: top.key)
    // Rows of the same rank stay in the order of their creation.
    matches.sort { ($0.rank, $0.key) < ($1.rank, $1.key) }
    begin(SearchTotal(count: matches.count, isTruncated: isTruncated))
    let keys = matches.dropFirst(query.offset).prefix(query.limit).map(\.key)
    var snippets = sought(query).map { SnippetMaker($0, in: db) }
    for key in keys {
      try checkDeadline()
      guard visit(try hit(key, snippet: try snippets?.snippet(of: key) ?? [])) else { return }
    }
  }

  private func sought(_ query: SearchQuery) -> SoughtWords? {
    query.words.map { SoughtWords($0, in: access.inventory, cutBy: db.tokenizer) }
  }

  /// Checks the deadline between two rows, where no statement runs that the deadline could end.
  private func checkDeadline() throws(StorageError) {
    do throws(DatabaseError) { try db.checkProgress() } catch { throw .database(error) }
  }

  func matches(
    of query: SearchQuery, below top: RowKey
  ) throws(StorageError) -> ([Match], isTruncated: Bool) {
    // A caller who sees a part of the inventory must not learn from the duration how often a word is in the rest.
    if access.root != access.inventoryRoot {
      let matches = try SearchScan(query, sought(query), in: db).matches(below: top)
      return (
        Array(matches.prefix(Limits.searchMatches)), matches.count > Limits.searchMatches
      )
    }
    let subtree = Subtree(below: top, in: db)
    var matches: [Match] = []
    if db.engine == .postgreSQL, let sought = sought(query) {
      let scan = SearchScan(query, sought, in: db)
      matches = try scan.indexedMatches(of: access.inventory, in: subtree)
      matches += try scan.unindexedMatches(of: access.inventory, in: subtree)
      return (Array(matches.prefix(Limits.searchMatches)), matches.count > Limits.searchMatches)
    }
    guard let candidates = try candidates(of: query) else { return ([], false) }
    try candidates.eachWhile { (row) throws(StorageError) in
      try checkDeadline()
      // Nil: the row has the parts of a word, but not one after the other.
      guard !row.isNull(1), try subtree.contains(row.keyOrNil(2)) else { return true }
      matches.append(Match(key: row.key(0), rank: row.double(1)))
      return matches.count <= Limits.searchMatches
    }
    if let sought = sought(query) {
      matches += try SearchScan(query, sought, in: db).unindexedMatches(
        of: access.inventory, in: subtree)
    }
    return (Array(matches.prefix(Limits.searchMatches)), matches.count > Limits.searchMatches)
  }

  /// The key, rank and parent of all matches in the index, visible or not; titles count most. Nil for words without any
  /// term.
  private func candidates(of query: SearchQuery) throws(StorageError) -> Statement? {
    guard let words = sought(query) else { return try tagged(query) }
    guard !words.terms.isEmpty else { return nil }
    return try db.sql(
      """
      SELECT row.key, relevance(search, ?5), parent
      FROM search CROSS JOIN row ON row.key = search.rowid
      WHERE search MATCH ?1 AND (?2 IS NULL OR kind = ?2)
        AND (?3 IS NULL OR instr('\n' || row.tags || '\n', '\n' || ?3 || '\n') > 0)
        AND inventory = ?4 AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE key = search.rowid)
      """
    ).bind(words.matchExpression).bind(query.kind?.code).bind(query.tag).bind(access.inventory)
      .bind(words.phrases)
  }

  /// The key, rank and parent of all rows with the tag. Their rank is 0.
  private func tagged(_ query: SearchQuery) throws(StorageError) -> Statement {
    // The plus sign keeps SQLite from reading all rows to get this order.
    try db.sql(
      """
      SELECT key, 0, parent FROM row
      WHERE inventory = ?1 AND tags IS NOT NULL
        AND (CAST(?2 AS BIGINT) IS NULL OR kind = ?2)
        AND instr('\n' || tags || '\n', '\n' || ?3 || '\n') > 0
      ORDER BY +key
      """
    ).bind(access.inventory).bind(query.kind?.code).bind(query.tag)
  }

  private func hit(_ key: RowKey, snippet: [SearchHit.Piece]) throws(StorageError) -> SearchHit {
    SearchHit(
      content: try RowReader(db: db).content(of: key),
      place: try access.place(of: try access.entry(key)), snippet: snippet)
  }
}

extension SearchReader {
  func tags(prefix: String, offset: Int, limit: Int) throws(StorageError) -> TagCounts {
    var counts: [String: Int] = [:]
    func add(_ row: Statement) {
      let count = row.int(1)
      for tag in row.string(0).split(separator: "\n") { counts[String(tag), default: 0] += count }
    }
    if access.root == access.inventoryRoot {
      let subtree = Subtree(below: access.root, in: db)
      try db.sql(
        """
        SELECT tags, count(*), parent FROM row WHERE inventory = ?1 AND tags IS NOT NULL
        GROUP BY tags, parent
        """
      ).bind(access.inventory).eachWhile { (row) throws(StorageError) in
        if try subtree.contains(row.keyOrNil(2)) { add(row) }
        return true
      }
    } else {
      // A caller who sees a part of the inventory must not learn from the duration what is in the rest.
      try db.eachParent(below: access.root) { (parent) throws(StorageError) in
        try db.sql(
          """
          SELECT tags, count(*) FROM row WHERE parent = ?1 AND tags IS NOT NULL GROUP BY tags
          """
        ).bind(parent).each(add)
      }
    }
    return try TagCounts(counts, prefix: prefix, offset: offset, limit: limit) {
      () throws(StorageError) in
      do throws(DatabaseError) { try db.checkProgress() } catch { throw .database(error) }
    }
  }
}

extension SearchQuery.Kind {
  var code: Int64 {
    switch self {
    case .list: 0
    case .thing: 1
    case .car: 2
    }
  }
}

/// Views, searches and tags.
extension DatabaseSnapshot {
  func rows(of list: ListReference, _ view: RowView) throws(InventoryError) -> PageOfRows {
    try reading { (access) throws(StorageError) in
      return try ViewReader(db: db, access: access).page(of: try access.list(list), view)
    }
  }

  func search(
    _ query: SearchQuery, begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(InventoryError) {
    try reading { (access) throws(StorageError) in
      try SearchReader(db: db, access: access).search(query, begin: begin, visit: visit)
    }
  }

  func tags(prefix: String, offset: Int, limit: Int) throws(InventoryError) -> TagCounts {
    try reading { (access) throws(StorageError) in
      try SearchReader(db: db, access: access).tags(
        prefix: prefix, offset: offset, limit: limit)
    }
  }
}
