import SQL

/// The index of words for searches. Triggers note which texts must be removed from it.
enum SearchIndex {
  /// The text that one step indexes, in bytes; one row may be longer. The writer needs about three milliseconds.
  static let textOfStep = 32 << 10
  /// If this many bytes of text are unindexed, writes of long texts wait: those of the callers who have written much of
  /// it, and from twice as many on those of all. Each search reads all unindexed text.
  static let textBehind = 512 << 10
  /// A commit that indexes a few words writes several pages more. So the index may lack this many rows for a moment.
  static let rowsLeft = 128

  /// Turns off automatic merges of the index's parts: `catchUp` merges a few pages each time.
  ///
  /// FTS5 by itself merges a thousand pages in one commit and none in the next:
  /// https://www.sqlite.org/fts5.html#the_automerge_configuration_option
  static func prepare(_ db: Connection) throws(StorageError) {
    for (name, value) in [("automerge", 0), ("usermerge", 16), ("crisismerge", 256)] {
      let present = try db.sql("SELECT v FROM search_config WHERE k = ?1").bind(name)
        .one { $0.int(0) }
      guard present != value else { continue }
      try db.sql("INSERT INTO search (search, rank) VALUES (?1, ?2)")
        .bind(name).bind(Int64(value)).perform()
    }
  }

  /// Indexes edited rows, then new ones in the order of their keys.
  ///
  /// Call this before a commit and outside of savepoints, because the index writes its pages at each savepoint.
  ///
  /// - Parameters:
  ///   - text: the maximum text to index, in bytes.
  ///   - takesOne: whether to index the first row even if it is longer.
  /// - Returns: the text that was indexed, and the text that is still unindexed, counted up to `2 * textBehind`, in bytes.
  @discardableResult
  static func catchUp(
    in db: Connection, atMost text: Int = .max, takesOne: Bool = true
  ) throws(StorageError) -> (taken: Int, left: Int) {
    var edited = Share(limit: text, takesOne: takesOne)
    if db.engine == .postgreSQL {
      let last = try edited.take(WordIndex.sizes, beyond: RowKey(0), in: db)
      if edited.taken > 0 { try WordIndex.index(upTo: last, in: db) }
      return (edited.taken, try max(edited.left, WordIndex.rowsBehind(in: db, upTo: 1)))
    }
    let lag = try lag(in: db)
    if lag.edits > 0 {
      // From the highest key down, so the rows taken are those with keys from `last` on. SQLite assigns no key twice:
      // https://www.sqlite.org/autoinc.html
      let last = try edited.take(
        """
        SELECT old.key, 100
          + coalesce(length(CAST(old.notes AS BLOB)), 0) + coalesce(length(CAST(old.fields AS BLOB)), 0)
          + coalesce(length(CAST(old.tags AS BLOB)), 0) + coalesce(length(CAST(old.title AS BLOB)), 0)
          + coalesce(length(CAST(new.notes AS BLOB)), 0) + coalesce(length(CAST(new.fields AS BLOB)), 0)
          + coalesce(length(CAST(new.tags AS BLOB)), 0) + coalesce(length(CAST(new.title AS BLOB)), 0)
        FROM search_backlog AS old LEFT JOIN row AS new ON new.key = old.key
        WHERE old.key < ?1 ORDER BY old.key DESC
        """, beyond: .max, in: db)
      // An index that stores no text needs the text that it must remove:
      // https://www.sqlite.org/fts5.html#the_delete_command
      try db.sql(
        """
        INSERT INTO search (search, rowid, title, name, serial_number, tags, fields, notes)
        SELECT 'delete', key, title, name, serial_number, tags, fields, notes FROM scoped_before
        WHERE key >= ?1
        """
      ).bind(last).perform()
      try db.sql(
        """
        INSERT INTO search (rowid, title, name, serial_number, tags, fields, notes)
        SELECT new.key, new.title, new.name, new.serial_number, new.tags, new.fields, new.notes
        FROM search_backlog AS old CROSS JOIN scoped AS new ON new.key = old.key
        WHERE old.key >= ?1
        """
      ).bind(last).perform()
      try db.sql("DELETE FROM search_backlog WHERE key >= ?1").bind(last).perform()
    }
    // A long text among the edited rows must not hold up the new ones.
    var new = Share(
      limit: text - edited.taken, takesOne: takesOne && edited.taken == 0)
    if lag.newest > lag.indexed {
      let last = try new.take(
        """
        SELECT key, 100
          + coalesce(length(CAST(notes AS BLOB)), 0) + coalesce(length(CAST(fields AS BLOB)), 0)
          + coalesce(length(CAST(tags AS BLOB)), 0) + coalesce(length(CAST(title AS BLOB)), 0)
        FROM row WHERE key > ?1 ORDER BY key
        """, beyond: lag.indexed, in: db)
      try db.sql(
        """
        INSERT INTO search (rowid, title, name, serial_number, tags, fields, notes)
        SELECT key, title, name, serial_number, tags, fields, notes FROM scoped
        WHERE key > ?1 AND key <= ?2
        """
      ).bind(lag.indexed).bind(last).perform()
    }
    let taken = edited.taken + new.taken
    if taken > 0 {
      // Merges more pages than the new text fills. Otherwise the number of parts would grow.
      try db.sql("INSERT INTO search (search, rank) VALUES ('merge', ?1)")
        .bind(Int64(8 + taken / 512)).perform()
    }
    return (taken, min(edited.left + new.left, 2 * textBehind))
  }

