import Inventory
import SQL
import Synchronization
import Threads

/// A small pool of threads, each with its own connection, for reads of unbounded size.
///
/// One more thread watches their deadlines. It answers a read at its deadline, even if the read still waits for a
/// thread or its thread is stuck in a call.
final class LongReaders: Sendable {
  let queue: LongReadQueue<LongRead>
  private let threads: [WorkerThread]
  private let watch: WorkerThread
  /// The number of reader threads that have not ended.
  private let alive: Monitor<Int>
  private let isClosing: Flag
  private let configuration: DatabaseStore.Configuration
  private let bound: Int

  /// The maximum number of waiting reads.
  private static let capacity = 256
  /// The interval of progress checks, in instructions of SQLite's virtual machine: about a millisecond.
  private static let progressInterval: Int32 = 20_000
  /// How long `close` waits for threads that are in a call.
  private static let closingTime: Duration = .milliseconds(500)

  /// - Parameters:
  ///   - count: the number of threads.
  ///   - bound: the bound of the reads, as in `DatabaseSnapshot.bound`.
  ///   - patientLimit: the maximum number of reads of everything that run at a time.
  init(
    _ count: Int, patientLimit: Int = .max, medium: any StoreMedium,
    tree: SharedTree = SharedTree(),
    bound: Int = .max,
    _ configuration: DatabaseStore.Configuration
  ) throws(StoreOpeningError) {
    let queue = LongReadQueue<LongRead>(
      capacity: Self.capacity, holdTime: configuration.longReadDeadline / 2,
      patientLimit: patientLimit)
    let (isClosing, alive) = (Flag(), Monitor(count))
    self.queue = queue
    self.isClosing = isClosing
    self.alive = alive
    self.configuration = configuration
    self.bound = bound
    var threads: [WorkerThread] = []
    do throws(StoreOpeningError) {
      for _ in 0..<count {
        // Opened now, because later no descriptor may be left for it.
        threads.append(
          try WorkerThread(inStore: .background, using: try medium.openReader()) { db in
            db.memory = TreeMemory(tree, bound: bound)
            let reads = ServerReads()
            while queue.perform({ job in
              guard !isClosing.value else { return }
              // The connection keeps the progress check until the next job, so the check must not retain this job.
              let (isLate, isGone) = (job.isLate, job.isGone)
              db.setProgress(every: Self.progressInterval) {
                isClosing.value || isLate.value || isGone()
              }
              WorkerThread.returningMemory(of: { job.run(db, reads) })
            }) {}
            alive.withLock { $0 -= 1 }
            alive.wakeAll()
          })
      }
      watch = try WorkerThread(inStore: .normal) {
        while let late = queue.late() {
          for job in late {
            job.isLate.set()
            job.refuse(.deadlineExceeded)
          }
        }
      }
    } catch {
      queue.close()
      for thread in threads { thread.join() }
      throw error
    }
    self.threads = threads
  }

  /// - Parameter isPatient: whether it is a read of everything.
  func submit<Value: Sendable>(
    isPatient: Bool = false, as caller: Caller, for requester: Requester,
    _ body: @escaping @Sendable (DatabaseSnapshot) throws(InventoryError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) {
    let (isClosing, onStorageFailure) = (isClosing, configuration.onStorageFailure)
    let answer = AnswerOnce<Value> { result in
      switch result {
      case .failure(.deadlineExceeded) where isClosing.value: completion(.failure(.shuttingDown))
      case .failure(let error):
        if let failure = error.storageFailure { onStorageFailure(failure) }
        completion(result)
      case .success: completion(result)
      }
    }
    let isLate = Flag()
    let (now, bound) = (configuration.now, bound)
    let end = ContinuousClock.now + configuration.longReadDeadline
    let read = LongRead(
      isLate: isLate, isGone: requester.isGone,
      run: { db, reads in
        guard ContinuousClock.now < end, !isLate.value, !requester.isGone() else {
          answer.send(.failure(.deadlineExceeded))
          return
        }
        answer.send(
          Self.run(body, as: caller, at: Timestamp(now()), within: bound, on: db, reads))
      },
      refuse: { answer.send(.failure($0)) })
    do throws(InventoryError) {
      let given = try queue.push(
        read, isPatient: isPatient, for: requester, until: end,
        taking: configuration.everythingDeadline)
      for job in given { job.refuse(.overloaded) }
    } catch { answer.send(.failure(error)) }
  }

  /// Cancels waiting and running reads, and ends the threads. A thread that is stuck in a call remains until the
  /// process ends.
  func close() {
    isClosing.set()
    queue.close()
    watch.join()
    let haveEnded: Bool? = alive.wait(atMost: Self.closingTime) { $0 == 0 ? true : nil }
    for thread in threads { if haveEnded == true { thread.join() } else { thread.detach() } }
  }

  private static func run<Value>(
    _ body: (DatabaseSnapshot) throws(InventoryError) -> Value, as caller: Caller,
    at time: Timestamp, within bound: Int, on db: Connection, _ reads: ServerReads
  ) -> Result<Value, InventoryError> {
    defer { db.rollback() }
    return Result { () throws(InventoryError) in
      try db.takeSnapshot(for: caller, now: time, with: reads)
      return try body(DatabaseSnapshot(caller, in: db, bound: bound, lists: reads.lists))
    }
  }
}

/// One long read.
struct LongRead: Sendable {
  /// Whether it has missed its deadline. Its caller then gets `deadlineExceeded`.
  let isLate: Flag
  /// Whether its client is gone.
  let isGone: @Sendable () -> Bool
  let run: @Sendable (Connection, ServerReads) -> Void
  let refuse: @Sendable (InventoryError) -> Void
}

/// A flag that never becomes false again.
final class Flag: Sendable {
  private let flag = Atomic<Bool>(false)
  var value: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// Answers a read exactly once. A job that is released without an answer was cancelled.
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
