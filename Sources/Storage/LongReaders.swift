import Inventory
import SQLite

/// A small pool of threads, each with its own connection, for reads whose size nobody bounds.
final class LongReaders: Sendable {
  private typealias Job = @Sendable (Connection) -> Void
  private let queue: WorkQueue<Job>
  private let threads: [StoreThread]

  /// In reads that wait.
  private static let capacity = 256
  /// In instructions of SQLite's virtual machine: about a millisecond's worth.
  private static let progressInterval: Int32 = 20_000

  init(
    _ count: Int, file: StoreFile, deadline: Duration
  ) throws(StoreOpeningError) {
    let queue = WorkQueue<Job>(capacity: Self.capacity)
    self.queue = queue
    var threads: [StoreThread] = []
    for _ in 0..<count {
      threads.append(
        try StoreThread {
          var db: Connection?
          while let job = queue.pop() {
            // A reader that cannot be opened now may be later.
            if db == nil { db = try? file.openReader() }
            guard let db else { continue }
            let end = ContinuousClock.now + deadline
            db.setProgress(every: Self.progressInterval) { ContinuousClock.now > end }
            job(db)
          }
        })
    }
    self.threads = threads
  }

  func submit<Value: Sendable>(
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) {
    let answer = AnswerOnce(completion)
    do throws(WorkQueue<Job>.Refusal) {
      try queue.push { db in answer.send(Self.run(body, on: db)) }
    } catch {
      answer.send(.failure(error == .full ? .overloaded : .shuttingDown))
    }
  }

  /// Lets what waits finish, then ends the threads.
  func close() {
    queue.close()
    for thread in threads { thread.join() }
  }

  private static func run<Value>(
    _ body: (any Snapshot) throws(InventoryError) -> Value, on db: Connection
  ) -> Result<Value, InventoryError> {
    do throws(SQLiteError) {
      try db.begin(.deferred)
    } catch { return .failure(StorageError.sqlite(error).inventoryError) }
    defer { db.rollback() }
    do throws(InventoryError) {
      return .success(try body(SQLiteSnapshot(db: db)))
    } catch { return .failure(error) }
  }
}

/// Answers a read exactly once: with a failure if the job is dropped unanswered.
private final class AnswerOnce<Value: Sendable>: Sendable {
  private let completion: @Sendable (Result<Value, InventoryError>) -> Void
  private let isSent = IsSent()

  init(_ completion: @escaping @Sendable (Result<Value, InventoryError>) -> Void) {
    self.completion = completion
  }

  deinit { send(.failure(.storageFailed("no connection for a long read"))) }

  func send(_ result: Result<Value, InventoryError>) {
    if isSent.setOnce() { completion(result) }
  }
}