  /// The rows that one call of `catchUp` indexes.
  private struct Share {
    let limit: Int
    let takesOne: Bool
    /// The text of the rows, in bytes.
    private(set) var taken = 0
    private(set) var left = 0

    /// Takes the first rows of a statement that returns keys and sizes. Returns the key of the last one taken.
    mutating func take(
      _ sql: StaticString, beyond key: RowKey, in db: Connection
    ) throws(StorageError) -> RowKey {
      var last = key
      try db.sql(sql).bind(key).eachWhile { row in
        let size = row.int(1)
        if left == 0, taken + size <= limit || (takesOne && taken == 0) {
          taken += size
          last = row.key(0)
        } else {
          left += size
        }
        return left < 2 * SearchIndex.textBehind
      }
      return last
    }
  }

  /// The approximate number of rows that are missing in the index, or have an old text there. Edited and deleted rows
  /// are counted up to `rowsLeft`. New rows are counted by their keys, even if some are deleted.
  static func rowsBehind(in db: Connection) throws(StorageError) -> Int {
    if db.engine == .postgreSQL { return try WordIndex.rowsBehind(in: db, upTo: rowsLeft) }
    let lag = try lag(in: db)
    return lag.edits + max(0, Int(lag.newest.value - lag.indexed.value))
  }

  /// The number of indexed rows that were edited or deleted, up to `rowsLeft`, the highest indexed key, and the
  /// highest key of all rows.
  private static func lag(
    in db: Connection
  ) throws(StorageError) -> (edits: Int, indexed: RowKey, newest: RowKey) {
    try db.sql(
      """
      SELECT (SELECT count(*) FROM (SELECT 1 FROM search_backlog LIMIT ?1)),
        (SELECT max(id) FROM search_docsize), (SELECT max(key) FROM row)
      """
    ).bind(rowsLeft).one { ($0.int(0), $0.key(1), $0.key(2)) } ?? (0, RowKey(0), RowKey(0))
  }

  /// Brings the index up to date and checks it. Returns the problem, or nil. Call this in a write transaction.
  ///
  /// The check is an INSERT that writes nothing: https://www.sqlite.org/fts5.html#the_integrity_check_command
  static func fault(in db: Connection) throws(StorageError) -> String? {
    do throws(StorageError) {
      try catchUp(in: db)
      guard db.engine == .sqlite else { return nil }
      try db.sql("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)").perform()
    } catch {
      guard case .database(let cause) = error, cause.isCorrupt else { throw error }
      return "search: the index and the rows disagree"
    }
    return nil
  }
}
