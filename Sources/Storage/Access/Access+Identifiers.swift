import FoundationEssentials
import Inventory
import SQLite

/// Which ids of an inventory are taken: what is gone for good, and only waits to be cleared away, gives its own up as
/// soon as somebody else asks for them.
extension Access {
  /// What has an id.
  func taken(_ id: RowID) throws(StorageError) -> Entry? {
    guard let entry = try find(id) else { return nil }
    guard try visibility(entry.key, entry.parent) == .purged else { return entry }
    guard isWriting else { return nil }
    try db.sql("UPDATE row SET id = ?2 WHERE key = ?1").bind(entry.key)
      .bind(RowID(.version7())).perform()
    return nil
  }

  struct TakenPhoto {
    let key: Int64
    /// The item's key.
    let item: Int64
    /// Whether it is one of the item's, and not taken away from it or still arriving.
    let isInPlace: Bool
  }

  /// The photo that has an id.
  func taken(_ id: PhotoID) throws(StorageError) -> TakenPhoto? {
    let found = try db.sql("SELECT key, item, state FROM photo WHERE inventory = ?1 AND id = ?2")
      .bind(inventory).bind(id).one {
        (key: $0.int64(0), item: $0.int64(1), state: PhotoRecord.State(rawValue: $0.int64(2)))
      }
    guard let (key, item, state) = found else { return nil }
    // What is arriving need not have an item yet.
    guard state != .arriving, try visibility(of: item) == .purged else {
      return TakenPhoto(key: key, item: item, isInPlace: state == .shown)
    }
    guard isWriting else { return nil }
    // All photos of the item go, as they do when it is cleared away.
    try db.sql(
      "UPDATE photo SET state = 3, place = NULL, id = randomblob(16) WHERE item = ?1"
    ).bind(item).perform()
    try db.sql("UPDATE row SET photo = NULL WHERE key = ?1").bind(item).perform()
    return nil
  }
}
