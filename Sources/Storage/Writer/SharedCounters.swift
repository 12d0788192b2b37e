import Glibc
import SQL
import Synchronization

/// The counters in the table `store` of a PostgreSQL database. They tell each process what the others have written
/// since its last look, so that it forgets what it has cached.
///
/// A file has one process, which knows of all its writes. It has no such table.
struct SharedCounters: Equatable, Sendable {
  /// The number of transactions that wrote.
  var commits: Int64
  /// The number of those that moved or removed lists.
  var tree: Int64
  /// The number of those that changed tokens or invitations.
  var tokens: Int64

  /// The channel on which a process tells the others of a commit. It is only a hint; the counters count.
  static let channel = "rowhouse"

  init(_ row: Statement) {
    commits = row.int64(0)
    tree = row.int64(1)
    tokens = row.int64(2)
  }

  /// The counters in the open transaction.
  static func read(in db: Connection) throws(DatabaseError) -> SharedCounters {
    try found(
      db.statement("SELECT commits, tree, tokens FROM store").first { SharedCounters($0) })
  }

  fileprivate static func found<Value>(_ value: Value?) throws(DatabaseError) -> Value {
    guard let value else {
      throw DatabaseError(
        extendedCode: 1, message: "the table store has no row", context: "the counters")
    }
    return value
  }
}

/// A transaction that writes to a PostgreSQL database. It holds the row of `store` until its end, so that one writes at
/// a time and revisions have no holes.
struct SharedTurn {
  private(set) var counters: SharedCounters
  /// The server's number of the transaction.
  private let transaction: Int64

  /// How long to look for the outcome of a commit whose answer was lost.
  private static let searchTime: Duration = .seconds(5)

  /// Waits until no other transaction writes.
  init(in db: Connection) throws(DatabaseError) {
    let found = try db.statement(
      """
      SELECT commits, tree, tokens, CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)
      FROM store FOR UPDATE
      """
    ).first { (SharedCounters($0), $0.int64(3)) }
    (counters, transaction) = try SharedCounters.found(found)
  }

  /// Commits, and tells the other processes. Throws `isUnavailable` if the outcome is unknown. After other errors the
  /// transaction is rolled back.
  mutating func commit(
    changingTree: Bool, tokens changingTokens: Bool, in db: Connection
  ) throws(DatabaseError) {
    counters.commits += 1
    counters.tree += changingTree ? 1 : 0
    counters.tokens += changingTokens ? 1 : 0
    do throws(DatabaseError) {
      try db.commit(
        with: """
          UPDATE store SET commits = \(counters.commits), tree = \(counters.tree),
            tokens = \(counters.tokens)
          """,
        notifying: SharedCounters.channel)
    } catch {
      guard error.isUnavailable else { throw error }
      switch outcome(in: db) {
      case "committed": break
      case "aborted": throw error.ofRolledBackTransaction
      default: throw error
      }
    }
  }

  /// Asks the server, on a new connection, how the transaction ended. Nil if it does not answer in time.
  ///
  /// https://www.postgresql.org/docs/15/functions-info.html, pg_xact_status
  private func outcome(in db: Connection) -> String? {
    let end = ContinuousClock.now + Self.searchTime
    while ContinuousClock.now < end {
      let status: String? = try? {
        try db.begin(.deferred)
        defer { db.rollback() }
        return try db.statement("SELECT pg_xact_status(CAST(CAST(?1 AS TEXT) AS xid8))")
          .bind(transaction).first { $0.stringOrNil(0) } ?? nil
      }()
      // The old session may still be committing.
      if let status, status != "in progress" { return status }
      usleep(20_000)
    }
    return nil
  }
}

/// The newest counters that this process knows, from its own commits and from looks at the table.
final class KnownCounters: Sendable {
  private let known: Mutex<SharedCounters>

  init(_ counters: SharedCounters) { known = Mutex(counters) }

  var value: SharedCounters { known.withLock { $0 } }

  /// Takes over newer counters. Returns the counters before, or nil if these are not newer.
  @discardableResult
  func advance(to counters: SharedCounters) -> SharedCounters? {
    known.withLock { known in
      guard counters.commits > known.commits else { return nil }
      defer { known = counters }
      return known
    }
  }
}
