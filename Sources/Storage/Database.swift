import Inventory
import SQLite

/// What is done to a database file as a whole while no server runs on it.
package enum Database {
  /// Looks through the file for broken invariants; what it found, a sentence each.
  package static func check(
    path: String, shape: TreeShape = TreeShape(),
    progress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(existing: path)
    let lock = try StoreLock(database: file.path)
    let db = try file.openReader()
    let due: Int
    do throws(MigrationError) {
      due = try Schema.migrator.pending(db).count
    } catch { throw .opening(error, path: path) }
    guard due == 0 else { throw .outdated(path: path, due: due) }
    let findings: [String]
    do throws(StorageError) {
      findings = try InvariantCheck(db: db, shape: shape, progress: progress).findings()
    } catch {
      throw .damaged(path: path, "\(error)")
    }
    lock.release()
    return findings
  }

  /// Brings the schema up to date; the names of the migrations that were applied.
  package static func migrate(path: String) throws(StoreOpeningError) -> [String] {
    let file = try StoreFile(path: path)
    let lock = try StoreLock(database: file.path)
    let db = try file.openWriter()
    let applied: [Migration]
    do throws(MigrationError) {
      applied = try Schema.migrator.migrate(db)
    } catch { throw .opening(error, path: path) }
    lock.release()
    return applied.map { "\($0.number) \($0.name)" }
  }
}
