import Inventory
import SQLite
import Synchronization

/// The tokens in memory, because every request needs them. The writer refills it after each change of them.
final class TokenDirectory: Sendable {
  private struct Entry {
    let digest: [UInt8]
    let caller: Caller
  }

  private let entries = Mutex<[TokenID: Entry]>([:])
  private let demandsTokens = Atomic<Bool>(false)

  /// Whether requests need a token: the server has one, or lost the last one with its list or by an owner's revocation.
  var isClosed: Bool { demandsTokens.load(ordering: .acquiring) }

  var count: Int { entries.withLock { $0.count } }

  func fill(from db: Connection) throws(StorageError) {
    var read: [TokenID: Entry] = [:]
    try TokenTable(db: db).each { token, digest in
      read[token.id] = Entry(digest: digest, caller: token.caller)
    }
    let (filled, isClosed) = (read, try !TokenTable(db: db).isEmpty)
    entries.withLock { $0 = filled }
    demandsTokens.store(isClosed, ordering: .releasing)
  }

  func caller(showing credential: Credential) -> Caller? {
    guard let entry = entries.withLock({ $0[credential.token] }),
      Credential.matches(entry.digest, credential.digest)
    else { return nil }
    return entry.caller
  }

  /// Whether a token is valid.
  func has(_ token: TokenID) -> Bool { entries.withLock { $0[token] != nil } }
}
