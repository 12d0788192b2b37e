import Inventory
import SQLite
import Synchronization

/// A small pool of threads, each with its own connection, for reads whose size nobody bounds.
final class LongReaders: Sendable {
  private let queue: LongReadQueue<LongRead>
  private let threads: [StoreThread]
  private let deadline: Duration
  private let isClosing: Closing
  private let onFault: @Sendable (StoreFault) -> Void

  /// In reads that wait.
  static let capacity = 256
  /// In instructions of SQLite's virtual machine: about a millisecond's worth.
  private static let progressInterval: Int32 = 20_000

  /// - Parameter deadline: from the submission to the answer, the wait for a thread included.
  init(
    _ count: Int, _ queue: LongReadQueue<LongRead>, file: StoreFile, deadline: Duration,
    onFault: @escaping @Sendable (StoreFault) -> Void
  ) throws(StoreOpeningError) {
    let isClosing = Closing()
    self.queue = queue
    self.deadline = deadline
    self.isClosing = isClosing
    self.onFault = onFault
    var threads: [StoreThread] = []
    for _ in 0..<count {
      threads.append(
        try StoreThread {
          var db: Connection?
          while queue.perform({ job in
            guard !isClosing.value else { return }
            do throws(StoreOpeningError) {
              // A reader that cannot be opened now may be later.
              if db == nil { db = try file.openReader() }
            } catch {
              job.refuse(error.inventoryError)
            }
            guard let db else { return }
            // What the connection keeps until the next job comes is to hold nothing of this one.
            let end = job.end
            db.setProgress(every: Self.progressInterval) {
              isClosing.value || end.map { ContinuousClock.now > $0 } ?? false
            }
            job.run(db)
          }) {}
        })
    }
    self.threads = threads
  }

  /// - Parameter isPatient: whether the deadline is for the wait alone, and not for the read.
  func submit<Value: Sendable>(
    isPatient: Bool = false,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) {
    let (isClosing, onFault) = (isClosing, onFault)
    let answer = AnswerOnce<Value> { result in
      switch result {
      case .failure(.deadlineExceeded) where isClosing.value: completion(.failure(.shuttingDown))
      case .failure(let error):
        if let fault = error.fault { onFault(fault) }
        completion(result)
      case .success: completion(result)
      }
    }
    let end = ContinuousClock.now + deadline
    do throws(WorkQueue<LongRead>.Refusal) {
      try queue.push(
        LongRead(
          end: isPatient ? nil : end,
          run: { db in
            guard ContinuousClock.now < end else {
              answer.send(.failure(.deadlineExceeded))
              return
            }
            answer.send(Self.run(body, on: db))
          },
          refuse: { answer.send(.failure($0)) }), isPatient: isPatient)
    } catch {
      answer.send(.failure(error == .full ? .overloaded : .shuttingDown))
    }
  }

  /// Gives up what waits and what is running, and ends the threads.
  func close() {
    isClosing.set()
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

/// One long read.
struct LongRead: Sendable {
  /// Nil: it takes as long as it needs.
  let end: ContinuousClock.Instant?
  let run: @Sendable (Connection) -> Void
  let refuse: @Sendable (InventoryError) -> Void
}

/// Whether the pool is to end.
private final class Closing: Sendable {
  private let flag = Atomic<Bool>(false)
  var value: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// Answers a read exactly once: a job that is dropped unanswered was given up.
private final class AnswerOnce<Value: Sendable>: Sendable {
  private let completion: @Sendable (Result<Value, InventoryError>) -> Void
  private let isSent = Atomic<Bool>(false)

  init(_ completion: @escaping @Sendable (Result<Value, InventoryError>) -> Void) {
    self.completion = completion
  }

  deinit { send(.failure(.shuttingDown)) }

  func send(_ result: Result<Value, InventoryError>) {
    if !isSent.exchange(true, ordering: .relaxed) { completion(result) }
  }
}
