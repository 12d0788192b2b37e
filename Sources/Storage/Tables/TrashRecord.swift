import Inventory
import SQLite

/// The former place of a deleted row.
struct TrashRecord {
  var list: Int64
  var index: Int
  var previous: RowID?
  var next: RowID?
  /// Whether the list has been purged.
  var isRehomed = false

  static func find(_ row: Int64, in db: Connection) throws(StorageError) -> TrashRecord? {
    try db.sql("SELECT list, place, previous, next, rehomed FROM trash WHERE row = ?1")
      .bind(row).one { row in
        TrashRecord(
          list: row.int64(0), index: row.count(1),
          previous: row.isNull(2) ? nil : RowID(row.uuid(2)),
          next: row.isNull(3) ? nil : RowID(row.uuid(3)), isRehomed: row.bool(4))
      }
  }

  /// The change that deleted a row, and the list it was in; nil if the row is not in the trash.
  static func deletion(
    of row: Int64, in db: Connection
  ) throws(StorageError) -> (revision: Revision, list: Int64, isRehomed: Bool)? {
    try db.sql("SELECT revision, list, rehomed FROM trash WHERE row = ?1").bind(row).one {
      (revision: Revision($0.int64(0)), list: $0.int64(1), isRehomed: $0.bool(2))
    }
  }

  func insert(
    row: Int64, inventory: InventoryKey, revision: Revision, at time: Timestamp, by actor: String?,
    in db: Connection
  ) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO trash (row, inventory, list, place, previous, next, revision, deleted_at, actor)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    ).bind(row).bind(inventory).bind(list).bind(index).bind(previous).bind(next)
      .bind(revision.number).bind(time.seconds).bind(actor).perform()
  }

  static func remove(_ row: Int64, in db: Connection) throws(StorageError) {
    try db.sql("DELETE FROM trash WHERE row = ?1").bind(row).perform()
  }
}
