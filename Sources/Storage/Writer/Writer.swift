import Inventory
import SQL

/// The single writer: takes waiting writes, runs them in one transaction, commits once for all, and answers.
///
/// It runs on the store's writer thread.
final class Writer {
  private let db: Connection
  private let queue: WorkQueue<PendingWrite.Turn, PendingWrite>
  private let published: CommitCounter
  private let tokens: TokenDirectory
  /// Nil without a WAL.
  private let checkpoints: Checkpoints?
  private let medium: any StoreMedium
  private let configuration: DatabaseStore.Configuration
  private let housekeeping: Housekeeping
  /// Nil for a database that has no file.
  private let states: StateSnapshots?
  /// Nil for a database that no other process writes to.
  private let known: KnownCounters?
  /// The lock that the open transaction holds on a database shared with other processes. Nil between transactions, and
  /// for other databases.
  private var turn: SharedTurn?
  /// The counters after this writer's last transaction in such a database. Its caches belong to that state, even if the
  /// watcher already knows a later one.
  private var lastCounters: SharedCounters?
  /// A write taken from the queue that begins the next group.
  private var held: PendingWrite?
  /// Whether the last group consisted of pieces of long work.
  private var wrotePieces = false

  /// Whether commits wait for the disk.
  private var commitsWait = true
  /// The bytes of bulk data in commits that did not wait for the disk.
  private var unsynced = 0
  /// When this many bytes are unsynced, the next commit waits for the disk. Otherwise a later commit that must wait
  /// would take long.
  private static let unsyncedLimit = 256 << 10

  /// The bytes of bulk data in the cache.
  private var bulk = 0
  /// From this size on the cache is emptied; otherwise it would grow to its full size with data not needed there.
  private static let bulkLimit = 1 << 20

  private var lag = IndexLag()
  private var pacing = WriterPacing()

  /// The maximum number of writes in a group, so that none waits long for its commit.
  private static let groupLimit = 512
  /// The bytes of text changed by the group.
  private var changedText = 0
  /// The pages that a small change may add to the database.
  private static let pagesOfChange = 8

  init(
    _ db: Connection, queue: WorkQueue<PendingWrite.Turn, PendingWrite>, published: CommitCounter,
    tokens: TokenDirectory, longReads: [LongReadQueue<LongRead>], medium: any StoreMedium,
    known: KnownCounters? = nil,
    configuration: DatabaseStore.Configuration, chores: [any Chore],
    clock: SettledClock
  ) {
    self.db = db
    self.queue = queue
    self.published = published
    self.tokens = tokens
    self.medium = medium
    self.known = known
    self.configuration = configuration
    housekeeping = Housekeeping(
      chores, interval: configuration.housekeepingInterval, clock: clock)
    let file = medium as? StoreFile
    states = file.map(StateSnapshots.init)
    checkpoints = file.map { _ in
      Checkpoints(
        db, longReads: longReads, cut: configuration.logCut,
        onStorageFailure: configuration.onStorageFailure)
    }
  }

  /// Runs until the queue is closed and empty, or the medium fails. Then refuses the remaining writes.
  func run() {
    defer { checkpoints?.letAllBegin() }
    while true {
      do throws(MediumFailure) {
        switch next() {
        case .element(let late) where queue.isPastEnd:
          late.completion(.failure(.shuttingDown))
        case .element(let first):
          if let step = first.rewind {
            try rewind(step, first.completion)
          } else {
            try write(groupStartingWith: first)
          }
        case .nothing: break
        case .closed:
          if lag.text > 0 { try stepIndex() }
          try checkpoints?.cutAtEnd()
          return
        }
        if housekeeping.isDue {
          // Otherwise, if readers never pause, the WAL would grow as long as there is background work.
          if checkpoints?.isWALFull == true {
            housekeeping.schedule(isBusy: true)
          } else {
            try runHousekeeping()
          }
        }
        if lag.text > 0, ContinuousClock.now >= lag.due { try stepIndex() }
        let start = ContinuousClock.now
        try checkpoints?.makeIfDue()
        let end = ContinuousClock.now
        pacing.ranCheckpoint(for: start.duration(to: end), now: end)
      } catch {
        // After a failed sync SQLite would continue, and accept commits that may never reach the disk. Closing must not
        // write to that disk either: the next start recovers from the WAL.
        try? db.configure(.noCheckpointOnClose, true)
        configuration.onMediumFailure(error.failure)
        held?.completion(.failure(.shuttingDown))
        held = nil
        while let write = queue.pop() { write.completion(.failure(.shuttingDown)) }
        return
      }
    }
  }

