import FoundationEssentials
import Glibc
import Inventory
import SQL

/// Restores a database from a backup.
///
/// It prepares a draft beside the database. As the last step, the draft takes the database's name.
struct Restorer {
  let source: StoreFile
  let target: StoreFile
  let shape: TreeShape
  let now: Date

  /// The suffixes of files that SQLite would apply to any database of the same name:
  /// https://www.sqlite.org/howtocorrupt.html, 1.4
  private static let logs = ["-journal", "-wal", "-shm"]

  /// Restores the backup. The caller holds the lock of the target, which is not the source.
  func restore(
    replacing: Bool, _ progress: @escaping BackupProgress
  ) throws(BackupError) -> Restoration {
    guard replacing || !target.isThere else { throw .exists(path: target.path) }
    AtomicFile.removeLeftovers(of: target.path, except: source.path)
    let draft = try AtomicFile(for: target.path)
    try copy(to: draft.path, progress)
    var restoration = try prepare(draft.path, progress)
    try giveToOwner(draft.path)
    // Sync now, because it takes long. A kill during the next steps can leave no database under its name.
    try AtomicFile.sync(draft.path)
    restoration.keptAside = try putAside()
    try draft.publish(replacing: true)
    return restoration
  }

  private func copy(to draft: String, _ progress: @escaping BackupProgress) throws(BackupError) {
    let db: Connection
    do throws(DatabaseError) { db = try Connection(path: source.path, mode: .readOnly) } catch {
      throw .opening(.wrapping(error, path: source.path))
    }
    let due: Int
    do throws(MigrationError) {
      // A foreign or newer file is refused before it is copied.
      due = try Schema.migrator.pending(db).count
    } catch { throw Self.refusal(error, of: source.path) }
    guard due < Schema.migrator.migrations.count else {
      throw .unsound(path: source.path, findings: ["it is empty"])
    }
    do throws(DatabaseError) {
      try db.transaction(.deferred) { () throws(DatabaseError) in
        _ = try db.prepare("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
        try db.backup(to: draft) { remaining, all in progress(all - remaining, all) }
      }
    } catch {
      throw error.isCorrupt
        ? .unsound(path: source.path, findings: [error.message])
        : .wrapping(error, path: draft)
    }
  }

  /// The error for a backup that cannot be read. It never suggests restoring another backup over this one.
  private static func refusal(_ error: MigrationError, of path: String) -> BackupError {
    switch StoreOpeningError.opening(error, path: path) {
    case .migration(.notADatabase):
      .unsound(path: path, findings: ["it is no database, or damaged"])
    case .damaged(_, let what): .unsound(path: path, findings: [what.description])
    case let other: .opening(other)
    }
  }

  /// Copies the old database's WAL into it, so that it is whole under any name.
  ///
  /// - Returns: its highest revision; nil if it is not a sound database of ours. Such a file stays as it is.
  private func settle() -> Int64? {
    guard StoreFile.start(of: target.path).starts(with: StoreFile.mark),
      let db = try? Connection(path: target.path, mode: .readWrite),
      (try? db.configure(.noCheckpointOnClose, true)) != nil,
      (try? Schema.migrator.pending(db)) != nil,
      let latest = try? db.prepare("SELECT max(revision) FROM inventory").first({ $0.int64(0) }),
      (try? db.checkpoint(.truncate)) != nil
    else { return nil }
    try? db.configure(.noCheckpointOnClose, false)
    return latest
  }

  /// Checks the draft, migrates its schema, and raises its revisions above all that clients have seen.
  private func prepare(
    _ draft: String, _ progress: @escaping BackupProgress
  ) throws(BackupError) -> Restoration {
    let verifier = BackupVerifier(shape: shape, progress: progress)
    let db = try verifier.open(draft)
    try verifier.look(through: db, as: source.path)
    let applied: [Migration]
    do throws(MigrationError) { applied = try Schema.migrator.migrate(db) } catch {
      throw .opening(.opening(error, path: source.path))
    }
    if !applied.isEmpty { try verifier.look(through: db, as: source.path) }
    return try rebase(db, above: settle() ?? 0, draft, applied)
  }

  private func rebase(
    _ db: Connection, above latest: Int64, _ draft: String, _ applied: [Migration]
  ) throws(BackupError) -> Restoration {
    do throws(DatabaseError) {
      try db.transaction(.immediate) { () throws(DatabaseError) in
        try RevisionRebase(db: db, now: now, latest: latest).make()
      }
      // A backup is not in WAL mode, and may be replaced by another one. A database must not.
      try db.execute("PRAGMA journal_mode = WAL")
      return Restoration(
        applied: applied.map { "\($0.number) \($0.name)" },
        inventories: try CopiedInventory.all(in: db),
        // A record with an id of zeros is not a token: see `TokenTable`.
        tokens: try db.prepare("SELECT count(*) FROM token WHERE id <> zeroblob(16)")
          .first { $0.int(0) } ?? 0,
        futureChange: try ChangeLog.latest(in: db, after: Timestamp(now)))
    } catch { throw .wrapping(error, path: draft) }
  }

  /// Gives the draft to the database's owner: the server may run as another user than the one who restores.
  private func giveToOwner(_ draft: String) throws(BackupError) {
    var status = stat()
    guard geteuid() == 0,
      stat(target.isThere ? target.path : AtomicFile.folder(of: target.path), &status) == 0
    else { return }
    guard chown(draft, status.st_uid, status.st_gid) == 0 else {
      throw .system(action: "give \(draft) to the owner of \(target.path)", code: errno)
    }
  }

  /// Renames the existing database. Returns the new name, or nil if there is none.
  private func putAside() throws(BackupError) -> String? {
    let logs = Self.logs.filter { access(target.path + $0, F_OK) == 0 }
    guard target.isThere || !logs.isEmpty else { return nil }
    let time = Timestamp(now).description.filter { $0 != "-" && $0 != ":" }
    let name = target.path + ".before-" + time
    var aside = name
    var number = 1
    while ([""] + Self.logs).contains(where: { access(aside + $0, F_OK) == 0 }) {
      number += 1
      aside = "\(name)-\(number)"
    }
    // With a link, the old database keeps its name until the new one takes it.
    if target.isThere, link(target.path, aside) != 0 { try rename("", to: aside) }
    for suffix in logs { try rename(suffix, to: aside) }
    try AtomicFile.sync(AtomicFile.folder(of: target.path))
    return aside
  }

  private func rename(_ suffix: String, to aside: String) throws(BackupError) {
    guard Glibc.rename(target.path + suffix, aside + suffix) == 0 else {
      throw .system(action: "rename \(target.path)\(suffix)", code: errno)
    }
  }
}

/// The result of a restore.
package struct Restoration: Sendable {
  /// The new name of the previous database. The files beside it were renamed too.
  package internal(set) var keptAside: String?
  /// The migrations that were applied to the backup.
  package let applied: [String]
  package let inventories: [CopiedInventory]
  /// The number of tokens in the backup, expired ones included. Those that were revoked since the backup are valid
  /// again.
  package let tokens: Int
  /// The time of the last change in the backup if it is later than this machine's clock, otherwise nil.
  package let futureChange: Timestamp?
}
