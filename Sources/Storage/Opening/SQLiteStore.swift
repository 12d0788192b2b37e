import FoundationEssentials
import Glibc
import Inventory
import SQLite
import Threads

/// The store on SQLite: one writer thread, readers on their own connections.
package final class SQLiteStore: Store {
  package struct Configuration: Sendable {
    /// A file, made if it is missing, or `:memory:` for one that goes with the process.
    package var path: String
    package var shape = TreeShape()
    /// Writes that may wait; more are `overloaded`.
    package var queueLimit = 1_024
    /// Bytes that the database file may grow to; beyond, writes that need more are `storageFull`.
    package var sizeLimit: Int?
    package var history = HistoryLimits()
    /// Seconds after which what was deleted is gone for good; 0: never.
    package var trashTime: Int64 = 30 * 86_400
    /// The time between two looks for work that nobody waits for.
    package var housekeepingInterval: Duration = .seconds(1)
    /// A group of writes that are committed together ends then, so that none waits long for its answer.
    package var groupDuration: Duration = .milliseconds(5)
    /// Pages of the WAL past which it is cut as soon as no reader is in it; until then nothing is written that
    /// nobody waits for, and long reads wait for each other's end.
    package var logCut = 16_000
    /// Steps past which a bounded read is made as a long one. One takes some microseconds.
    package var readBound = 500
    /// Threads. Of one caller's reads one export and one other run at a time, and one thread is left to others.
    package var longReaders = 3
    /// Rows of an import or a table that the writer makes as they come. Larger ones are worked out by a reader, and
    /// their new rows staged in pieces.
    package var rowsAtOnce = 100
    /// The lowest level for lists.
    package var depthLimit = DepthLimit.standard
    /// For a long read, from its submission on; also for the wait of one that reads everything.
    package var longReadDeadline: Duration = .seconds(10)
    /// For one that reads everything, from its beginning on: it keeps the WAL from being cut.
    package var everythingDeadline: Duration = .seconds(3_600)
    /// A list of more rows gets a new order in pieces out of sight; an undo before which more steps have to be looked at
    /// is worked out by a reader.
    package var orderBound = 1_000
    /// The entries in each of those pieces: the writer takes about two milliseconds for a thousand.
    package var orderPiece = 1_000
    package var now: @Sendable () -> Date = { WallClock.now }
    /// Called once, on the writer's thread, when the medium has failed: the process should end, and the
    /// next start recovers.
    package var onMediumFailure: @Sendable (StorageFailure) -> Void = { _ in }
    /// Called from any thread with what is wrong where a read or a write is answered `storageFailed` or
    /// `storageDamaged`, or the WAL cannot be copied into the database.
    package var onStorageFailure: @Sendable (StorageFailure) -> Void = { _ in }

    package init(path: String) { self.path = path }

    /// What the writer does while nothing else is to be done.
    var chores: [any Chore] {
      [
        TrashExpiry(seconds: trashTime), ReplacedInventoryCleanup(), PurgeQueue(),
        HistoryRetention(limits: history), IdempotencyExpiry(), PhotoChore(),
        NavigatorSweep(), ArrangementSweep(), FreePages(),
      ]
    }
  }

  private let onStorageFailure: @Sendable (StorageFailure) -> Void
  private let readBound: Int
  let tree: SharedTree
  let file: StoreFile
  let shape: TreeShape
  private let lock: StoreLock
  /// Whether the file was missing when this store opened it.
  private let isNew: Bool
  let queue: WorkQueue<PendingWrite.Turn, PendingWrite>
  let commits = CommitCounts()
  let published = CommitCounter()
  private let tokens = TokenDirectory()
  /// Those of the workers and of the planners.
  private let longReads: [LongReadQueue<LongRead>]
  let workers: LongReaders
  /// Works out what large imports, tables and new orders come to.
  let planners: LongReaders
  let rowsAtOnce: Int
  let now: @Sendable () -> Date
  private let writer: WorkerThread
  let photoReader: PhotoReader
  /// How the pieces of long work get into the writer's queue.
  let pieces = ConcurrencyLimiter(limit: 2)
  /// How the new orders of long lists get to the workers.
  let orders = ConcurrencyLimiter(limit: 1)
  let orderBound: Int
  let orderPiece: Int

  /// Where the database is.
  package var path: String { file.path }

  /// Opens the database, brings its schema up to date, and makes the default inventory in a new one.
  package init(_ configuration: Configuration) throws(StoreOpeningError) {
    let file = try StoreFile(path: configuration.path)
    lock = try StoreLock(database: file.path)
    isNew = !file.isThere
    let db = try file.openWriter()
    _ = try file.migrate(db)
    try file.prepareWriter(db, sizeLimit: configuration.sizeLimit)
    do throws(SQLiteError) {
      try PhotoSweep.discardUploads(in: db)
      try SearchIndex.prepare(db)
    } catch { throw .wrapping(error, path: file.path) }
    try EmptyInventory.makeIfNone(in: db, now: Timestamp(configuration.now()), path: file.path)
    do throws(StorageError) {
      try db.transaction(.immediate) { () throws(StorageError) in
        try TokenTable(db: db).removeOrphans()
      }
      try tokens.fill(from: db)
    } catch {
      throw .damaged(path: file.path, "\(error)")
    }
    do throws(StorageError) {
      try Staging.abandonAll(in: db)
      try Arrangement.abandonAll(in: db)
    } catch { throw .damaged(path: file.path, "\(error)") }
    let queue = WorkQueue<PendingWrite.Turn, PendingWrite>(capacity: configuration.queueLimit)
    let longReads = LongReadQueue<LongRead>(
      capacity: LongReaders.capacity, patience: configuration.longReadDeadline / 2,
      patientLimit: max(1, configuration.longReaders - 1))
    let plans = LongReadQueue<LongRead>(
      capacity: LongReaders.capacity, patience: configuration.longReadDeadline / 2)
    tree = SharedTree(depthLimit: configuration.depthLimit)
    do throws(StorageError) { db.memory = try TreeMemory(tree, writingTo: db) } catch {
      guard case .sqlite(let cause) = error else { throw .damaged(path: file.path, "\(error)") }
      throw .wrapping(cause, path: file.path)
    }
    let workers = try LongReaders(
      configuration.longReaders, longReads, file: file,
      LongReaders.Times(
        deadline: configuration.longReadDeadline, everything: configuration.everythingDeadline),
      tree: tree, onStorageFailure: configuration.onStorageFailure)
    planners = try LongReaders(
      1, plans, file: file,
      LongReaders.Times(
        deadline: configuration.longReadDeadline, everything: configuration.everythingDeadline),
      tree: tree, onStorageFailure: configuration.onStorageFailure)
    rowsAtOnce = configuration.rowsAtOnce
    now = configuration.now
    photoReader = try PhotoReader(file: file, onStorageFailure: configuration.onStorageFailure)
    let (published, tokens, commits) = (self.published, self.tokens, self.commits)
    let connection = Handover(db)
    writer = try WorkerThread(inStore: .normal) {
      guard let db = connection.take() else { return }
      Writer(
        db, queue: queue, published: published, tokens: tokens, commits: commits,
        longReads: [longReads, plans],
        file: file, configuration: configuration
      ).run()
    }
    onStorageFailure = configuration.onStorageFailure
    readBound = configuration.readBound
    self.file = file
    shape = configuration.shape
    orderBound = configuration.orderBound
    orderPiece = configuration.orderPiece
    self.queue = queue
    self.workers = workers
    self.longReads = [longReads, plans]
    sweepPhotos()
  }

  package func makeSession() throws(InventoryError) -> any ReadSession {
    do throws(StoreOpeningError) {
      let db = try file.openReader()
      db.memory = TreeMemory(tree, bound: min(readBound, TreeMemory.loopBound))
      return SQLiteSession(
        db, published: published, workers: workers, bound: readBound,
        onStorageFailure: onStorageFailure)
    } catch { throw error.inventoryError }
  }

  package func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    if let bulk = BulkCommand(command), !bulk.isSmall(atMost: rowsAtOnce) {
      return BulkWrite(bulk, context, self, completion: completion).start()
    }
    pushCommand(command, context, completion: completion)
  }

  func pushCommand(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    push(.command(command, context)) { [self] result in
      if case .failure(.boundExceeded) = result, LongOrder.takes(command) {
        return LongOrder(store: self, command: command, context: context, completion: completion)
          .begin()
      }
      completion(Self.outcome(result))
    }
  }

  static func outcome(
    _ result: Result<PendingWrite.Done, InventoryError>
  ) -> Result<Outcome, InventoryError> {
    guard case .success(.command(let outcome)) = result else { return .failure(refusal(result)) }
    return .success(outcome)
  }

  package func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void
  ) {
    push(.administration(action, caller)) { result in
      guard case .success(.administration(let outcome)) = result else {
        return completion(.failure(Self.refusal(result)))
      }
      completion(.success(outcome))
    }
  }

  private static func refusal(
    _ result: Result<PendingWrite.Done, InventoryError>
  ) -> InventoryError {
    switch result {
    case .failure(let error): error
    case .success: .storageFailed("a write of another kind was answered")
    }
  }

  package func caller(showing credential: Credential) -> Caller? {
    tokens.caller(showing: credential)
  }

  package func isGood(_ token: TokenID) -> Bool { tokens.has(token) }

  package var hasTokens: Bool { tokens.isClosed }

  package func onCommit(_ listener: @escaping @Sendable () -> Void) {
    published.add(listener)
  }

  package func checkReadiness(
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    push(.probe) { result in completion(result.map { _ in }) }
  }

  /// Has all long reads end in that time at the latest, those that begin later too: the server is about to stop.
  package func endLongReads(within time: Duration) {
    for queue in longReads { queue.end(by: .now + time) }
  }

  /// Has the writes that have not begun by then be refused.
  package func endWrites(within time: Duration) { queue.end(by: .now + time) }

  /// Finishes the writes that were submitted, gives up long reads, copies the WAL into the database,
  /// and ends the threads. Sessions must not be used any more.
  package func close() {
    queue.close()
    // Before the writer, whose last checkpoint waits for no reader.
    workers.close()
    planners.close()
    photoReader.close()
    writer.join()
    file.remove()
  }

  /// Closes the store, and removes the database if this store made it.
  package func discard() {
    close()
    // Still under the lock: no other process has it open.
    guard isNew else { return }
    StoreFile.remove(at: file.path)
    // Last, since another process may lock a new file from now on.
    unlink(file.path + ".lock")
  }

  /// What is not optional is taken in also where the queue is full.
  func push(
    _ work: PendingWrite.Work, isOptional: Bool = true,
    _ completion: @escaping @Sendable (Result<PendingWrite.Done, InventoryError>) -> Void
  ) {
    do throws(QueueRefusal) {
      let write = PendingWrite(work: work, completion: completion)
      try queue.push(write, for: write.turn, beyondCapacity: !isOptional)
    } catch {
      completion(.failure(error == .full ? .overloaded : .shuttingDown))
    }
  }
}

/// Hands a connection over to its thread, once. Whoever makes it does not use the connection any more.
final class Handover: @unchecked Sendable {
  // Sendable because it is filled before the thread starts and emptied by that thread alone.
  private var db: Connection?
  init(_ db: Connection) { self.db = db }

  func take() -> Connection? {
    defer { db = nil }
    return db
  }
}
