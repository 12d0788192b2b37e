#if PostgreSQL
  /// The limits of a connection to PostgreSQL.
  package struct PostgreSQLSettings: Sendable {
    /// How long a connection attempt may take.
    package var connectionTime: Duration = .seconds(5)
    /// How long a statement, a wait for a lock, or a pause within a transaction may take.
    package var statementTime: Duration = .seconds(10)
    /// How much longer the server may take to report that a statement took too long.
    package var graceTime: Duration = .seconds(5)
    /// Whether statements are prepared by name, and the session is expected to keep what it sets and listens to. A
    /// transaction pooler such as pgbouncer supports none of that.
    package var prepares = true

    package init() {}
  }
#endif
