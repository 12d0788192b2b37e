import Inventory
import SQLite

/// Reads the metadata of photos.
struct PhotoRecord {
  /// The codes of the column `state`. Statements contain them as numbers if a partial index requires it.
  enum State: Int64 {
    case arriving = 0
    case shown, removed
    /// `PhotoSweep` will delete it.
    case discarded
  }

  /// An item's photos in order.
  static func all(of item: RowKey, in db: Connection) throws(StorageError) -> [Photo] {
    try db.sql(
      """
      SELECT id, type, width, height, orientation, size, added, created_at FROM photo
      WHERE item = ?1 AND place IS NOT NULL ORDER BY place
      """
    ).bind(item).all { (row) throws(StorageError) in
      guard let type = ImageType(rawValue: row.string(1)) else {
        throw .broken("item \(item): a photo has no type")
      }
      return Photo(
        id: PhotoID(row.uuid(0)),
        image: ImageMetadata(
          type: type, width: row.intOrNil(2), height: row.intOrNil(3),
          orientation: row.intOrNil(4)),
        size: row.count(5), revision: Revision(row.int64(6)),
        createdAt: row.time(7))
    }
  }

  static func ids(of item: RowKey, in db: Connection) throws(StorageError) -> [PhotoID] {
    try db.sql("SELECT id FROM photo WHERE item = ?1 AND place IS NOT NULL ORDER BY place")
      .bind(item).all { PhotoID($0.uuid(0)) }
  }
}

extension TransferredPhoto {
  /// Turns its staged bytes into a photo of the item. Without a place it stays invisible.
  ///
  /// - Parameters:
  ///   - revision: the revision of the change that adds it.
  ///   - staging: the inventory in which it was staged.
  ///   - home: the item's inventory.
  func take(
    at revision: Revision, from staging: InventoryKey, into home: InventoryKey, item: RowKey,
    place: Int? = nil, in db: Connection
  ) throws(StorageError) {
    guard let upload else { throw .refused(.importGone) }
    let state: PhotoRecord.State = place == nil ? .removed : .shown
    try db.sql(
      """
      UPDATE photo SET inventory = ?3, item = ?4, id = ?5, state = ?6, place = ?7, type = ?8,
        size = ?9, width = ?10, height = ?11, orientation = ?12, added = ?13, removed = ?14,
        created_at = ?15
      WHERE inventory = ?1 AND id = ?2 AND state = 0 AND item IN (0, ?4)
      """
    ).bind(staging).bind(upload).bind(home).bind(item).bind(id).bind(state.rawValue).bind(place)
      .bind(image.type.rawValue).bind(size).bind(image.width).bind(image.height)
      .bind(image.orientation).bind(revision.number)
      .bind(place == nil ? revision.number : nil).bind(createdAt.seconds).perform()
    // It was deleted together with an inventory that an import replaced.
    guard db.changes == 1 else { throw .refused(.importGone) }
  }
}
