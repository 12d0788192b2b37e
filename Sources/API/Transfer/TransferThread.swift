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

/// What the store answers, for a thread that waits for it.
final class Awaited<Value: Sendable>: @unchecked Sendable {
  // Sendable because the semaphore is made for many threads, and its address never changes.
  private let semaphore: UnsafeMutablePointer<sem_t>
  private let result = Mutex<Result<Value, InventoryError>>(.failure(.shuttingDown))

  init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func give(_ given: Result<Value, InventoryError>) {
    result.withLock { $0 = given }
    sem_post(semaphore)
  }

  /// To be called once.
  func wait() -> Result<Value, InventoryError> {
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
