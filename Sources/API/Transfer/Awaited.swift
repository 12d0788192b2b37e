import Glibc
import Inventory
import Synchronization

/// A result of the store for a thread that waits for it.
package final class Awaited<Value: Sendable>: @unchecked Sendable {
  // Sendable: any thread may use a POSIX semaphore, and its address never changes. The waiting thread keeps this object
  // until `wait` returns, and the thread that calls `give` keeps it during the call.
  private let semaphore: UnsafeMutablePointer<sem_t>
  private let result = Mutex<Result<Value, InventoryError>>(.failure(.shuttingDown))

  package init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func give(_ given: Result<Value, InventoryError>) {
    result.withLock { $0 = given }
    sem_post(semaphore)
  }

  /// Waits for the result. Call it once.
  package func wait() -> Result<Value, InventoryError> {
    while sem_wait(semaphore) != 0 {}
    return result.withLock { $0 }
  }
}

extension ReadSession {
  /// Runs a read and waits for it.
  package func read<Value: Sendable>(
    _ cost: ReadCost = .bounded, as caller: Caller,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) -> Result<Value, InventoryError> {
    let outcome = Awaited<Value>()
    let result = read(cost, as: caller, body, later: { outcome.give($0) }) ?? outcome.wait()
    rest()
    return result
  }
}

extension Store {
  /// Submits a write whose result a thread can wait for.
  package func submit(_ command: Command, _ context: WriteContext) -> Awaited<Outcome> {
    let outcome = Awaited<Outcome>()
    submit(command, context) { outcome.give($0) }
    return outcome
  }

  /// Stages a piece of a photo. A thread can wait for the result.
  func stage(_ piece: PhotoPiece, _ context: WriteContext) -> Awaited<Void> {
    let outcome = Awaited<Void>()
    stage(piece, context) { outcome.give($0) }
    return outcome
  }
}
