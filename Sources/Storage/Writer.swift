import FoundationEssentials
import Glibc
import Inventory
import SQLite
import Synchronization

/// A write that waits for its turn.
struct PendingWrite: Sendable {
  enum Work: Sendable {
    case command(Command, WriteContext)
    /// Asks whether the writer is there and able.
    case probe
  }
  let work: Work
  let completion: @Sendable (Result<Outcome?, InventoryError>) -> Void
}

/// The single writer: takes what waits, runs it in one transaction, commits once for all, and answers.
///
/// Lives on the store's writer thread.
final class Writer {
  private let db: Connection
  private let queue: WorkQueue<PendingWrite>
  private let published: CommitCounter
  private let shape: TreeShape
  private let file: StoreFile
  private let now: @Sendable () -> Date
  private let onFailure: @Sendable (InventoryError) -> Void
  private var commitsSinceCheck = 0

  /// A group ends here, so that nobody waits long for its commit.
  private static let groupLimit = 512
  private static let groupDuration: Duration = .milliseconds(5)
  /// Beyond this the WAL is cut; in bytes.
  private static let walLimit: Int64 = 64 << 20

  init(
    _ db: Connection, queue: WorkQueue<PendingWrite>, published: CommitCounter, shape: TreeShape,
    file: StoreFile, now: @escaping @Sendable () -> Date,
    onFailure: @escaping @Sendable (InventoryError) -> Void
  ) {
    self.db = db
    self.queue = queue
    self.published = published
    self.shape = shape
    self.file = file
    self.now = now
    self.onFailure = onFailure
  }

  /// Works until the queue is closed and empty, or the medium fails; then refuses what is left.
  func run() {
    var failure: InventoryError?
    while let first = queue.pop() {
      if let failure {
        first.completion(.failure(failure))
        continue
      }
      do throws(InventoryError) {
        try write(groupStartingWith: first)
      } catch {
        // After a failed sync SQLite would go on and accept commits that may never reach the disk.
        failure = error
        onFailure(error)
      }
    }
    if failure == nil { tidyUp() }
  }

  private typealias Answer = (write: PendingWrite, result: Result<Outcome?, InventoryError>)

  /// Throws only what ends the writer; everything else is answered.
  private func write(groupStartingWith first: PendingWrite) throws(InventoryError) {
    var group: [Answer] = []
    var isBroken = false
    let start = ContinuousClock.now
    do throws(SQLiteError) {
      try db.begin(.immediate)
    } catch {
      first.completion(.failure(StorageError.sqlite(error).inventoryError))
      return
    }
    var next: PendingWrite? = first
    while let write = next {
      group.append((write, perform(write)))
      // Some errors roll the whole transaction back, a full disk among them:
      // https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
      isBroken = db.isAutocommit
      if isBroken || group.count >= Self.groupLimit || start.duration(to: .now) > Self.groupDuration
      {
        break
      }
      next = queue.popIfAny()
    }
    if !isBroken {
      do throws(SQLiteError) {
        try commit()
        answer(group)
        return
      } catch {
        db.rollback()
        guard error.isFull else {
          for (write, _) in group { write.completion(.failure(.outcomeUnknown)) }
          throw .outcomeUnknown
        }
      }
    }
    // Nothing of the group is there: each gets a transaction of its own, and only those that fail
    // again are refused.
    for (write, _) in group { try writeAlone(write) }
  }

  private func writeAlone(_ write: PendingWrite) throws(InventoryError) {
    var result: Result<Outcome?, InventoryError>
    do throws(SQLiteError) {
      try db.begin(.immediate)
      result = perform(write)
      if db.isAutocommit {
        if case .success = result { result = .failure(.storageFull) }
      } else {
        try commit()
      }
    } catch {
      db.rollback()
      guard error.isFull else {
        write.completion(.failure(.outcomeUnknown))
        throw .outcomeUnknown
      }
      result = .failure(.storageFull)
    }
    write.completion(result)
  }

  private func perform(_ write: PendingWrite) -> Result<Outcome?, InventoryError> {
    guard case .command(let command, let context) = write.work else { return .success(nil) }
    do throws(StorageError) {
      return .success(
        try db.savepoint { () throws(StorageError) in
          let change = try Change(context, in: db, shape: shape, now: Timestamp(now()))
          return try CommandRunner(change).run(command)
        })
    } catch {
      return .failure(error.inventoryError)
    }
  }

  private func commit() throws(SQLiteError) {
    try db.commit()
    // Before any answer: a client that has its answer must read its own write.
    published.advance()
    commitsSinceCheck += 1
    if commitsSinceCheck >= 256 {
      commitsSinceCheck = 0
      cutWAL()
    }
  }

  private func answer(_ group: [Answer]) {
    for (write, result) in group { write.completion(result) }
  }

  private func cutWAL() {
    var status = stat()
    guard stat(file.path + "-wal", &status) == 0, Int64(status.st_size) > Self.walLimit else {
      return
    }
    // With no busy timeout it gives up at once where a reader is still in the WAL.
    _ = try? db.checkpoint(.truncate)
  }

  private func tidyUp() {
    try? db.execute("PRAGMA optimize")
    _ = try? db.checkpoint(.truncate)
  }
}
