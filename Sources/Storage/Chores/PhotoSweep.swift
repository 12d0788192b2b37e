import Inventory
import SQL

/// Deletes unreachable photos in small steps: aborted uploads, photos deleted before the log's start, and photos of
/// purged items.
///
/// Most photos are shown. Statements that look for others contain `state <> 1`, which lets SQLite use the partial index
/// of photos that are not shown (https://www.sqlite.org/partialindex.html, 2).
struct PhotoSweep: Chore {
  /// One mebibyte, which takes a few milliseconds.
  private static let piecesAtOnce = 16

  /// Discards the uploads whose keys are not above a key.
  static func discardUploads(upTo key: PhotoKey, in db: Connection) throws(StorageError) {
    // The plus keeps SQLite from reading all photos by key: https://www.sqlite.org/optoverview.html#uplus
    try db.sql(
      "UPDATE photo SET state = 3, id = randomblob(16) WHERE state = 0 AND state <> 1 AND +key <= ?1"
    ).bind(key).perform()
  }

  /// Discards the staged bytes of one upload in any inventory: an import may have replaced the one where it began.
  static func discard(_ upload: UploadID, in db: Connection) throws(StorageError) {
    try db.sql(
      """
      UPDATE photo SET state = 3, id = randomblob(16) WHERE state = 0 AND state <> 1 AND id = ?1
      """
    ).bind(upload).perform()
  }

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    try Self.step(in: db)
  }

  /// Deletes some pieces. Returns false if there was nothing to do.
  static func step(in db: Connection) throws(StorageError) -> Bool {
    guard let photo = try next(in: db) else { return false }
    let deleted = try db.sql(
      """
      DELETE FROM photo_piece WHERE photo = ?1
        AND number IN (SELECT number FROM photo_piece WHERE photo = ?1 LIMIT ?2)
      """
    ).bind(photo).bind(piecesAtOnce).performCounting()
    if deleted < piecesAtOnce {
      // At most 592 KiB.
      try db.sql("DELETE FROM photo_rendition WHERE photo = ?1").bind(photo).perform()
      try db.sql("DELETE FROM photo WHERE key = ?1").bind(photo).perform()
    }
    return true
  }

  private static func next(in db: Connection) throws(StorageError) -> PhotoKey? {
    let unwanted: PhotoKey? = try db.sql(
      "SELECT key FROM photo WHERE state = 3 AND state <> 1 LIMIT 1"
    ).one { $0.key(0) }
    if let unwanted { return unwanted }
    let forgotten: PhotoKey? = try db.sql(
      """
      SELECT photo.key FROM inventory CROSS JOIN photo ON photo.inventory = inventory.key
      WHERE state = 2 AND state <> 1 AND removed <= history_start LIMIT 1
      """
    ).one { $0.key(0) }
    guard let forgotten else { return nil }
    // No undo can restore the photo any more, so its id becomes free with the first step.
    try db.sql("UPDATE photo SET state = 3, id = randomblob(16) WHERE key = ?1").bind(forgotten)
      .perform()
    return forgotten
  }
}
