import SQLite

/// The index of words that searches look into; triggers note which texts it has to forget.
enum SearchIndex {
  /// Has the index merge its parts a little with each commit, and never all parts of a level in one commit.
  ///
  /// FTS5 merges a level at once where it has as many parts as `crisismerge` says, 16 by default, which takes the longer
  /// the larger the index is; `automerge` merges from 16 parts on, in proportion to what each commit writes:
  /// https://www.sqlite.org/fts5.html#the_crisismerge_configuration_option
  static func prepare(_ db: Connection) throws(SQLiteError) {
    let present = try db.statement("SELECT v FROM search_config WHERE k = 'crisismerge'")
      .first { $0.int(0) }
    guard present != partsOfLevel else { return }
    try db.statement("INSERT INTO search (search, rank) VALUES ('crisismerge', ?1)")
      .bind(Int64(partsOfLevel)).run()
  }

  private static let partsOfLevel = 256

  /// Brings the index up to date with what the transaction has changed. It belongs before each commit,
  /// outside of savepoints, at each of which the index would write its pages.
  static func catchUp(in db: Connection) throws(SQLiteError) {
    let lag = try lag(in: db)
    if lag.hasEdits {
      // An index that keeps no text is told what to forget:
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

  /// Whether rows that the index has were edited or deleted, the highest key that it has, and the
  /// highest that there is.
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

  /// What is wrong with the index in a database that nobody else uses; nil if nothing is.
  ///
  /// The check is an INSERT that writes nothing: https://www.sqlite.org/fts5.html#the_integrity_check_command
  static func fault(in db: Connection) throws(SQLiteError) -> String? {
    let lag = try lag(in: db)
    if lag.hasEdits || lag.newest > lag.indexed {
      return "search: the index is behind the rows"
    }
    try db.execute("PRAGMA query_only = OFF")
    defer { try? db.execute("PRAGMA query_only = ON") }
    // It takes the writer's lock for a moment.
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
