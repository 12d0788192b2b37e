import API
import Inventory
import Storage

/// A store for commands, which make one call at a time and wait for it.
struct SynchronousStore {
  private let store: DatabaseStore
  private var caller = Caller(role: .admin, name: "command line", grant: .unconditional)

  /// The store itself, for callers that wait for the completion of each call.
  var waited: any Store { store }
  var context: WriteContext { WriteContext(caller: caller, requestID: "command line") }

  init(_ store: DatabaseStore) { self.store = store }

  /// - Parameter isReading: whether the command only reads.
  init(path: String, isReading: Bool = false) throws(Failure) {
    self.init(try DatabaseStore.open(forCommand: path, isReading: isReading))
  }

  /// Chooses the inventory of `--inventory`, or the only one.
  ///
  /// - Throws: `usage` if there are several and none is named, or none has the id.
  mutating func chooseInventory(_ options: Options) throws(Failure) {
    let all: [InventoryDescription]
    do throws(InventoryError) {
      all = try read { (snapshot) throws(InventoryError) in try snapshot.inventories() }
    } catch { throw Failure(ExitCode(error), "The database cannot be read: \(error)") }
    let list = all.map { "\n  \($0.id)  \($0.title)" }.joined()
    guard let text = options.text("inventory") else {
      guard all.count == 1 else {
        throw Failure(
          .usage,
          "The database has \(all.count) inventories. Name one with --inventory ID:" + list)
      }
      return
    }
    guard let id = InventoryID(text: text), all.contains(where: { $0.id == id }) else {
      throw Failure(.usage, "--inventory: no inventory has this id. Name one of:" + list)
    }
    caller.inventory = id
  }

  func run(_ command: Command) -> Result<Outcome, InventoryError> {
    store.submit(command, context).wait()
  }

  /// Makes a change that must succeed.
  func make(_ command: Command) throws(Failure) {
    if case .failure(let error) = run(command) {
      throw Failure(ExitCode(error), error.sentence)
    }
  }

  /// Reads on one revision, with the deadline of a read of everything.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) throws(InventoryError) -> Value {
    try store.makeSession().read(.everything, as: caller, body).get()
  }

  func close() { store.close() }

  /// Closes the store, and removes the database if this store created it.
  func discard() { store.discard() }
}

extension DatabaseStore {
  /// Opens the database at a path for a command.
  ///
  /// - Parameter isReading: whether the command only reads. A backup then stays as it is.
  static func open(forCommand path: String, isReading: Bool) throws(Failure) -> DatabaseStore {
    let isBackup = Database.isBackup(path: path)
    var configuration = Configuration(command: path)
    configuration.isReadOnly = isBackup && isReading
    let store: DatabaseStore
    do throws(StoreOpeningError) { store = try DatabaseStore(configuration) } catch {
      throw Failure(error)
    }
    if isBackup, !isReading { Terminal.note(Remedy.forBackup(path)) }
    return store
  }
}

extension DatabaseStore.Configuration {
  /// For a command on the database at `path`. It has no limits, because a command does not know the server's.
  init(command path: String) {
    self.init(path: path)
    trashTime = 0
    history = HistoryLimits(count: 0, size: 0)
    // An export from a server with any --depth-limit must be importable.
    depthLimit = .largest
  }
}
