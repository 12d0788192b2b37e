import Dispatch
import Inventory
import Storage
import Synchronization

/// A store for commands that do one thing after another and wait for each.
struct SynchronousStore {
  private let store: SQLiteStore
  private let caller = Caller(role: .admin, name: "command line")

  init(path: String) throws(Failure) {
    do throws(StoreOpeningError) {
      store = try SQLiteStore(SQLiteStore.Configuration(path: path))
    } catch { throw Failure(error) }
  }

  func run(_ command: Command) -> Result<Outcome, InventoryError> {
    let answer = Answer()
    store.submit(command, WriteContext(caller: caller, requestID: "command line")) {
      answer.give($0)
    }
    return answer.wait()
  }

  func close() { store.close() }

  private final class Answer: Sendable {
    private let isGiven = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Outcome, InventoryError>>(.failure(.shuttingDown))

    func give(_ given: Result<Outcome, InventoryError>) {
      result.withLock { $0 = given }
      isGiven.signal()
    }

    func wait() -> Result<Outcome, InventoryError> {
      isGiven.wait()
      return result.withLock { $0 }
    }
  }
}
