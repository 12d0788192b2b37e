import Inventory
import SQL

/// The limits of the change log. The latest changes within all limits are kept. Zero means no limit.
package struct HistoryLimits: Sendable, Equatable {
  package var count: Int
  /// Approximate, in bytes.
  package var size: Int
  package var seconds: Int64

  package init(count: Int = 100_000, size: Int = 256 << 20, seconds: Int64 = 0) {
    self.count = count
    self.size = size
    self.seconds = seconds
  }
}

/// Trims a log that exceeds its limits. It first moves the log's start and then deletes the changes up to it, so that
/// no reader sees half a change.
struct HistoryRetention: Chore {
  let limits: HistoryLimits
  var duration = Housekeeping.stepDuration
  /// The number of changes, operations or edits deleted at once.
  private static let batch = 64

  private struct Log {
    var inventory: InventoryKey
    var revision: Int64
    var start: Int64
    var size: Int
  }

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    let timer = StepTimer(duration)
    var logs = try logs(in: db)
    // Changes over a limit become invisible at once, however long their deletion takes.
    for index in logs.indices { try cut(&logs[index], in: db, now: now, timer) }
    for log in logs {
      while try Self.clear(upTo: log.start, of: log.inventory, in: db) {
        if timer.isOver { return true }
      }
    }
    return false
  }

  private func logs(in db: Connection) throws(StorageError) -> [Log] {
    try db.sql("SELECT key, revision, history_start, history_size FROM inventory").all {
      Log(inventory: $0.key(0), revision: $0.version(1), start: $0.version(2), size: $0.count(3))
    }
  }

  /// Moves the log's start past the oldest changes that exceed a limit, as far as time allows.
  private func cut(
    _ log: inout Log, in db: Connection, now: Timestamp, _ timer: StepTimer
  ) throws(StorageError) {
    let start = log.start
    var (end, size, count) = (log.start, log.size, 0)
    let oldest = limits.seconds > 0 ? now.seconds - limits.seconds : Int64.min
    try db.sql(
      """
      SELECT revision, size, at FROM change WHERE inventory = ?1 AND revision > ?2
      ORDER BY revision
      """
    ).bind(log.inventory).bind(start).eachWhile { [log] row in
      let isOver =
        limits.count > 0 && log.revision - end > limits.count
        || limits.size > 0 && size > limits.size || row.int64(2) < oldest
      guard isOver else { return false }
      end = row.int64(0)
      size -= row.count(1)
      count += 1
      return !count.isMultiple(of: Self.batch) || !timer.isOver
    }
    (log.start, log.size) = (end, size)
    guard end > start else { return }
    try db.sql("UPDATE inventory SET history_start = ?2, history_size = ?3 WHERE key = ?1")
      .bind(log.inventory).bind(log.start).bind(log.size).perform()
  }

  /// Deletes some of an inventory's changes up to a revision. Returns false if there are none left.
  static func clear(
    upTo revision: Int64, of inventory: InventoryKey, in db: Connection
  ) throws(StorageError) -> Bool {
    let deletions: [StaticString] = [
      """
      DELETE FROM operation WHERE (inventory, revision, sequence) IN (
        SELECT inventory, revision, sequence FROM operation
        WHERE inventory = ?1 AND revision <= ?2 LIMIT ?3)
      """,
      // As a range: for keys named one by one, SQLite would read all edits of their change.
      """
      DELETE FROM edit WHERE inventory = ?1 AND (revision, row, field) <= (
        SELECT revision, row, field FROM (
          SELECT revision, row, field FROM edit WHERE inventory = ?1 AND revision <= ?2
          ORDER BY revision, row, field LIMIT ?3) AS oldest
        ORDER BY revision DESC, row DESC, field DESC LIMIT 1)
      """,
      """
      DELETE FROM change WHERE (inventory, revision) IN (
        SELECT inventory, revision FROM change
        WHERE inventory = ?1 AND revision <= ?2 LIMIT ?3)
      """,
    ]
    for deletion in deletions {
      if try db.sql(deletion).bind(inventory).bind(revision).bind(batch).performCounting() > 0 {
        return true
      }
    }
    return false
  }
}
