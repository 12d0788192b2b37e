import Inventory
import SQL

/// Removes what the last process left unfinished: uploads, imports, new orders of lists, and tokens of purged lists.
///
/// A store does this when it is opened. Serving does not depend on it, so if the disk is full, it is left to
/// housekeeping.
struct StartupChore: Chore {
  let changesTree = true
  private let imports: [ImportID]
  private let lastUpload: PhotoKey

  /// Notes what is unfinished now, before this process begins uploads and imports of its own.
  init(in db: Connection) throws(StorageError) {
    imports = try Staging.all(for: nil, in: db)
    lastUpload =
      try db.sql("SELECT coalesce(max(key), 0) FROM photo").one { $0.key(0) }
      ?? PhotoKey(0)
  }

  /// Does the work of a startup chore. If the disk has no room for it, returns the chore, otherwise nil.
  static func performed(
    in db: Connection, of medium: any StoreMedium
  ) throws(StoreOpeningError) -> StartupChore? {
    do throws(StorageError) {
      let chore = try StartupChore(in: db)
      do throws(StorageError) {
        try db.transaction(.immediate) { () throws(StorageError) in
          try chore.perform(in: db)
          // The next new order that is alone does this too, so it is not left to housekeeping.
          try Arrangement.abandonAll(in: db)
        }
        return nil
      } catch {
        guard case .database(let cause) = error, medium.isFull(cause) else { throw error }
        return chore
      }
    } catch { throw .wrapping(error, path: medium.path) }
  }

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    try perform(in: db)
    return false
  }

  private func perform(in db: Connection) throws(StorageError) {
    try SearchIndex.prepare(db)
    try PhotoSweep.discardUploads(upTo: lastUpload, in: db)
    try TokenTable(db: db).removeOrphans()
    try Staging.abandon(imports, in: db)
  }
}
