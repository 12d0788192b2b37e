import Inventory
import SQLite

/// The sweep as one of the writer's chores.
struct PhotoChore: Chore {
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    try PhotoSweep(db: db).step()
  }
}

/// Clears away, a little at a time, photos that nobody can get back: uploads that were broken off, what
/// was deleted longer ago than the log reaches, and what belonged to items that are gone for good.
///
/// Photos in sight are the most by far: `state <> 1` stands wherever others are looked for, so that SQLite can tell
/// that the index of those has them all (https://www.sqlite.org/partialindex.html, 2).
struct PhotoSweep {
  let db: Connection

  /// A mebibyte, which takes a few milliseconds.
  private static let piecesAtOnce = 16

  /// Gives up every upload; for the start, when nobody is sending any.
  static func discardUploads(in db: Connection) throws(SQLiteError) {
    try db.execute("UPDATE photo SET state = 3, id = randomblob(16) WHERE state = 0 AND state <> 1")
  }

  /// Gives up what has been staged of one upload, wherever it is by now: an inventory may have come in place of
  /// the one that it began in.
  static func discard(_ upload: UploadID, in db: Connection) throws(StorageError) {
    try db.sql(
      """
      UPDATE photo SET state = 3, id = randomblob(16) WHERE state = 0 AND state <> 1 AND id = ?1
      """
    ).bind(upload).perform()
  }

  /// One step; false if nothing was left to do.
  func step() throws(StorageError) -> Bool {
    guard let photo = try next() else { return false }
    try db.sql(
      """
      DELETE FROM photo_piece WHERE photo = ?1
        AND number IN (SELECT number FROM photo_piece WHERE photo = ?1 LIMIT ?2)
      """
    ).bind(photo).bind(Self.piecesAtOnce).perform()
    if db.changes < Self.piecesAtOnce {
      try db.sql("DELETE FROM photo WHERE key = ?1").bind(photo).perform()
    }
    return true
  }

  private func next() throws(StorageError) -> Int64? {
    let unwanted = try db.sql("SELECT key FROM photo WHERE state = 3 AND state <> 1 LIMIT 1").one {
      $0.int64(0)
    }
    if let unwanted { return unwanted }
    let forgotten = try db.sql(
      """
      SELECT photo.key FROM inventory CROSS JOIN photo ON photo.inventory = inventory.key
      WHERE state = 2 AND state <> 1 AND removed <= history_start LIMIT 1
      """
    ).one { $0.int64(0) }
    guard let forgotten else { return nil }
    // Nothing of it is left to come back to, however many steps it takes: its id is free from the first on.
    try db.sql("UPDATE photo SET state = 3, id = randomblob(16) WHERE key = ?1").bind(forgotten)
      .perform()
    return forgotten
  }
}
