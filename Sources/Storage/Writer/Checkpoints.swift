import SQL

/// The database's medium has failed. The server logs `failure`.
struct MediumFailure: Error { let failure: StorageFailure }

/// Runs checkpoints on the writer's thread: copies the WAL into the database, and truncates it when it is too long.
final class Checkpoints {
  private let db: Connection
  /// The queues that hold back reads while the WAL must be truncated.
  private let longReads: [LongReadQueue<LongRead>]
  /// The WAL's size in pages from which it is truncated.
  private let cut: Int
  private let onStorageFailure: @Sendable (StorageFailure) -> Void
  /// Whether the last checkpoint has failed, and was reported.
  private var hasReported = false

  /// The WAL's size in pages when it was last copied into the database. A reader may have kept that copy from being
  /// complete.
  private var pagesAtCopy = 0
  /// The number of new pages from which the WAL is copied into the database.
  private static let checkpointPages = 1_000
  /// The interval between attempts to truncate the WAL while nothing is written.
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

  /// Whether the WAL is so long that it must be truncated.
  var isWALFull: Bool { db.walPages >= cut }

  /// Runs a checkpoint if one is due. Call this after the answers, because no request waits for it.
  func makeIfDue() throws(MediumFailure) {
    guard isWALFull else {
      letAllBegin()
      // A complete copy makes the next commit write from the WAL's start again.
      pagesAtCopy = min(pagesAtCopy, db.walPages)
      guard db.walPages >= pagesAtCopy + Self.checkpointPages else { return }
      pagesAtCopy = db.walPages
      _ = try copyWAL(.passive)
      return
    }
    try truncate(holdingBack: longReads[...])
  }

  /// Copies the WAL into the database because the disk is full. If the copy is complete, the next commit writes from the
  /// WAL's start again, and needs no room.
  func makeRoom() throws(MediumFailure) {
    pagesAtCopy = db.walPages
    _ = try copyWAL(.passive)
  }

  /// Returns whether a reader prevented the truncation.
  @discardableResult
  private func truncate(
    holdingBack queues: ArraySlice<LongReadQueue<LongRead>>
  ) throws(MediumFailure) -> Bool {
    guard let queue = queues.first else { return try !copyWAL(.truncate) }
    return try queue.cutting { () throws(MediumFailure) in
      try truncate(holdingBack: queues.dropFirst())
    }
  }

  /// Truncates the WAL at the end. If it cannot be copied, closing the database must not remove it.
  func cutAtEnd() throws(MediumFailure) {
    do throws(DatabaseError) { _ = try db.checkpoint(.truncate) } catch {
      guard !error.isBusy else { return }
      guard !error.isSyncError else { throw MediumFailure(failure: StorageFailure(error)) }
      try? db.configure(.noCheckpointOnClose, true)
    }
  }

  /// Stops holding reads back.
  func letAllBegin() {
    for queue in longReads { queue.letAllBegin() }
  }

  /// Runs a checkpoint. Returns false if a reader prevented the truncation; without a busy timeout SQLite reports that
  /// at once.
  ///
  /// Throws if a sync failed. Earlier writes to either file may then be lost, and the next checkpoint would not repeat
  /// them. Only the next start reads the whole WAL and copies it again.
  private func copyWAL(_ mode: Connection.CheckpointMode) throws(MediumFailure) -> Bool {
    do throws(DatabaseError) {
      _ = try db.checkpoint(mode)
      hasReported = false
    } catch {
      if error.isBusy { return false }
      guard !error.isSyncError else { throw MediumFailure(failure: StorageFailure(error)) }
      // The WAL has everything, and the checkpoint is tried again after the next write.
      guard !hasReported else { return true }
      hasReported = true
      onStorageFailure(StorageFailure(error))
    }
    return true
  }
}
