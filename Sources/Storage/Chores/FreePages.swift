import Inventory
import SQL

/// Returns unused pages of the file to the disk, if there are many.
///
/// https://www.sqlite.org/pragma.html#pragma_incremental_vacuum
struct FreePages: Chore {
  /// The free bytes that are kept for later writes. A quarter of the file is kept if that is more than this.
  var rest = 16 << 20

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    guard try areMany(in: db) else { return false }
    // SQLite moves the file's last pages to free ones, and rewrites the pages that point to them. The work is short,
    // but the commit has much to sync.
    try db.sql("PRAGMA incremental_vacuum(64)").each { _ in }
    return try areMany(in: db)
  }

  private func areMany(in db: Connection) throws(StorageError) -> Bool {
    try db.sql(
      """
      SELECT freelist_count * page_size > ?1 AND freelist_count > page_count / 4
      FROM pragma_freelist_count, pragma_page_size, pragma_page_count
      """
    ).bind(rest).one { $0.bool(0) } ?? false
  }
}
