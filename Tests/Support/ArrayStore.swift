import FoundationEssentials
import Inventory
import Synchronization

/// A store of plain arrays and dictionaries in memory: what every other store is compared with.
///
/// All of it happens at once, on the calling thread: a write's completion is called before `submit`
/// returns, and a read never answers later.
package final class ArrayStore: Store {
  /// The inventory that callers who name none are in.
  package let inventoryID: InventoryID
  let present: Mutex<ArrayState>
  let clock: @Sendable () -> Timestamp
  private let listeners = Mutex<[@Sendable () -> Void]>([])
  /// What the last read was declared to cost.
  package let lastCost = Mutex<ReadCost?>(nil)

  /// A store with an empty root list, such as `root` is, at `revision`.
  package init(
    inventoryID: InventoryID = InventoryID(.version7()), root: List = ArrayStore.emptyRoot(),
    revision: Revision = Revision(0),
    clock: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) }
  ) {
    self.inventoryID = inventoryID
    self.clock = clock
    present = Mutex(ArrayState(inventoryID: inventoryID, root: root, revision: revision))
  }

  private init(_ state: ArrayState, clock: @escaping @Sendable () -> Timestamp) {
    inventoryID = state.inventoryID
    self.clock = clock
    present = Mutex(state)
  }

  /// Another store that holds the same.
  package func copy() -> ArrayStore { ArrayStore(state, clock: clock) }

  package static func emptyRoot(
    id: ListID = ListID(.version7()), title: String = "Home", at time: Timestamp = Timestamp(Date())
  ) -> List {
    List(
      id: id, parentID: nil, itemID: nil, details: ListDetails(title: title), rowCount: 0,
      total: .zero, revision: Revision(0), createdAt: time, updatedAt: time)
  }

  package func makeSession() throws(InventoryError) -> any ReadSession { ArraySession(store: self) }

  package func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    let result = perform(command, context)
    for listener in listeners.withLock({ $0 }) { listener() }
    completion(result)
  }

  package func onCommit(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }

  /// Makes one change, whole or not at all.
  package func perform(
    _ command: Command, _ context: WriteContext
  ) -> Result<Outcome, InventoryError> {
    let now = clock()
    return present.withLock { state in
      do throws(InventoryError) {
        if case .abandonImport = command {
        } else {
          try state.requireGrant(of: context.caller, at: now)
        }
        if let first = try Self.kept(for: context.retry, in: state, at: now) {
          let receipt = Receipt(revision: Revision(0), isChanged: false)
          return .success(Outcome(receipt: receipt, kept: first))
        }
        if let step = context.sync {
          return .success(try state.once(step, command, context, at: now))
        }
        var change = ArrayChange(of: state, context, at: now, doing: command.action)
        var outcome = try change.run(command)
        guard !context.isDryRun else { return .success(outcome) }
        state = change.state
        if let retry = context.retry, !command.isRecall {
          let bytes = retry.encode(outcome)
          state.answers[.init(scope: retry.scope, key: retry.key)] = .init(
            fingerprint: retry.fingerprint, bytes: bytes, at: now)
          outcome.kept = StoredResponse(bytes: bytes, isReplayed: false)
        }
        return .success(outcome)
      } catch {
        return .failure(error)
      }
    }
  }

  package func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void
  ) {
    let now = clock()
    let result: Result<Administration.Outcome, InventoryError> = present.withLock { state in
      do throws(InventoryError) {
        return .success(try state.administer(action, as: caller, at: now))
      } catch {
        return .failure(error)
      }
    }
    for listener in listeners.withLock({ $0 }) { listener() }
    completion(result)
  }

  package func caller(showing credential: Credential) -> Caller? {
    let known = state.tokens.first { $0.token.id == credential.token }
    guard let known, known.digest == credential.digest, !known.token.hasExpired(at: clock()) else {
      return nil
    }
    present.withLock { $0.uses[known.token.id] = Token.use(at: clock()) }
    return known.token.caller
  }

  package func isGood(_ token: TokenID) -> Bool {
    state.tokens.contains { $0.token.id == token && !$0.token.hasExpired(at: clock()) }
  }

  package func lastUse(of token: TokenID) -> Timestamp? { state.uses[token] }

  package func hasInvitation(_ code: InvitationCode) -> Bool {
    state.invitations.contains { $0.code == code && $0.acceptBy > clock() }
  }

  package var hasTokens: Bool { state.hasTokens }

  /// The answer to the first write with the same key.
  private static func kept(
    for retry: IdempotentRequest?, in state: ArrayState, at now: Timestamp
  ) throws(InventoryError) -> StoredResponse? {
    guard let retry, let first = state.answers[.init(scope: retry.scope, key: retry.key)],
      now.seconds - first.at.seconds < IdempotentRequest.lifetime
    else { return nil }
    guard first.fingerprint == retry.fingerprint else { throw .idempotencyKeyReused }
    return StoredResponse(bytes: first.bytes, isReplayed: true)
  }

  package func checkReadiness(
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    completion(.success(()))
  }

  var state: ArrayState { present.withLock { $0 } }
}

/// Reads of an `ArrayStore`: at once, from a copy.
private final class ArraySession: ReadSession {
  private let store: ArrayStore
  init(store: ArrayStore) { self.store = store }

  func read<Value: Sendable>(
    _ cost: ReadCost, as caller: Caller, for requester: Requester,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>? {
    store.lastCost.withLock { $0 = cost }
    do throws(InventoryError) {
      return .success(try body(ArraySnapshot(of: caller, store.state)))
    } catch {
      return .failure(error)
    }
  }

  func rest() {}
}
