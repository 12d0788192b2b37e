import SQLite

/// The index of words for searches. Triggers note which texts must be removed from it.
enum SearchIndex {
  /// Makes the index merge its parts a little with each commit, and never all parts of a level in one commit.
  ///
  /// FTS5 merges a whole level at once when it has as many parts as `crisismerge` says, 16 by default. That takes
  /// longer the larger the index is. `automerge` merges from 16 parts on, in proportion to what each commit writes:
  /// https://www.sqlite.org/fts5.html#the_crisismerge_configuration_option
  static func prepare(_ db: Connection) throws(SQLiteError) {
    let present = try db.statement("SELECT v FROM search_config WHERE k = 'crisismerge'")
      .first { $0.int(0) }
    guard present != partsOfLevel else { return }
    try db.statement("INSERT INTO search (search, rank) VALUES ('crisismerge', ?1)")
      .bind(Int64(partsOfLevel)).run()
  }

  private static let partsOfLevel = 256

  /// Updates the index with the transaction's changes. Call this before each commit and outside of savepoints, because
  /// the index writes its pages at each savepoint.
  static func catchUp(in db: Connection) throws(SQLiteError) {
    let lag = try lag(in: db)
    if lag.hasEdits {
      // An index that stores no text needs the text that it must remove:
      // https://www.sqlite.org/fts5.html#the_delete_command
      try db.statement(
        """
        INSERT INTO search (search, rowid, title, name, serial_number, tags, fields, notes)
        SELECT 'delete', key, title, name, serial_number, tags, fields, notes FROM scoped_before
        """
      ).run()
      try db.statement(
        """
        INSERT INTO search (rowid, title, name, serial_number, tags, fields, notes)
        SELECT new.key, new.title, new.name, new.serial_number, new.tags, new.fields, new.notes
        FROM search_backlog AS old CROSS JOIN scoped AS new ON new.key = old.key
        """
      ).run()
      try db.statement("DELETE FROM search_backlog").run()
    }
    if lag.newest > lag.indexed {
      try db.statement(
        """
        INSERT INTO search (rowid, title, name, serial_number, tags, fields, notes)
        SELECT key, title, name, serial_number, tags, fields, notes FROM scoped WHERE key > ?1
        """
      ).bind(lag.indexed).run()
    }
  }

  /// Whether indexed rows were edited or deleted, the highest indexed key, and the highest key of all rows.
  private static func lag(
    in db: Connection
  ) throws(SQLiteError) -> (hasEdits: Bool, indexed: Int64, newest: Int64) {
    try db.statement(
      """
      SELECT EXISTS (SELECT 1 FROM search_backlog), (SELECT max(id) FROM search_docsize),
        (SELECT max(key) FROM row)
      """
    ).first { ($0.bool(0), $0.int64(1), $0.int64(2)) } ?? (false, 0, 0)
  }

  /// Checks the index of a database that no server uses. Returns what is wrong, or nil.
  ///
  /// The check is an INSERT that writes nothing: https://www.sqlite.org/fts5.html#the_integrity_check_command
  static func fault(in db: Connection) throws(SQLiteError) -> String? {
    let lag = try lag(in: db)
    if lag.hasEdits || lag.newest > lag.indexed {
      return "search: the index is behind the rows"
    }
    try db.execute("PRAGMA query_only = OFF")
    defer { try? db.execute("PRAGMA query_only = ON") }
    // The check takes the write lock for a moment.
    db.setBusyTimeout(milliseconds: 10_000)
    defer { db.setBusyTimeout(milliseconds: 0) }
    do throws(SQLiteError) {
      try db.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    } catch {
      guard error.isCorrupt else { throw error }
      return "search: the index and the rows disagree"
    }
    return nil
  }
}
