import Inventory
import SQL

/// Reads the metadata of photos, and compares photos with uploads.
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

  /// Whether a photo has the same bytes as an upload of the same size.
  static func hasBytes(
    of upload: UploadID, _ photo: PhotoID, in inventory: InventoryKey, _ db: Connection
  ) throws(StorageError) -> Bool {
    try db.sql(
      """
      SELECT NOT EXISTS (
        SELECT 1 FROM photo AS arrived JOIN photo AS present ON present.inventory = ?1 AND present.id = ?3
        JOIN photo_piece AS piece ON piece.photo = arrived.key
        LEFT JOIN photo_piece AS other ON other.photo = present.key AND other.number = piece.number
        WHERE arrived.inventory = ?1 AND arrived.id = ?2 AND piece.bytes IS DISTINCT FROM other.bytes)
      """
    ).bind(inventory).bind(upload).bind(photo).one { $0.bool(0) } ?? false
  }

  /// Whether a photo that was removed from its item has these values, and the caller saw it until then.
  ///
  /// - Parameter past: keeps what has been read of the log, for further photos.
  static func isRemoved(
    _ photo: TransferredPhoto, for access: Access, _ past: inout PastSight
  ) throws(StorageError) -> Bool {
    let found = try access.db.sql(
      """
      SELECT item, removed FROM photo WHERE inventory = ?1 AND id = ?2 AND state = 2
        AND (type, size, width, height, orientation) IS NOT DISTINCT FROM (?3, ?4, ?5, ?6, ?7)
      """
    ).bind(access.inventory).bind(photo.id).bind(photo.image.type.rawValue).bind(photo.size)
      .bind(photo.image.width).bind(photo.image.height).bind(photo.image.orientation)
      .one { ($0.key(0) as RowKey, Revision($0.int64(1))) }
    guard let (item, removed) = found else { return false }
    return try past.saw(item, at: removed)
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
    let changed = try db.sql(
      """
      UPDATE photo SET inventory = ?3, item = ?4, id = ?5, state = ?6, place = ?7, type = ?8,
        size = ?9, width = ?10, height = ?11, orientation = ?12, added = ?13, removed = ?14,
        created_at = ?15
      WHERE inventory = ?1 AND id = ?2 AND state = 0 AND item IN (0, ?4)
      """
    ).bind(staging).bind(upload).bind(home).bind(item).bind(id).bind(state.rawValue).bind(place)
      .bind(image.type.rawValue).bind(size).bind(image.width).bind(image.height)
      .bind(image.orientation).bind(revision.number)
      .bind(place == nil ? revision.number : nil).bind(createdAt.seconds)
      .performCounting()
    // The upload was deleted together with an inventory that an import replaced.
    guard changed == 1 else { throw .refused(.importGone) }
  }
}
