import Inventory
import SQLite

/// Gives room in the file that nothing fills any more back to the disk, where there is much of it.
///
/// https://www.sqlite.org/pragma.html#pragma_incremental_vacuum
struct FreePages: Chore {
  /// So many bytes are left for what comes next, and so is a quarter of the file.
  var rest = 16 << 20

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    guard try areMany(in: db) else { return false }
    // The file's last pages go to where free ones are, each written anew with what leads to it: no long work, but much
    // for the commit to sync.
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