  /// Waits for the next write. Stops waiting when a step of housekeeping, an indexing step or a truncation of the WAL
  /// is due.
  private func next() -> WorkQueue<PendingWrite.Turn, PendingWrite>.Waited {
    if let held {
      self.held = nil
      return .element(held)
    }
    let cut = checkpoints?.isWALFull == true ? Checkpoints.cutPause : nil
    let now = ContinuousClock.now
    let step = lag.text > 0 ? max(.zero, now.duration(to: lag.due)) : nil
    let (wrotePieces, lag, pacing) = (wrotePieces, lag, pacing)
    return queue.pop(
      within: [housekeeping.wait, cut, step, pacing.poll(now: now)].compactMap(\.self).min(),
      by: {
        guard lag.admits($0) else { return nil }
        return pacing.rank(of: $0.turn, afterPieces: wrotePieces, now: .now)
      })
  }

  /// Runs one step of indexing. Its commit does not wait for the disk: a lost step is repeated.
  private func stepIndex() throws(MediumFailure) {
    let start = ContinuousClock.now
    let result = try change(waiting: false) { () throws(StorageError) in
      try lag.reduce(by: SearchIndex.textOfStep, takesOne: true, in: db)
      return false
    }
    let end = ContinuousClock.now
    // At least as long as the step, so that the index gets no more than half of the time.
    let took = start.duration(to: end)
    lag.due = end + max(took, pacing.pause(afterBackground: took, now: end))
    // On a full disk, writes with long texts are refused instead of waiting. The next commit or housekeeping step
    // counts the unindexed text again.
    if result != .done { lag.forget() }
  }

  /// Runs one step of housekeeping.
  @discardableResult
  private func runHousekeeping() throws(MediumFailure) -> BackgroundResult {
    let start = ContinuousClock.now
    let result = try change(waiting: true) { () throws(StorageError) in
      let before = db.totalChanges
      try housekeeping.step(in: db)
      let changesTree = housekeeping.changesTree && db.totalChanges > before
      try lag.reduce(by: SearchIndex.textOfStep, in: db)
      return changesTree
    }
    let end = ContinuousClock.now
    housekeeping.schedule(
      isBusy: result == .busy || !queue.isEmpty, hasFailed: result == .failed,
      pause: pacing.pause(afterBackground: start.duration(to: end), now: end))
    return result
  }

  /// The result of background work. `busy`: another connection has the write lock.
  private enum BackgroundResult { case done, busy, failed }

  /// Runs background work in its own transaction.
  ///
  /// - Parameter body: the work; returns whether it may have removed lists from the tree.
  private func change(
    waiting isWaiting: Bool, _ body: () throws(StorageError) -> Bool
  ) throws(MediumFailure) -> BackgroundResult {
    var before = 0
    let changesTree: Bool
    do throws(StorageError) {
      do throws(DatabaseError) { try begin(waiting: isWaiting) } catch { throw .database(error) }
      before = db.totalChanges
      changesTree = try body()
    } catch {
      db.rollback()
      if case .database(let cause) = error, cause.isBusy { return .busy }
      // A full disk does not end the writer: there may be room later.
      _ = refusal(error)
      return .failed
    }
    do throws(DatabaseError) {
      guard db.totalChanges > before else {
        if known == nil { try db.commit() } else { db.rollback() }
        return .done
      }
      if changesTree { db.tree?.treeChanges() }
      let changesTokens = known != nil && mayTokensBeGone
      try publishing { () throws(DatabaseError) in
        try commitTransaction(changingTokens: changesTokens)
        if mayTokensBeGone { tokensChanged() }
      }
      return .done
    } catch {
      db.rollback()
      guard medium.isShared || medium.isFull(error) else {
        throw MediumFailure(failure: StorageFailure(error))
      }
      return .failed
    }
  }

  private typealias Answer = (
    write: PendingWrite, result: Result<PendingWrite.Done, InventoryError>
  )

