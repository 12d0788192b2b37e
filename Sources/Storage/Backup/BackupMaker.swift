import Glibc
import Inventory
import SQL

/// Makes a backup with a reader of the database, beside its writer.
///
/// The pages are copied in one read transaction (https://www.sqlite.org/backup.html), so that writers continue, and no
/// write restarts the copy. VACUUM INTO would make a smaller file, but takes several times as long, and the WAL grows
/// all that time.
struct BackupMaker {
  let file: StoreFile
  let shape: TreeShape
  /// The maximum size of the WAL in bytes during the copy.
  var logLimit = 1 << 30

  func make(
    at target: String, replacing: Bool, from db: Connection,
    _ progress: @escaping BackupProgress
  ) throws(BackupError) -> Backup {
    try requireFree(target, replacing: replacing)
    // Checked before the copy, so that the error names this file and not the draft.
    do throws(StoreOpeningError) { _ = try file.pending(db) } catch { throw .opening(error) }
    let draft = try AtomicFile(for: target)
    let inventories = try copy(db, to: draft.path, progress)
    do throws(BackupError) {
      let verifier = BackupVerifier(shape: shape, progress: progress)
      try verifier.look(through: try verifier.open(draft.path), as: draft.path)
    } catch {
      guard case .unsound(_, let findings) = error else { throw error }
      throw .unsound(path: file.path, findings: findings)
    }
    guard let size = StoreFile.size(of: draft.path) else {
      throw .system(action: "read the size of \(draft.path)", code: errno)
    }
    try draft.publish(replacing: replacing)
    return Backup(path: target, size: size, inventories: inventories)
  }

  private func requireFree(_ target: String, replacing: Bool) throws(BackupError) {
    try Database.requireForeign(target, database: file.path, replacingBackups: true)
    guard let kind = StoreFile.kind(of: target) else { return }
    guard kind == S_IFREG else { throw .notAFile(path: target) }
    guard replacing else { throw .exists(path: target) }
  }

  private func copy(
    _ db: Connection, to draft: String, _ progress: @escaping BackupProgress
  ) throws(BackupError) -> [CopiedInventory] {
    var isCrowded = false
    do throws(DatabaseError) {
      return try db.transaction(.deferred) { () throws(DatabaseError) in
        let inventories = try CopiedInventory.all(in: db)
        try db.backup(to: draft) { remaining, all in
          isCrowded = StoreFile.size(of: file.path + "-wal") ?? 0 > logLimit
          return !isCrowded && progress(all - remaining, all)
        }
        return inventories
      }
    } catch {
      if isCrowded { throw .crowded(path: file.path, limit: logLimit) }
      if error.isCorrupt { throw .opening(.wrapping(error, path: file.path)) }
      throw .wrapping(error, path: draft)
    }
  }
}

extension StoreFile {
  /// Whether a path names the database or a file that belongs to it.
  func owns(_ other: String) -> Bool {
    Self.suffixes.contains { suffix in
      path + suffix == other || AtomicFile.isSame(path + suffix, other)
    }
  }
}

/// A verified copy of a whole database at one moment. It is on the disk.
package struct Backup: Sendable {
  package let path: String
  /// In bytes.
  package let size: Int
  /// The visible inventories in it, the default one first.
  package let inventories: [CopiedInventory]
}

/// Called now and then with the progress of a copy: the number of copied pages and of all pages, then of checked rows
/// and of all rows. Return false to cancel the copy.
package typealias BackupProgress = (_ done: Int, _ all: Int) -> Bool

/// An inventory in a copy, and its revision in the copy.
package struct CopiedInventory: Sendable, Equatable {
  package let id: InventoryID
  package let revision: Revision

  static func all(in db: Connection) throws(DatabaseError) -> [CopiedInventory] {
    // The first schemas had no hidden inventories.
    var hides = true
    if db.engine == .sqlite {
      hides =
        try db.prepare("SELECT count(*) FROM pragma_table_info('inventory') WHERE name = 'hidden'")
        .first { $0.bool(0) } ?? false
    }
    var all: [CopiedInventory] = []
    try db.prepare(
      "SELECT id, revision FROM inventory"
        + (hides ? " WHERE hidden = 0 ORDER BY coalesce(stands_for, key)" : " ORDER BY key")
    ).forEach { row in
      all.append(CopiedInventory(id: InventoryID(row.uuid(0)), revision: Revision(row.int64(1))))
    }
    return all
  }
}
