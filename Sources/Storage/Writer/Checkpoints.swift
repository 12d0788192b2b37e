import SQLite

/// The medium has failed; the log gets `failure`.
struct MediumFailure: Error { let failure: StorageFailure }

/// Copies the WAL into the database, on the writer's thread, and cuts it where it is too long.
final class Checkpoints {
  private let db: Connection
  /// While the WAL has to be cut, reads of these queues are held back.
  private let longReads: [LongReadQueue<LongRead>]
  /// Pages of the WAL past which it is cut.
  private let cut: Int
  private let onStorageFailure: @Sendable (StorageFailure) -> Void
  /// Whether the last checkpoint has failed and been reported.
  private var hasReported = false

  /// Pages of the WAL past which it is copied into the database.
  private static let checkpointPages = 1_000
  /// While nothing is written, a WAL that is too long is looked at so often.
  static let cutPause: Duration = .milliseconds(20)

  init(
    _ db: Connection, longReads: [LongReadQueue<LongRead>], cut: Int,
    onStorageFailure: @escaping @Sendable (StorageFailure) -> Void
  ) {
    self.db = db
    self.longReads = longReads
    self.cut = cut
    self.onStorageFailure = onStorageFailure
    db.countWALPages()
  }

  var isLogFull: Bool { db.walPages >= cut }

  /// Makes a checkpoint if one is due. To be called behind the answers: nothing waits for it.
  func makeIfDue() throws(MediumFailure) {
    guard isLogFull else {
      letAllBegin()
      if db.walPages >= Self.checkpointPages { _ = try copyLog(.passive) }
      return
    }
    var failure: MediumFailure?
    _ = cutting(longReads[...]) {
      do throws(MediumFailure) { return try !copyLog(.truncate) } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  /// Leaves no WAL behind, unless it cannot be copied: closing must not remove it then.
  func cutAtEnd() throws(MediumFailure) {
    do throws(SQLiteError) { _ = try db.checkpoint(.truncate) } catch {
      guard !error.isBusy else { return }
      guard !error.isSyncError else { throw MediumFailure(failure: StorageFailure(error)) }
      try? db.configure(.noCheckpointOnClose, true)
    }
  }

  /// Ends the holding back of reads.
  func letAllBegin() {
    for queue in longReads { queue.letAllBegin() }
  }

  private func cutting(_ queues: ArraySlice<LongReadQueue<LongRead>>, _ cut: () -> Bool) -> Bool {
    guard let queue = queues.first else { return cut() }
    return queue.cutting { cutting(queues.dropFirst(), cut) }
  }

  /// False where a reader was in the way of cutting it: with no busy timeout SQLite reports that at once.
  ///
  /// Fails where a sync has: what went before it may be lost from either file, and the next checkpoint would not
  /// write it again. A start does.
  private func copyLog(_ mode: Connection.CheckpointMode) throws(MediumFailure) -> Bool {
    do throws(SQLiteError) {
      _ = try db.checkpoint(mode)
      hasReported = false
    } catch {
      if error.isBusy { return false }
      guard !error.isSyncError else { throw MediumFailure(failure: StorageFailure(error)) }
      // The WAL has everything, and the copying is tried again behind the next write.
      guard !hasReported else { return true }
      hasReported = true
      onStorageFailure(StorageFailure(error))
    }
    return true
  }
}
