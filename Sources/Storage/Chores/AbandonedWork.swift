import FoundationEssentials
import Inventory
import SQL

/// Discards uploads and imports in a shared database whose process has ended before they were complete.
///
/// The start of a process cannot tell them from those of other processes, so they are discarded once they are old.
struct AbandonedWork: Chore {
  let changesTree = true
  /// No upload and no import takes as long, in seconds.
  static let age: Int64 = 86_400
  /// The number of commits after which a process's last one is forgotten.
  private static let commitsKept: Int64 = 1_000_000

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    let oldest = now.seconds - Self.age
    try db.sql(
      """
      UPDATE photo SET state = 3, id = randomblob(16)
      WHERE state = 0 AND state <> 1 AND created_at < ?1
      """
    ).bind(oldest).perform()
    // A process that has written nothing for so long is gone, or makes a new row.
    try db.sql("DELETE FROM writer WHERE commits < (SELECT commits FROM store) - ?1")
      .bind(Self.commitsKept).perform()
    let imports = try Staging.all(for: nil, in: db).filter { $0.uuid.creationSeconds < oldest }
    try Staging.abandon(imports, in: db)
    return false
  }
}

extension UUID {
  /// When a UUID of version 7 was made, in seconds since 1970: RFC 9562, section 5.7.
  fileprivate var creationSeconds: Int64 {
    let bytes = [uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5]
    return bytes.reduce(0) { $0 << 8 | Int64($1) } / 1_000
  }
}
