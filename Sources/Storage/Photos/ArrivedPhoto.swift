import Inventory
import SQLite

/// The metadata of a photo whose bytes have been staged.
struct ArrivedPhoto {
  let upload: UploadID
  let id: PhotoID
  let image: ImageMetadata
  /// In bytes.
  let size: Int
  let createdAt: Timestamp
  /// The revision of the change that adds it.
  let revision: Revision

  /// Turns the staged bytes into a photo of the item. Without a place it stays invisible.
  ///
  /// - Parameters:
  ///   - staging: the inventory in which it was staged.
  ///   - home: the item's inventory.
  func take(
    from staging: InventoryKey, into home: InventoryKey, item: RowKey, place: Int?,
    in db: Connection
  ) throws(StorageError) {
    try db.sql(
      """
      UPDATE photo SET inventory = ?3, item = ?4, id = ?5, state = ?6, place = ?7, type = ?8,
        size = ?9, width = ?10, height = ?11, orientation = ?12, added = ?13, removed = ?14,
        created_at = ?15
      WHERE inventory = ?1 AND id = ?2 AND state = 0 AND item IN (0, ?4)
      """
    ).bind(staging).bind(upload).bind(home).bind(item).bind(id).bind(
      (place == nil ? PhotoRecord.State.removed : .shown).rawValue
    )
    .bind(place).bind(image.type.rawValue).bind(size).bind(image.width).bind(image.height)
    .bind(image.orientation).bind(revision.number)
    .bind(place == nil ? revision.number : nil).bind(createdAt.seconds).perform()
    // It was deleted together with an inventory that an import replaced.
    guard db.changes == 1 else { throw .refused(.importGone) }
  }
}

extension ArrivedPhoto {
  init(_ new: NewPhoto, at time: Timestamp, revision: Revision) {
    self.init(
      upload: new.upload, id: new.id, image: new.image, size: new.size, createdAt: time,
      revision: revision)
  }

  init(_ photo: TransferredPhoto, revision: Revision) throws(StorageError) {
    guard let upload = photo.upload else { throw .refused(.importGone) }
    self.init(
      upload: upload, id: photo.id, image: photo.image, size: photo.size,
      createdAt: photo.createdAt, revision: revision)
  }
}