  /// - Parameter isWaiting: whether the commit waits until it is on the disk.
  private func begin(waiting isWaiting: Bool = true) throws(DatabaseError) {
    try setCommitsWait(isWaiting)
    if known == nil { try db.requireFilesInPlace() }
    try db.begin(.immediate)
    guard let known else { return }
    do throws(DatabaseError) {
      let start = ContinuousClock.now
      let turn = try SharedTurn(of: known.writer, in: db)
      published.countWait(start.duration(to: .now))
      if turn.counters != lastCounters { db.tree?.forgetOtherStates() }
      lastCounters = turn.counters
      self.turn = turn
    } catch {
      db.rollback()
      throw error
    }
  }

  /// Commits the open transaction.
  private func commitTransaction(changingTokens: Bool) throws(DatabaseError) {
    guard let known, var turn else { return try db.commit() }
    self.turn = nil
    // Until the commit succeeds, the counters in the database are not known.
    lastCounters = nil
    try turn.commit(
      changingTree: db.tree?.endsVersion ?? true, tokens: changingTokens, in: db)
    lastCounters = turn.counters
    known.advance(to: turn.counters)
  }

  private func setCommitsWait(_ wait: Bool) throws(DatabaseError) {
    guard wait != commitsWait, !medium.isTemporary, known == nil else { return }
    try db.setCommitsWait(wait)
    commitsWait = wait
  }

  /// Runs a group and answers all of its writes. Throws failures that end the writer.
  private func write(groupStartingWith first: PendingWrite) throws(MediumFailure) {
    var group: [Answer] = []
    var isBroken = false
    let start = ContinuousClock.now
    changedText = 0
    let mayBeLost = first.turn.isPiece
    wrotePieces = mayBeLost
    defer {
      let now = ContinuousClock.now
      if mayBeLost { pacing.ran(first.turn, for: start.duration(to: now), now: now) }
    }
    do throws(DatabaseError) {
      try begin(waiting: !mayBeLost || unsynced >= Self.unsyncedLimit)
    } catch {
      let refusal = refusal(.database(error))
      first.completion(.failure(refusal))
      // Without a server, every waiting write would wait for its own connection attempt.
      if error.isUnavailable {
        while let write = queue.popIfAny() {
          write.completion(.failure(refusal))
        }
      }
      return
    }
    var next: PendingWrite? = first
    while let write = next {
      if write.rewind != nil {
        held = write
        break
      }
      let begin = ContinuousClock.now
      let textBefore = changedText
      group.append((write, perform(write)))
      let text = changedText - textBefore
      lag.note(text, of: write.turn.caller, atOnce: configuration.indexedAtOnce)
      let now = ContinuousClock.now
      if !mayBeLost {
        let later = WriterPacing.laterWork(of: text)
        pacing.ran(write.turn, for: begin.duration(to: now) + later, now: now)
      }
      // Some errors roll the whole transaction back, a full disk among them:
      // https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
      isBroken = db.isAutocommit
      if isBroken || group.count >= Self.groupLimit
        || (lag.isFarBehind && changedText >= IndexLag.groupText)
        || start.duration(to: now) > configuration.groupDuration
      {
        break
      }
      next = queue.popIfAny {
        guard $0.turn.isPiece == mayBeLost,
          changedText == 0 ? lag.admits($0) : !$0.mayHaveLongText
        else { return nil }
        return pacing.rank(of: $0.turn, in: first.turn, now: now)
      }
    }
    if !isBroken, followIndex() == nil {
      do throws(DatabaseError) {
        try commit(
          group.count, changingTokens: group.contains(where: \.write.changesTokens))
        for (write, result) in group { write.completion(result) }
        return
      } catch {
        db.rollback()
        // On a full disk the commit record, which is written last, is missing, so the writer can safely continue.
        guard medium.isFull(error) || medium.isShared && !error.isUnavailable else {
          answerUncommitted(group)
          if medium.isShared { return reportLost(error) }
          throw MediumFailure(failure: StorageFailure(error))
        }
      }
    }
    db.rollback()
    // Mostly the disk was full. If not, an early checkpoint does no harm.
    do throws(MediumFailure) { try checkpoints?.makeRoom() } catch {
      for (write, _) in group { write.completion(.failure(.shuttingDown)) }
      throw error
    }
    try writeOneByOne(group.map(\.write))
  }

