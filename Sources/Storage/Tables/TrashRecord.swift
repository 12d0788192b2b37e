import Inventory
import SQL

/// The former place of a deleted row, and its deletion.
struct TrashRecord {
  var list: RowKey
  var index: Int
  var previous: RowID?
  var next: RowID?
  /// Whether the list that the row was in has been purged. `list` is then another one, whose readers see the row.
  var isRehomed = false
  /// The revision of the deletion.
  var revision: Revision
  var deletedAt: Timestamp
  var actor: String

  /// Whether the row was deleted from this list, and the list has not been purged since.
  func isFrom(_ list: RowKey) -> Bool { self.list == list && !isRehomed }

  /// Nil if the row is not in the trash.
  static func find(_ row: RowKey, in db: Connection) throws(StorageError) -> TrashRecord? {
    try db.sql(
      """
      SELECT list, place, previous, next, rehomed, revision, deleted_at, actor
      FROM trash WHERE row = ?1
      """
    ).bind(row).one { row in
      TrashRecord(
        list: row.key(0), index: row.count(1),
        previous: row.isNull(2) ? nil : RowID(row.uuid(2)),
        next: row.isNull(3) ? nil : RowID(row.uuid(3)), isRehomed: row.bool(4),
        revision: Revision(row.int64(5)), deletedAt: row.time(6), actor: row.string(7))
    }
  }

  func insert(row: RowKey, inventory: InventoryKey, in db: Connection) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO trash
        (row, inventory, list, place, previous, next, revision, deleted_at, actor, rehomed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """
    ).bind(row).bind(inventory).bind(list).bind(index).bind(previous).bind(next)
      .bind(revision.number).bind(deletedAt.seconds).bind(actor).bind(isRehomed).perform()
  }

  static func remove(_ row: RowKey, in db: Connection) throws(StorageError) {
    try db.sql("DELETE FROM trash WHERE row = ?1").bind(row).perform()
  }
}

/// The record in the log. The step that takes a row out of the trash keeps it, and so does the step that puts it back.
extension TrashRecord {
  /// The fields with spaces between them, the actor last. A minus before the list says that `isRehomed`.
  ///
  /// - Parameter step: the revision of the step. The revision of the deletion is stored as its distance from the step,
  ///   because restoring a backup raises both by the same number (`RevisionRebase`).
  func logged(by step: Revision) -> [UInt8] {
    let age = step.number - revision.number
    let neighbours = [previous, next].map { $0?.description ?? "-" }.joined(separator: " ")
    return Array(
      "\(isRehomed ? "-" : "")\(list) \(index) \(age) \(deletedAt.seconds) \(neighbours) \(actor)"
        .utf8)
  }

  /// Nil for bytes that no write logs.
  init?(logged bytes: [UInt8], by step: Revision) {
    let fields = String(decoding: bytes, as: UTF8.self)
      .split(separator: " ", maxSplits: 6, omittingEmptySubsequences: false).map { String($0) }
    guard fields.count == 7, let list = Int64(fields[0]), let index = Int(fields[1]), index >= 0,
      let age = Int64(fields[2]), (1...step.number).contains(age),
      let seconds = Int64(fields[3]), Timestamp.range.contains(Timestamp(seconds: seconds))
    else { return nil }
    self.init(
      list: RowKey(abs(max(list, -.max))), index: index, previous: RowID(text: fields[4]),
      next: RowID(text: fields[5]), isRehomed: list < 0,
      revision: Revision(step.number - age), deletedAt: Timestamp(seconds: seconds),
      actor: fields[6])
  }
}
