import Glibc
import Inventory
import Synchronization

/// What the store answers, for a thread that waits for it.
package final class Awaited<Value: Sendable>: @unchecked Sendable {
  // Sendable because POSIX semaphores may be used by many threads, and its address never changes. It outlives `give`:
  // the waiting thread holds this object until `wait` returns, the giving one during its call.
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

  /// To be called once.
  package func wait() -> Result<Value, InventoryError> {
    while sem_wait(semaphore) != 0 {}
    return result.withLock { $0 }
  }
}

extension ReadSession {
  /// A bounded read, for a thread that waits.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) -> Result<Value, InventoryError> {
    let outcome = Awaited<Value>()
    let result = read(.bounded, body, later: { outcome.give($0) }) ?? outcome.wait()
    rest()
    return result
  }
}

extension Store {
  /// Submits a write, for a thread that waits.
  func submit(_ command: Command, _ context: WriteContext) -> Awaited<Outcome> {
    let outcome = Awaited<Outcome>()
    submit(command, context) { outcome.give($0) }
    return outcome
  }

  /// Stages a piece, for a thread that waits.
  func stage(_ piece: PhotoPiece, _ context: WriteContext) -> Awaited<Void> {
    let outcome = Awaited<Void>()
    stage(piece, context) { outcome.give($0) }
    return outcome
  }
}