  /// Answers a group whose commit has failed. Its changes may or may not be on the disk.
  ///
  /// A refusal before the first change was based on the state before the group, so it is valid. A later refusal may be
  /// based on changes that do not exist.
  private func answerUncommitted(_ group: [Answer]) {
    var isChanged = false
    for (write, result) in group {
      if case .success = result { isChanged = true }
      write.completion(isChanged ? .failure(.outcomeUnknown) : result)
    }
  }

  /// Runs a group that was rolled back. Each write gets its own transaction, and only those that fail again are
  /// refused.
  private func writeOneByOne(_ group: [PendingWrite]) throws(MediumFailure) {
    for (number, write) in group.enumerated() {
      do throws(DatabaseError) {
        try begin()
      } catch {
        write.completion(.failure(refusal(.database(error))))
        continue
      }
      var result = perform(write)
      if db.isAutocommit {
        if case .success = result { result = .failure(.storageFull) }
      } else if case .success = result, let refusal = followIndex() {
        db.rollback()
        result = .failure(refusal)
      } else {
        do throws(DatabaseError) {
          try commit(1, changingTokens: write.changesTokens)
        } catch {
          db.rollback()
          guard medium.isFull(error) || medium.isShared else {
            write.completion(.failure(.outcomeUnknown))
            for rest in group[(number + 1)...] { rest.completion(.failure(.shuttingDown)) }
            throw MediumFailure(failure: StorageFailure(error))
          }
          result = .failure(
            error.isUnavailable ? .outcomeUnknown : refusal(.database(error)))
        }
      }
      write.completion(result)
    }
  }

  private func rewind(
    _ step: RewindStep,
    _ completion: (Result<PendingWrite.Done, InventoryError>) -> Void
  ) throws(MediumFailure) {
    if case .tidy = step {
      var last = BackgroundResult.done
      housekeeping.startOver()
      repeat { last = try runHousekeeping() } while last != .failed && !housekeeping.isDone
      return completion(last == .failed ? .failure(.storageFull) : .success(.other))
    }
    var result = Result<PendingWrite.Done, InventoryError>.success(.other)
    db.tree?.treeChanges()
    publishing {
      do throws(StorageError) {
        do throws(DatabaseError) { try setCommitsWait(true) } catch { throw .database(error) }
        guard let states else { throw .refused(.notFound(.snapshot)) }
        try states.run(step, on: db)
        if case .bringBack = step { tokens.forgetUses() }
        try db.tree?.startAnew(in: db)
      } catch {
        result = .failure(refusal(error))
      }
      tokensChanged()
    }
    completion(result)
  }

  private func perform(_ write: PendingWrite) -> Result<PendingWrite.Done, InventoryError> {
    do throws(StorageError) {
      return .success(
        try db.savepoint { () throws(StorageError) in
          let now = Timestamp(configuration.now())
          switch write.work {
          case .command(let command, let context, let prepared):
            return .command(
              try perform(command, context, prepared, now: now) { (runner) throws(StorageError) in
                try runner.run(command)
              })
          case .bulk(let change, let context):
            return .command(
              try perform(nil, context, nil, now: now) { (runner) throws(StorageError) in
                try runner.make(change)
              })
          case .administration(let action, let caller):
            return .administration(try Administrator(caller, in: db, now: now).run(action))
          case .probe:
            // Only a write shows that writing is possible. This one changes nothing: SQLite writes the first page
            // also if the number is the same, but not a row that stays the same. In a shared database the transaction
            // has taken its turn, which is a write.
            guard known == nil else {
              try SharedCounters.requireKnownSchema(in: db)
              break
            }
            do throws(DatabaseError) {
              try db.execute("PRAGMA application_id = \(Schema.applicationID)")
            } catch { throw .database(error) }
            // A change may need new pages, which the limit of the file's size may not leave.
            let room = try db.sql(
              """
              SELECT max_page_count - page_count + freelist_count
              FROM pragma_max_page_count, pragma_page_count, pragma_freelist_count
              """
            ).one { $0.int(0) }
            guard let room, room >= Self.pagesOfChange else { throw .refused(.storageFull) }
          case .task(let body, _):
            let bytes = try body(db)
            bulk += bytes
            unsynced += bytes
          // A rewind is never in a group.
          case .rewind: break
          }
          return .other
        })
    } catch {
      if case .dryRunSucceeded(let outcome) = error { return .success(.command(outcome)) }
      return .failure(refusal(error))
    }
  }

