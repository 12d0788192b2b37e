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

  /// The counters, once no other transaction writes. Until the end of this one, no other can write.
  static func lock(in db: Connection) throws(DatabaseError) -> SharedCounters {
    try found(
      db.statement("SELECT commits, tree, tokens FROM store FOR UPDATE").first {
        SharedCounters($0)
      })
  }

  /// Throws if a newer program has updated the schema. This process is then not ready, and gets no more requests from a
  /// load balancer.
  static func requireKnownSchema(in db: Connection) throws(StorageError) {
    #if PostgreSQL
      let newest = try db.sql("SELECT max(number) FROM migration").one { $0.int(0) } ?? 0
      guard newest <= Schema.serverMigrator.migrations.count else {
        throw .refused(.storageFailed("A newer program has updated the schema of the database."))
      }
    #endif
  }

  private static func found(_ counters: SharedCounters?) throws(DatabaseError) -> SharedCounters {
    guard let counters else {
      throw DatabaseError(
        extendedCode: 1, message: "the table store has no row", context: "the counters")
    }
    return counters
  }
}

/// A transaction that writes to a PostgreSQL database. It holds the row of `store` until its end, so that one writes at
/// a time and revisions have no holes.
struct SharedTurn {
  private(set) var counters: SharedCounters
  /// The id of the process's writer, in hexadecimal digits.
  private let writer: String

  /// How long to look for the outcome of a commit whose answer was lost.
  private static let searchTime: Duration = .seconds(5)

  /// Waits until no other transaction writes.
  init(of writer: String, in db: Connection) throws(DatabaseError) {
    self.writer = writer
    counters = try SharedCounters.lock(in: db)
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
            tokens = \(counters.tokens);
          INSERT INTO writer (id, commits) VALUES ('\\x\(writer)', \(counters.commits))
          ON CONFLICT (id) DO UPDATE SET commits = excluded.commits
          """,
        notifying: SharedCounters.channel)
    } catch {
      guard error.isUnavailable else { throw error }
      switch isCommitted(in: db) {
      case true?: break
      case false?: throw error.ofRolledBackTransaction
      case nil: throw error
      }
    }
  }

  /// Looks for the writer's last commit, on a new connection. Nil if the server does not answer in time.
  ///
  /// The old session may still be committing. It then still holds the row of `store`, so this function waits for it.
  /// PostgreSQL's transaction id cannot identify the commit: after a crash, PostgreSQL may assign the same id again.
  ///
  /// This function commits too, and so waits for a synchronous standby. Otherwise a commit that no standby has could
  /// count as done, and be lost with the server.
  private func isCommitted(in db: Connection) -> Bool? {
    let end = ContinuousClock.now + Self.searchTime
    while ContinuousClock.now < end {
      do throws(DatabaseError) {
        let last = try db.transaction(.immediate) { () throws(DatabaseError) in
          _ = try SharedCounters.lock(in: db)
          return try db.prepare("SELECT commits FROM writer WHERE id = '\\x\(writer)'")
            .first { $0.int64(0) }
        }
        return last == counters.commits
      } catch {}
      usleep(20_000)
    }
    return nil
  }
}

/// The newest counters that this process knows, from its own commits and from looks at the table.
final class KnownCounters: Sendable {
  private let known: Mutex<SharedCounters>
  /// The id of this process's writer in the table `writer`, in hexadecimal digits.
  let writer: String

  init(_ counters: SharedCounters) {
    known = Mutex(counters)
    writer = (0..<16).map { _ in String(UInt16.random(in: 0x100...0x1ff), radix: 16).suffix(2) }
      .joined()
  }

  var value: SharedCounters { known.withLock { $0 } }

  /// Takes over newer counters. Returns false if these are not newer.
  @discardableResult
  func advance(to counters: SharedCounters) -> Bool {
    known.withLock { known in
      guard counters.commits > known.commits else { return false }
      known = counters
      return true
    }
  }
}
