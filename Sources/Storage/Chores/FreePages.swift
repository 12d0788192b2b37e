import Inventory
import SQLite

/// Returns unused pages of the file to the disk, if there are many.
///
/// https://www.sqlite.org/pragma.html#pragma_incremental_vacuum
struct FreePages: Chore {
  /// The free bytes that are kept for later writes. A quarter of the file is kept too.
  var rest = 16 << 20

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    guard try areMany(in: db) else { return false }
    // SQLite moves the file's last pages to free ones, and rewrites the pages that point to them. The work is short,
    // but the commit has much to sync.
    try db.sql("PRAGMA incremental_vacuum(64)").each { _ in }
    return try areMany(in: db)
  }

  private func areMany(in db: Connection) throws(StorageError) -> Bool {
    let free = try number("PRAGMA freelist_count", db)
    guard free > 0 else { return false }
    let size = try number("PRAGMA page_size", db)
    let all = try number("PRAGMA page_count", db)
    return free * size > rest && free > all / 4
  }

  private func number(_ pragma: StaticString, _ db: Connection) throws(StorageError) -> Int {
    try db.sql(pragma).one { $0.int(0) } ?? 0
  }
}