  /// Has the search index follow the group's changes. Returns the reason if that fails.
  private func followIndex() -> InventoryError? {
    do throws(StorageError) {
      try lag.follow(changedText, atOnce: configuration.indexedAtOnce, in: db)
      return nil
    } catch { return refusal(error) }
  }

  /// Makes a change, unless it has been made with the same idempotency key. A repeated write is behind the first one in
  /// the queue, so it finds the stored response.
  ///
  /// - Parameter command: nil for a bulk change.
  private func perform(
    _ command: Command?, _ context: WriteContext, _ prepared: Prepared?, now: Timestamp,
    _ run: (CommandRunner) throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    var context = context
    if case .abandonImport? = command {
      // A caller can abandon an import even if the caller's list or token is gone.
      context.caller.root = nil
    } else {
      try TokenTable(db: db).requireGrant(of: context.caller, now: now)
    }
    let responses = IdempotencyStore(db: db)
    if let retry = context.retry, let first = try responses.response(to: retry) {
      let receipt = Receipt(revision: Revision(0), isChanged: false)
      return Outcome(receipt: receipt, kept: StoredResponse(bytes: first, isReplayed: true))
    }
    let change = try Change(context, in: db, shape: configuration.shape, now: now)
    let runner = CommandRunner(
      change, orderBound: configuration.orderBound, prepared: prepared,
      trashTime: configuration.trashTime)
    // If the clock is behind, what is stored must not look expired once the clock is set right.
    let storingTime = max(now, housekeeping.clock.certain)
    var outcome: Outcome
    if let step = context.sync {
      outcome = try SyncStore(access: change.access, step: step).once(now: storingTime) {
        () throws(StorageError) in try run(runner)
      }
    } else {
      outcome = try run(runner)
    }
    if context.isDryRun { throw .dryRunSucceeded(outcome) }
    changedText += change.indexedBytes
    if let retry = context.retry, command?.isRecall != true {
      let bytes = retry.encode(outcome)
      try responses.store(bytes, for: retry, now: storingTime)
      // A small sweep with each key keeps the table from growing, and no write pays for a large one.
      _ = try IdempotencyStore.sweep(db, now: housekeeping.clock.now(), limit: 4)
      outcome.kept = StoredResponse(bytes: bytes, isReplayed: false)
    }
    return outcome
  }

  /// The error for the caller. Failures that only concern the operator also go to the log.
  private func refusal(_ error: StorageError) -> InventoryError {
    if case .database(let cause) = error, medium.isFull(cause) { return .storageFull }
    let refusal = error.inventoryError
    if let failure = refusal.storageFailure { configuration.onStorageFailure(failure) }
    return refusal
  }

  private func commit(_ writes: Int, changingTokens: Bool) throws(DatabaseError) {
    // Before any answer, because a client must be able to read its own write.
    try publishing { () throws(DatabaseError) in
      let start = ContinuousClock.now
      try commitTransaction(changingTokens: changingTokens)
      // This follows a sync, so its cost does not matter.
      published.count(writes, start.duration(to: .now))
      if changingTokens { tokensChanged() }
    }
    if commitsWait { unsynced = 0 }
    if bulk >= Self.bulkLimit {
      db.releaseMemory()
      bulk = 0
    }
  }

  /// Runs a commit, so that readers can find out which state they see.
  private func publishing<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    try published.publishing { () throws(E) in
      guard let tree = db.tree else { return try commit() }
      try tree.publishing(commit)
    }
  }

  /// Reloads the tokens. A revoked token stops working before its revocation is answered.
  private func tokensChanged() {
    do throws(StorageError) { try tokens.fill(from: db) } catch {
      _ = refusal(error)
    }
  }

  /// Whether some tokens are gone, because their list was purged.
  private var mayTokensBeGone: Bool {
    let count: Int? = try? TokenTable(db: db).count
    return count != tokens.count
  }

  /// Reports a commit whose outcome is unknown.
  private func reportLost(_ error: DatabaseError) {
    configuration.onStorageFailure(StorageFailure(error))
  }
}
