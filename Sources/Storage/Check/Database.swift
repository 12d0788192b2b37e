import FoundationEssentials
import Inventory
import SQLite

/// What is done to a database file as a whole while no server runs on it.
package enum Database {
  /// Refuses a file that is missing, or lost; it is not opened.
  package static func requireThere(path: String) throws(StoreOpeningError) {
    _ = try StoreFile(existing: path)
  }

  /// Looks through the file for broken invariants; what it found, a sentence each.
  package static func check(
    path: String, shape: TreeShape = TreeShape(),
    progress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(existing: path)
    let lock = try StoreLock(database: file.path)
    let findings = try check(file, shape, progress)
    lock.release()
    return findings
  }

  /// Counts anew what is kept in numbers; what was wrong, a sentence each.
  ///
  /// If anything was, all revisions are raised as behind a restored backup: clients may have been
  /// shown what was wrong under those that there were.
  package static func repairCounts(
    path: String, now: Date = Date()
  ) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(existing: path)
    let lock = try StoreLock(database: file.path)
    let mended = try repairCounts(file, now)
    lock.release()
    return mended
  }

  /// Brings the schema up to date; the names of the migrations that were applied.
  package static func migrate(path: String) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(path: path)
    let lock = try StoreLock(database: file.path)
    let applied = try migrate(file)
    lock.release()
    return applied
  }

  // The connections end with these, before the lock: closing one may write to the file.

  private static func check(
    _ file: StoreFile, _ shape: TreeShape, _ progress: @escaping (Int, Int) -> Void
  ) throws(StoreOpeningError) -> [String] {
    let db = try file.openReader()
    let due: Int
    do throws(MigrationError) {
      due = try Schema.migrator.pending(db).count
    } catch { throw .opening(error, path: file.path) }
    guard due == 0 else { throw .outdated(path: file.path, due: due) }
    do throws(StorageError) {
      let check = InvariantCheck(db: db, shape: shape, progress: progress)
      return try check.findings() + check.furtherFindings()
    } catch { throw .damaged(path: file.path, "\(error)") }
  }

  private static func repairCounts(
    _ file: StoreFile, _ now: Date
  ) throws(StoreOpeningError) -> [String] {
    let db = try file.openWriter()
    let due: Int
    do throws(MigrationError) {
      due = try Schema.migrator.pending(db).count
    } catch { throw .opening(error, path: file.path) }
    guard due == 0 else { throw .outdated(path: file.path, due: due) }
    try file.settle(db)
    try file.prepareWriter(db, sizeLimit: nil)
    do throws(StorageError) {
      return try db.transaction(.immediate) { () throws(StorageError) in
        let mended = try CountRepair(db: db).mend()
        guard !mended.isEmpty else { return [] }
        do throws(SQLiteError) { try RevisionRebase(db: db, now: now).make() } catch {
          throw .sqlite(error)
        }
        return mended
      }
    } catch { throw .damaged(path: file.path, "\(error)") }
  }

  private static func migrate(_ file: StoreFile) throws(StoreOpeningError) -> [String] {
    try file.migrate(try file.openWriter()).map { "\($0.number) \($0.name)" }
  }
}
