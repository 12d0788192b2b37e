import FoundationEssentials
import Glibc
import Inventory
import SQL
import Synchronization
import Threads

/// The store in a database: one writer thread, and readers with their own connections.
package final class DatabaseStore: Store {
  package struct Configuration: Sendable {
    /// A file, created if it is missing, or `:memory:` for a temporary one. In builds with PostgreSQL also the
    /// connection string or URI of a server's database.
    package var path: String
    /// Whether a file stays as it is. It must then exist, in the schema of this build, and writes fail.
    package var isReadOnly = false
    package var shape = TreeShape()
    /// The maximum number of waiting writes of one caller; of all callers, four times as many. Further ones fail with
    /// `overloaded`.
    package var queueLimit = 1_024
    /// The maximum size of the database file in bytes. Writes that need more fail with `storageFull`.
    package var sizeLimit: Int?
    package var history = HistoryLimits()
    /// Seconds after which deleted rows are purged; 0 means never.
    package var trashTime: Int64 = 30 * 86_400
    /// How long the clock must run without a jump before anything is deleted because it has expired.
    package var clockSettlingTime: Duration = .seconds(3_600)
    /// The pause between two searches for background work.
    package var housekeepingInterval: Duration = .seconds(1)
    /// A group of writes that share a commit takes no more writes after this time, so that none waits long for its
    /// answer.
    package var groupDuration: Duration = .milliseconds(5)
    /// A WAL with this many pages is truncated as soon as no reader uses it. While it waits for that, background work
    /// pauses, and long reads are held back (`LongReadQueue`).
    package var logCut = 16_000
    /// The maximum number of steps of a bounded read; a longer one runs as a long read. A step takes some microseconds.
    package var readBound = 500
    /// Threads for long reads. A caller can use one for an export and one for another read; one is left to others.
    package var longReaders = 3
    /// The maximum number of rows of an import or a table that the writer creates directly. Larger ones are planned by
    /// a reader, and their new rows staged in pieces.
    package var rowsAtOnce = 100
    /// The maximum depth of lists.
    package var depthLimit = DepthLimit.standard
    /// The deadline of a long read, from its submission on. It also limits the wait of a read of everything.
    package var longReadDeadline: Duration = .seconds(10)
    /// The deadline of a read of everything, from its start on. Such a read keeps the WAL from being truncated.
    package var everythingDeadline: Duration = .seconds(3_600)
    /// Lists with more rows get a new order in pieces (`LongOrder`). Undos that check more steps are planned by a
    /// reader.
    package var orderBound = 1_000
    /// The number of entries in each piece of a new order. The writer takes about half a millisecond for them.
    package var orderPiece = 250
    /// The usual amount of text that a commit indexes for searches, in bytes. A commit indexes none if little is
    /// unindexed, and more if the index is far behind. The rest is indexed about a second later; until then searches
    /// read it.
    package var indexedAtOnce = 8 << 10
    #if PostgreSQL
      package var postgreSQL = PostgreSQLSettings()
      /// The number of connections to a server for bounded reads.
      package var readers = 4
    #endif
    package var now: @Sendable () -> Date = { WallClock.now }
    /// Called once, on the writer's thread, after the medium has failed. The process should end; the next start
    /// recovers.
    package var onMediumFailure: @Sendable (StorageFailure) -> Void = { _ in }
    /// Called from any thread with the cause if a read or a write fails with `storageFailed` or `storageDamaged`, or
    /// the WAL cannot be copied into the database.
    package var onStorageFailure: @Sendable (StorageFailure) -> Void = { _ in }

    package init(path: String) { self.path = path }

    /// The writer's background work.
    var chores: [any Chore] {
      [
        TrashExpiry(seconds: trashTime), ReplacedInventoryCleanup(), PurgeQueue(),
        HistoryRetention(limits: history), IdempotencyExpiry(), PhotoSweep(),
        NavigatorSweep(), SyncClientExpiry(), ArrangementSweep(),
      ]
    }
  }

  let configuration: Configuration
  private let tree: SharedTree
  let medium: any StoreMedium
  /// Held while a file is open.
  private let lock: StoreLock?
  /// Whether this store has created its database file.
  package let isNew: Bool
  /// Nil for a file, which no other process writes to.
  private let watcher: CommitWatcher?
  /// The workers for bounded reads; nil for a file, which event loops read themselves.
  let bounded: LongReaders?
  let queue: WorkQueue<PendingWrite.Turn, PendingWrite>
  let published = CommitCounter()
  private let tokens: TokenDirectory
  let workers: LongReaders
  /// The thread that plans large imports, tables, new orders and undos.
  let planners: LongReaders
  private let writer: WorkerThread
  /// Waiting for the result of the probe that is under way.
  private let askers = Mutex<[@Sendable (Result<Void, InventoryError>) -> Void]>([])
  let photoReader: PhotoReader
  /// Limits the pieces of long work in the writer's queue.
  let pieces = ConcurrencyLimiter(limit: 2)
  /// Limits the new orders of long lists that are being made at the same time.
  let orders = ConcurrencyLimiter(limit: 3, perCaller: 1)

  /// The path of the database file, or the name of the database in messages.
  package var path: String { medium.path }

  /// The database file; nil for a server's database.
  var file: StoreFile? { medium as? StoreFile }

  /// A database that was opened and migrated, and the connection for its writer.
  private struct Opened: ~Copyable {
    let medium: any StoreMedium
    let db: Connection
    var lock: StoreLock?
    var isNew = false
  }

  private static func open(
    _ configuration: Configuration
  ) throws(StoreOpeningError) -> Opened {
    #if PostgreSQL
      if let address = ServerAddress(configuration.path) {
        let server = PostgreSQLServer(address, configuration.postgreSQL)
        let db = try server.connect()
        _ = try server.migrate(db)
        return Opened(medium: server, db: db)
      }
    #endif
    let file = try StoreFile(path: configuration.path)
    let lock = try StoreLock(database: file.path)
    if configuration.isReadOnly {
      let db = try file.openReader()
      try file.requireCurrent(db)
      return Opened(medium: file, db: db, lock: lock)
    }
    let isNew = !file.isThere
    do throws(StoreOpeningError) {
      let db = try file.openWriter()
      _ = try file.migrate(db)
      try file.prepareWriter(db, sizeLimit: configuration.sizeLimit)
      return Opened(medium: file, db: db, lock: lock, isNew: isNew)
    } catch {
      if isNew { StoreFile.remove(at: file.path) }
      file.remove()
      throw error
    }
  }

  /// Opens the database, migrates its schema, and creates the default inventory in a new one.
  ///
  /// If that fails, it removes a database that it has created.
  package init(_ configuration: Configuration) throws(StoreOpeningError) {
    tokens = TokenDirectory { [now = configuration.now] in Timestamp(now()) }
    let opened = try Self.open(configuration)
    let (medium, db) = (opened.medium, opened.db)
    isNew = opened.isNew
    lock = opened.lock
    do throws(StoreOpeningError) {
      if !configuration.isReadOnly {
        try EmptyInventory.makeIfNone(
          in: db, now: Timestamp(configuration.now()), path: medium.path)
      }
      let known = try Self.counters(of: medium, in: db)
      var chores: [any Chore] = []
      if !configuration.isReadOnly {
        chores = configuration.chores + [TokenUse(tokens: tokens)]
        if known == nil {
          chores.append(FreePages())
          if let chore = try StartupChore.performed(in: db, of: medium) { chores.append(chore) }
        } else {
          chores.append(AbandonedWork())
        }
      }
      tree = SharedTree(depthLimit: configuration.depthLimit)
      let clock: SettledClock
      do throws(StorageError) {
        try tokens.fill(from: db)
        db.memory = try TreeMemory(tree, writingTo: db)
        // Before the writer takes commands, because the clock may be wrong now.
        clock = SettledClock(
          settlingTime: configuration.clockSettlingTime, certain: try ChangeLog.latest(in: db)
        ) { [now = configuration.now] in Timestamp(now()) }
      } catch { throw .wrapping(error, path: medium.path) }
      let queue = WorkQueue<PendingWrite.Turn, PendingWrite>(capacity: configuration.queueLimit)
      workers = try LongReaders(
        configuration.longReaders, patientLimit: max(1, configuration.longReaders - 1),
        medium: medium, tree: tree, configuration)
      planners = try LongReaders(1, medium: medium, tree: tree, configuration)
      let longReads = [workers.queue, planners.queue]
      photoReader = try PhotoReader(medium: medium, configuration)
      let (published, tokens) = (self.published, self.tokens)
      bounded = try Self.boundedReaders(medium, tree, configuration)
      watcher = try known.map { (known) throws(StoreOpeningError) in
        try CommitWatcher(
          try medium.openReader(), known: known,
          loadTokens: { (db) throws(StorageError) in try tokens.fill(from: db) },
          hasChanged: { published.publishing {} })
      }
      writer = try WorkerThread(inStore: .normal, using: db) { [chores] db in
        Writer(
          db, queue: queue, published: published, tokens: tokens, longReads: longReads,
          medium: medium, known: known, configuration: configuration, chores: chores, clock: clock
        ).run()
      }
      self.queue = queue
    } catch {
      if let file = medium as? StoreFile {
        if isNew { StoreFile.remove(at: file.path) }
        file.remove()
      }
      throw error
    }
    self.configuration = configuration
    self.medium = medium
    if !configuration.isReadOnly { sweepPhotos() }
  }

  /// Nil for a file.
  private static func counters(
    of medium: any StoreMedium, in db: Connection
  ) throws(StoreOpeningError) -> KnownCounters? {
    guard medium.isShared else { return nil }
    do throws(DatabaseError) { return KnownCounters(try SharedCounters.read(in: db)) } catch {
      throw .wrapping(error, path: medium.path)
    }
  }

  private static func boundedReaders(
    _ medium: any StoreMedium, _ tree: SharedTree, _ configuration: Configuration
  ) throws(StoreOpeningError) -> LongReaders? {
    #if PostgreSQL
      if medium.isShared {
        return try LongReaders(
          configuration.readers, medium: medium, tree: tree, bound: configuration.readBound,
          configuration)
      }
    #endif
    return nil
  }

  package func makeSession() throws(InventoryError) -> any ReadSession {
    if let bounded { return PooledSession(bounded: bounded, workers: workers) }
    do throws(StoreOpeningError) {
      let db = try medium.openReader()
      let bound = configuration.readBound
      db.memory = TreeMemory(tree, bound: min(bound, TreeMemory.loopBound))
      return DirectSession(
        db, published: published, workers: workers, bound: bound,
        onStorageFailure: configuration.onStorageFailure)
    } catch { throw error.inventoryError }
  }

  package func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    if let bulk = BulkCommand(command), !bulk.rows.isSmall(atMost: configuration.rowsAtOnce) {
      return BulkWrite(store: self, command: bulk, context: context, completion: completion)
        .start()
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
    result.flatMap { done in
      guard case .command(let outcome) = done else { return .failure(otherKind) }
      return .success(outcome)
    }
  }

  private static let otherKind = InventoryError.storageFailed(
    "a write of another kind was answered")

  package func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void
  ) {
    push(.administration(action, caller)) { result in
      completion(
        result.flatMap { done in
          guard case .administration(let outcome) = done else { return .failure(Self.otherKind) }
          return .success(outcome)
        })
    }
  }

  package func caller(showing credential: Credential) -> Caller? {
    tokens.caller(showing: credential)
  }

  package func isGood(_ token: TokenID) -> Bool { tokens.has(token) }

  package func lastUse(of token: TokenID) -> Timestamp? { tokens.lastUse(of: token) }

  package func hasInvitation(_ code: InvitationCode) -> Bool { tokens.hasInvitation(code) }

  package var hasTokens: Bool { tokens.hasTokens }

  package func onCommit(_ listener: @escaping @Sendable () -> Void) {
    published.add(listener)
  }

  package func checkReadiness(
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    // Anyone may ask, so there is one probe at a time.
    let isFirst = askers.withLock { askers in
      askers.append(completion)
      return askers.count == 1
    }
    guard isFirst else { return }
    push(.probe) { [self] result in
      let all = askers.withLock { askers in
        defer { askers = [] }
        return askers
      }
      for completion in all { completion(result.map { _ in }) }
    }
  }

  /// Ends all long reads within a time, also those that begin later. Call this before the server stops.
  package func endLongReads(within time: Duration) {
    for readers in [workers, planners] { readers.queue.end(by: .now + time) }
  }

  /// Refuses writes that have not begun within a time.
  package func endWrites(within time: Duration) { queue.end(by: .now + time) }

  /// Finishes submitted writes, cancels long reads, copies the WAL into the database, and ends the threads. Do not use
  /// sessions afterwards.
  package func close() {
    queue.close()
    // Readers end before the writer, because the writer's last checkpoint does not wait for them.
    workers.close()
    planners.close()
    bounded?.close()
    photoReader.close()
    writer.join()
    watcher?.close()
    published.removeListeners()
    file?.remove()
  }

  /// Closes the store, and removes the database if this store created it.
  package func discard() {
    close()
    // The lock is still held, so no other process has the database open.
    guard isNew, let file else { return }
    StoreFile.remove(at: file.path)
    // Last, because another process may lock a new file once this one is gone.
    unlink(file.path + ".lock")
  }

  /// Queues a write. If `isOptional` is false, the queue accepts it even when full.
  func push(
    _ work: PendingWrite.Work, isOptional: Bool = true,
    _ completion: @escaping @Sendable (Result<PendingWrite.Done, InventoryError>) -> Void
  ) {
    let write = PendingWrite(work: work, isOptional: isOptional, completion: completion)
    do throws(InventoryError) {
      let given = try queue.push(
        write, for: write.turn, beyondCapacity: !isOptional, where: \.isOptional)
      given?.completion(.failure(.overloaded))
    } catch { completion(.failure(error)) }
  }

  /// Begins a change. If `isWriting` is false, it is only planned.
  func change(
    _ context: WriteContext, in db: Connection, isWriting: Bool = true
  ) throws(StorageError) -> Change {
    try Change(
      context, in: db, shape: configuration.shape, now: Timestamp(configuration.now()),
      isWriting: isWriting)
  }
}
