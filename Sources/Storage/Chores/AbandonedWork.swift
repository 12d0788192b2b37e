import Inventory
import SQL

/// Discards uploads and imports in a shared database whose process has ended before they were complete.
///
/// The start of a process cannot tell them from those of other processes, so they are discarded once they are old by
/// the server's clock.
struct AbandonedWork: Chore {
  let changesTree = true
  /// No upload and no import takes as long, in seconds.
  static let age: Int64 = 86_400
  /// The number of commits after which a process's last one is forgotten.
  private static let commitsKept: Int64 = 1_000_000

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    try db.sql(
      """
      UPDATE photo SET state = 3, id = randomblob(16)
      WHERE state = 0 AND state <> 1 AND begun_at < extract(epoch FROM now()) - ?1
      """
    ).bind(Self.age).perform()
    // A process that has written nothing for so long is gone, or makes a new row.
    try db.sql("DELETE FROM writer WHERE commits < (SELECT commits FROM store) - ?1")
      .bind(Self.commitsKept).perform()
    let imports = try db.sql(
      "SELECT id FROM staging WHERE begun_at < extract(epoch FROM now()) - ?1"
    ).bind(Self.age).all { ImportID($0.uuid(0)) }
    try Staging.abandon(imports, in: db)
    return false
  }
}
