import FoundationEssentials
import Glibc
import Inventory
import SQL
@testable import Storage
import Support
import Synchronization

/// A store on a temporary file, with calls that wait for their answers.
final class OpenStore {
  let store: DatabaseStore
  private let session: any ReadSession

  init(
    shape: TreeShape = TreeShape(),
    configure: (inout DatabaseStore.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = DatabaseStore.Configuration(path: TestDatabase.temporary)
    configuration.shape = shape
    // A slow machine may take longer than is usual for it.
    configuration.longReadDeadline = .seconds(3_600)
    configuration.clockSettlingTime = .zero
    configure(&configuration)
    store = try DatabaseStore(configuration)
    session = try store.makeSession()
  }

  deinit {
    session.rest()
    store.close()
  }

  /// Waits until the search index has all rows.
  func awaitIndex() throws {
    let db = try connection()
    while try SearchIndex.rowsBehind(in: db) > 0 { usleep(1_000) }
  }

  func result(
    _ command: Command, as caller: Caller = .local, ifMatch: IfMatch? = nil
  ) -> Result<Outcome, InventoryError> {
    let answer = Answer<Outcome>()
    store.submit(command, WriteContext(caller: caller, requestID: "test", ifMatch: ifMatch)) {
      answer.give($0)
    }
    return answer.wait()
  }

  @discardableResult
  func write(_ command: Command, as caller: Caller = .local) throws -> Outcome {
    try result(command, as: caller).get()
  }

  @discardableResult
  func administer(
    _ action: Administration, as caller: Caller = .local
  ) throws -> Administration.Outcome {
    let answer = Answer<Administration.Outcome>()
    store.administer(action, as: caller) { answer.give($0) }
    return try answer.wait().get()
  }

  /// A new token's caller.
  func owner(_ name: String) throws -> Caller {
    let credential = Credential.random().credential
    try administer(.createToken(NewToken(credential: credential, name: name, role: .owner)))
    return Caller(role: .owner, name: name, token: credential.token)
  }

  /// Makes a first change, and runs `body` before it is answered. What the body submits waits for the writer together.
  /// Returns the answer to the first change.
  func holdingWriter(_ body: () -> Void) -> Result<Outcome, InventoryError> {
    let (isHeld, goOn) = (Awaited<Bool>(), Awaited<Bool>())
    let isFirst = Atomic<Bool>(true)
    store.onCommit {
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      isHeld.fulfill(true)
      _ = goOn.value
    }
    let first = Answer<Outcome>()
    store.submit(.setAppearance(.calm), WriteContext(caller: .local, requestID: "test")) {
      first.give($0)
    }
    _ = isHeld.value
    body()
    goOn.fulfill(true)
    return first.wait()
  }

  func readiness() -> Result<Void, InventoryError> {
    let answer = Answer<Void>()
    store.checkReadiness { answer.give($0) }
    return answer.wait()
  }

  func read<Value: Sendable>(
    _ cost: ReadCost = .bounded, as caller: Caller = .local,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) throws -> Value {
    let answer = Answer<Value>()
    if let result = session.read(cost, as: caller, body, later: { answer.give($0) }) {
      session.rest()
      return try result.get()
    }
    return try answer.wait().get()
  }

  /// The titles of a list's rows from `offset` on.
  func titles(of list: ListReference = .root, offset: Int = 0, limit: Int = 1_000) throws
    -> [String]
  {
    try read { (snapshot) throws(InventoryError) in
      var titles: [String] = []
      try snapshot.rows(
        of: list, PageWindow(start: .offset(offset), limit: limit), begin: { _, _ in true },
        visit: {
          titles.append($0.title)
          return true
        })
      return titles
    }
  }

  @discardableResult
  func addThing(
    _ name: String, to list: ListReference = .root, _ position: Position = .last
  ) throws -> ItemID {
    let id = ItemID(.version7())
    try write(
      .createItem(NewItem(id: id, details: ItemDetails(name: name)), in: list, position))
    return id
  }

  @discardableResult
  func addList(_ title: String, to parent: ListReference = .root) throws -> ListID {
    let id = ListID(.version7())
    try write(.createList(NewList(id: id, parent: parent, details: ListDetails(title: title))))
    return id
  }

  func addInventory(_ title: String) throws {
    let answer = Answer<Administration.Outcome>()
    let action = Administration.createInventory(
      id: InventoryID(.version7()), title: title)
    store.administer(action, as: .local) { answer.give($0) }
    _ = try answer.wait().get()
  }

  /// A navigator of two tabs; the first has the root list, another one and that list's details.
  @discardableResult
  func addNavigator(showing list: ListID, as caller: Caller = .local) throws -> NavigatorID {
    let id = NavigatorID(.version7())
    try write(
      .makeNavigator(id) { (snapshot) throws(InventoryError) in
        let root = try snapshot.list(.root).id
        let stack = [
          ScreenReference(.list(root)), ScreenReference(.list(list), mode: .edit),
          ScreenReference(.list(list), mode: .details, state: CustomFields(json: #"{"y":1.50}"#)),
        ]
        let about = [
          ScreenReference(.about),
          ScreenReference(
            .custom(name: "help", title: "Help"), prompt: "Drag rows.",
            trailing: TrailingButton(.done, title: "Start", isEnabled: false)),
          ScreenReference(.list(list), mode: .add, added: .car),
          ScreenReference(.photos(ItemID(.version7())), isMomentary: true),
        ]
        return NavigatorEdit(
          details: NavigatorDetails(
            name: "Phone",
            tabs: [
              Tab(id: TabID("a"), title: "Things", image: "house", stack: stack),
              Tab(id: TabID("b"), stack: about),
            ], selectedTab: TabID("b")),
          subjects: [:])
      }, as: caller)
    return id
  }

  /// A connection of the test's own to the file that the store has open; it waits for what the writer is at.
  func connection() throws -> Connection {
    guard !TestDatabase.isOnServer else { return try store.medium.openReader() }
    let connection = try Connection(path: store.path, mode: .readWrite)
    connection.setBusyTimeout(milliseconds: 600_000)
    return connection
  }
}

extension DatabaseStore {
  /// The violated invariants of the database.
  func findings(_ shape: TreeShape = TreeShape()) throws -> [String] {
    guard let file else { return try Database.check(path: configuration.path, shape: shape) }
    let db = try file.openReader()
    // Looking through the search index takes the lock that the writer's chores take, too.
    db.setBusyTimeout(milliseconds: 600_000)
    return try InvariantCheck(db: db, shape: shape, progress: { _, _ in }).findings()
  }
}

/// A result that one thread waits for and another gives.
final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, InventoryError>?>(nil)

  func give(_ given: Result<Value, InventoryError>) { result.withLock { $0 = given } }

  func wait() -> Result<Value, InventoryError> {
    StorageTests.wait { result.withLock { $0 } != nil }
    return result.withLock { $0 } ?? .failure(.shuttingDown)
  }
}

/// Waits for what the store's threads bring about, for ten minutes at most.
func wait(until isSo: () -> Bool) {
  let end = ContinuousClock.now + .seconds(600)
  while !isSo() {
    precondition(ContinuousClock.now < end, "The store has not answered for ten minutes.")
    // Those threads need the cores.
    usleep(50)
  }
}
