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
