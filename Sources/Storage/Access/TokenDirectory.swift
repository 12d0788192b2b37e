import Inventory
import SQL
import Synchronization

/// The tokens and invitations in memory, because every request needs them. The writer refills it after each change of
/// them.
final class TokenDirectory: Sendable {
  private struct Entry {
    let digest: [UInt8]
    let token: Token
    let caller: Caller
    /// See `Token.use`.
    var lastUse: Timestamp?
  }

  private struct State {
    var entries: [TokenID: Entry] = [:]
    /// When each open invitation ends. Expired ones stay until the next change.
    var invitations: [InvitationCode: Timestamp] = [:]
    /// The tokens whose last use is not in the table yet.
    var used: Set<TokenID> = []
  }

  private let state = Mutex(State())
  private let hasTokensFlag = Atomic<Bool>(false)
  private let now: @Sendable () -> Timestamp

  init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

  /// See `Store.hasTokens`.
  var hasTokens: Bool { hasTokensFlag.load(ordering: .acquiring) }

  var count: Int { state.withLock { $0.entries.count } }

  func fill(from db: Connection) throws(StorageError) {
    var read: [TokenID: Entry] = [:]
    try TokenTable(db: db).each { token, digest, lastUse in
      read[token.id] = Entry(digest: digest, token: token, caller: token.caller, lastUse: lastUse)
    }
    let invitations = try InvitationTable(db: db).all()
    let (filled, hasTokens) = (read, try !TokenTable(db: db).isEmpty)
    state.withLock { state in
      let old = state.entries
      state.entries = filled
      state.invitations = invitations
      for id in state.used { state.entries[id]?.lastUse = old[id]?.lastUse }
    }
    hasTokensFlag.store(hasTokens, ordering: .releasing)
  }

  func caller(showing credential: Credential) -> Caller? {
    guard let entry = state.withLock({ $0.entries[credential.token] }),
      Credential.matches(entry.digest, credential.digest)
    else { return nil }
    let now = now()
    guard !entry.token.hasExpired(at: now) else { return nil }
    let use = Token.use(at: now)
    // Once an hour; the table has it later.
    if entry.lastUse.map({ $0 < use }) ?? true {
      state.withLock { state in
        state.entries[credential.token]?.lastUse = use
        state.used.insert(credential.token)
      }
    }
    return entry.caller
  }

  /// Whether a token is valid.
  func has(_ token: TokenID) -> Bool {
    guard let entry = state.withLock({ $0.entries[token] }) else { return false }
    return entry.token.expiresAt == nil || !entry.token.hasExpired(at: now())
  }

  /// Whether there is an invitation with this code that has not expired. Strangers ask this, so it must not reach the writer.
  func hasInvitation(_ code: InvitationCode) -> Bool {
    state.withLock { $0.invitations[code] }.map { $0 > now() } ?? false
  }

  func lastUse(of token: TokenID) -> Timestamp? { state.withLock { $0.entries[token]?.lastUse } }

  /// Takes some last uses that are not in the table yet. The caller writes them.
  func takeUses(atMost limit: Int) -> [(token: TokenID, time: Timestamp)] {
    state.withLock { state in
      var uses: [(TokenID, Timestamp)] = []
      for id in state.used.prefix(limit) {
        state.used.remove(id)
        if let time = state.entries[id]?.lastUse { uses.append((id, time)) }
      }
      return uses
    }
  }

  /// Forgets the uses that are not in the table, because it is restored to an earlier state.
  func forgetUses() { state.withLock { $0.used = [] } }
}
