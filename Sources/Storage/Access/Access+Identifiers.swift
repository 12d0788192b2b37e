import FoundationEssentials
import Inventory
import SQLite

/// Finds rows and photos by id. A purged row that still waits for its deletion loses its id when a write asks for it.
extension Access {
  /// The row that has an id.
  func taken(_ id: RowID) throws(StorageError) -> Entry? {
    guard let entry = try find(id) else { return nil }
    guard try visibility(entry.key, entry.parent) == .purged else { return entry }
    guard isWriting else { return nil }
    try db.sql("UPDATE row SET id = ?2 WHERE key = ?1").bind(entry.key)
      .bind(RowID(.version7())).perform()
    return nil
  }

  struct TakenPhoto {
    let key: PhotoKey
    /// The item's key.
    let item: RowKey
    /// Whether the item shows it; false for a photo that was removed or is still arriving.
    let isInPlace: Bool
  }

  /// The photo that has an id.
  func taken(_ id: PhotoID) throws(StorageError) -> TakenPhoto? {
    let found = try db.sql("SELECT key, item, state FROM photo WHERE inventory = ?1 AND id = ?2")
      .bind(inventory).bind(id).one {
        (
          key: $0.key(0) as PhotoKey, item: $0.key(1) as RowKey,
          state: PhotoRecord.State(rawValue: $0.int64(2))
        )
      }
    guard let (key, item, state) = found else { return nil }
    // An arriving photo may have no item yet.
    guard state != .arriving, try visibility(of: item) == .purged else {
      return TakenPhoto(key: key, item: item, isInPlace: state == .shown)
    }
    guard isWriting else { return nil }
    // Discards all photos of the item, as its deletion does.
    try db.sql(
      "UPDATE photo SET state = 3, place = NULL, id = randomblob(16) WHERE item = ?1"
    ).bind(item).perform()
    try db.sql("UPDATE row SET photo = NULL WHERE key = ?1").bind(item).perform()
    return nil
  }
}
