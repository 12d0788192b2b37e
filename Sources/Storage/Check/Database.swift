import FoundationEssentials
import Inventory
import SQLite

/// Operations on a whole database file. No server may run on it.
package enum Database {
  /// Throws `missing` or `lost` if the file cannot be used. Does not open it.
  package static func requireThere(path: String) throws(StoreOpeningError) {
    _ = try StoreFile(existing: path)
  }

  /// Checks the file's invariants. Returns a sentence for each violation.
  ///
  /// - Parameter note: called with a sentence for each oddity that is no damage.
  package static func check(
    path: String, shape: TreeShape = TreeShape(), now: Date = Date(),
    progress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in },
    note: (String) -> Void = { _ in }
  ) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(existing: path)
    let lock = try StoreLock(database: file.path)
    let findings = try check(file, shape, now, progress, note)
    lock.release()
    return findings
  }

  /// Recomputes derived numbers. Returns a sentence for each wrong one.
  ///
  /// After a repair it raises all revisions, as a restore does, because clients may have read wrong numbers at the old
  /// revisions.
  package static func repairCounts(
    path: String, now: Date = Date()
  ) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(existing: path)
    let lock = try StoreLock(database: file.path)
    let mended = try repairCounts(file, now)
    lock.release()
    return mended
  }

  /// Migrates the schema. Returns the names of the applied migrations.
  package static func migrate(path: String) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(path: path)
    let lock = try StoreLock(database: file.path)
    let applied = try migrate(file)
    lock.release()
    return applied
  }

  // The connections close when these functions return, before the lock is released: closing one may write to the file.

  private static func check(
    _ file: StoreFile, _ shape: TreeShape, _ now: Date,
    _ progress: @escaping (Int, Int) -> Void, _ note: (String) -> Void
  ) throws(StoreOpeningError) -> [String] {
    let db = try file.openReader()
    let due: Int
    do throws(MigrationError) {
      due = try Schema.migrator.pending(db).count
    } catch { throw .opening(error, path: file.path) }
    guard due == 0 else { throw .outdated(path: file.path, due: due) }
    do throws(StorageError) {
      let check = InvariantCheck(db: db, shape: shape, progress: progress)
      let findings = try check.findings() + check.furtherFindings()
      do throws(SQLiteError) {
        if let time = try ChangeLog.latest(in: db, after: Timestamp(now)) {
          note(
            "The last change is from \(time), which is later than this machine's clock. "
              + "Check the clock.")
        }
      } catch { throw .sqlite(error) }
      return findings
    } catch { throw .wrapping(error, path: file.path) }
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
    } catch { throw .wrapping(error, path: file.path) }
  }

  private static func migrate(_ file: StoreFile) throws(StoreOpeningError) -> [String] {
    let isNew = !file.isThere
    do throws(StoreOpeningError) {
      return try file.migrate(try file.openWriter()).map { "\($0.number) \($0.name)" }
    } catch {
      if isNew { StoreFile.remove(at: file.path) }
      throw error
    }
  }
}
