import Glibc
import Inventory
import Synchronization

/// A thread of its own for one transfer, so that no loop waits for it.
enum TransferThread {
  private final class Start {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// False if there can be no further thread.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(run))
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

/// A write's outcome that a thread waits for.
final class AwaitedOutcome: @unchecked Sendable {
  // Sendable because the semaphore is made for many threads, and its address never changes.
  private let semaphore: UnsafeMutablePointer<sem_t>
  private let result = Mutex<Result<Outcome, InventoryError>>(.failure(.shuttingDown))

  init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func give(_ given: Result<Outcome, InventoryError>) {
    result.withLock { $0 = given }
    sem_post(semaphore)
  }

  /// To be called once.
  func wait() -> Result<Outcome, InventoryError> {
    while sem_wait(semaphore) != 0 {}
    return result.withLock { $0 }
  }
}
