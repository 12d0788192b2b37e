import Inventory
import SQL

/// What the reads on one connection to a server have found out. It need not be asked again until another commit.
final class ServerReads {
  /// The lists of the state that the open transaction shows.
  private(set) var lists = ListCache()
  /// The connection's session to which all this belongs. Another one may see a database that was recovered to an
  /// earlier state.
  private var session = 0
  /// The grants that are valid, and when they end; nil for never. They hold until the counter of token changes moves.
  private var grants: [Caller.Grant: Timestamp?] = [:]
  private var tokens: Int64 = 0

  /// The maximum number of grants.
  private static let limit = 64

  /// Switches to the state of a new transaction.
  func turn(to counters: SharedCounters, in session: Int) {
    if session != self.session {
      self.session = session
      lists = ListCache()
      grants = [:]
    }
    if counters.tokens != tokens {
      tokens = counters.tokens
      grants = [:]
    }
    lists.turn(to: UInt64(counters.commits))
  }

  /// Does what `TokenTable.requireGrant` does.
  func requireGrant(of caller: Caller, now: Timestamp, in db: Connection) throws(StorageError) {
    if let end = grants[caller.grant], end.map({ $0 > now }) ?? true { return }
    let end = try TokenTable(db: db).requireGrant(of: caller, now: now)
    if grants.count >= Self.limit { grants = [:] }
    grants.updateValue(end, forKey: caller.grant)
  }
}
