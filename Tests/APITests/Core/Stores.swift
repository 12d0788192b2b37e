import Inventory
import Support
import Synchronization

/// A store that answers every read later, as one behind a network would.
final class LaterStore: StoreInFront {
  let store: ArrayStore
  /// For whom it has read.
  let turns = Mutex<Set<Requester.Turn?>>([])

  init(_ store: ArrayStore) { self.store = store }

  func makeSession() throws(InventoryError) -> any ReadSession {
    Session(of: self, session: try store.makeSession())
  }

  func checkReadiness(completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void) {
    completion(.failure(.storageFull))
  }

  private final class Session: ReadSession {
    private let store: LaterStore
    private let session: any ReadSession

    init(of store: LaterStore, session: any ReadSession) {
      self.store = store
      self.session = session
    }

    func read<Value: Sendable>(
      _ cost: ReadCost, as caller: Caller, for requester: Requester,
      _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
      later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
    ) -> Result<Value, InventoryError>? {
      store.turns.withLock { _ = $0.insert(requester.turn) }
      if let result = session.read(cost, as: caller, for: requester, body, later: later) {
        later(result)
      }
      return nil
    }

    func rest() { session.rest() }
  }
}

/// A store whose reads all wait until they are let go on, while a flag is set.
final class HeldReadStore: StoreInFront {
  let store: ArrayStore
  private let held = Mutex<[@Sendable () -> Void]>([])
  private let isHolding: Atomic<Bool>

  init(_ store: ArrayStore = ArrayStore(), isHolding: Bool = true) {
    self.store = store
    self.isHolding = Atomic(isHolding)
  }

  func setIsHolding(_ value: Bool) { isHolding.store(value, ordering: .relaxed) }

  /// Does all reads that wait; how many they were.
  func letGo() -> Int {
    let reads = held.withLock { held in
      defer { held = [] }
      return held
    }
    for read in reads { read() }
    return reads.count
  }

  func makeSession() throws(InventoryError) -> any ReadSession { Session(of: self) }

  private final class Session: ReadSession {
    private let store: HeldReadStore
    init(of store: HeldReadStore) { self.store = store }

    func read<Value: Sendable>(
      _ cost: ReadCost, as caller: Caller, for requester: Requester,
      _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
      later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
    ) -> Result<Value, InventoryError>? {
      let store = store.store
      @Sendable func result() -> Result<Value, InventoryError>? {
        do throws(InventoryError) {
          return try store.makeSession()
            .read(cost, as: caller, for: requester, body, later: later)
        } catch { return .failure(error) }
      }
      guard self.store.isHolding.load(ordering: .relaxed) else { return result() }
      self.store.held.withLock { held in
        held.append { if let result = result() { later(result) } }
      }
      return nil
    }

    func rest() {}
  }
}

/// A store that refuses every write for one reason.
final class RefusingStore: StoreInFront {
  let store: ArrayStore
  private let error: InventoryError

  init(_ error: InventoryError, reading store: ArrayStore = ArrayStore()) {
    self.error = error
    self.store = store
  }

  func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    completion(.failure(error))
  }

  func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    completion(.failure(error))
  }

  func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void
  ) {
    completion(.failure(error))
  }

  func checkReadiness(completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void) {
    completion(.failure(error))
  }
}

/// A store whose reads fail while a flag is set, at once or later.
final class FailingReadStore: StoreInFront {
  let store: ArrayStore
  private let isLater: Bool
  private let fails = Atomic<Bool>(false)

  init(_ store: ArrayStore, isLater: Bool) {
    self.store = store
    self.isLater = isLater
  }

  func setFails(_ value: Bool) { fails.store(value, ordering: .relaxed) }

  func makeSession() throws(InventoryError) -> any ReadSession {
    Session(store: self, session: try store.makeSession())
  }

  private final class Session: ReadSession {
    private let store: FailingReadStore
    private let session: any ReadSession

    init(store: FailingReadStore, session: any ReadSession) {
      self.store = store
      self.session = session
    }

    func read<Value: Sendable>(
      _ cost: ReadCost, as caller: Caller, for requester: Requester,
      _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
      later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
    ) -> Result<Value, InventoryError>? {
      guard store.fails.load(ordering: .relaxed) else {
        return session.read(cost, as: caller, for: requester, body, later: later)
      }
      let failure: Result<Value, InventoryError> = .failure(.storageFailed("The disk is away."))
      guard store.isLater else { return failure }
      later(failure)
      return nil
    }

    func rest() { session.rest() }
  }
}

/// A store that keeps the answers to staged pieces, and to reads of photos, until a test releases them.
final class HeldStore: StoreInFront {
  let store: ArrayStore
  /// Each answers with an error instead, if it gets one.
  private let held = Mutex<[@Sendable (InventoryError?) -> Void]>([])
  init(_ store: ArrayStore) { self.store = store }

  /// Gives the answers that are there; how many they were.
  @discardableResult
  func release() -> Int {
    let answers = held.withLock { held in
      defer { held = [] }
      return held
    }
    for answer in answers { answer(nil) }
    return answers.count
  }

  /// Gives so many of the answers that are there, as if each were this error.
  func release(_ count: Int, as error: InventoryError) {
    let answers = held.withLock { held in
      defer { held.removeFirst(count) }
      return held.prefix(count)
    }
    for answer in answers { answer(error) }
  }

  func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    store.stage(piece, context) { result in
      self.held.withLock { $0.append { completion($0.map { .failure($0) } ?? result) } }
    }
  }

  func readPhoto(
    _ photo: PhotoID, addedBy revision: Revision?, _ rendition: RenditionSize?,
    _ bytes: Range<Int>, for caller: Caller,
    completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void
  ) {
    store.readPhoto(photo, addedBy: revision, rendition, bytes, for: caller) { result in
      self.held.withLock { $0.append { completion($0.map { .failure($0) } ?? result) } }
    }
  }
}
