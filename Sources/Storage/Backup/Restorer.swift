import FoundationEssentials
import Glibc
import Inventory
import SQLite

/// Brings a database back from a backup.
///
/// All is done to a draft beside the database, which takes its name as the last step.
struct Restorer {
  let source: StoreFile
  let target: StoreFile
  let shape: TreeShape
  let now: Date

  /// What SQLite keeps beside a database, and would apply to whatever has its name:
  /// https://www.sqlite.org/howtocorrupt.html, 1.4
  private static let logs = ["-journal", "-wal", "-shm"]

  /// The caller holds the lock of the target, which is not the source.
  func restore(
    replacing: Bool, _ progress: @escaping BackupProgress
  ) throws(BackupError) -> Restoration {
    guard replacing || !target.isThere else { throw .exists(path: target.path) }
    let draft = try AtomicFile(for: target.path)
    try copy(to: draft.path, progress)
    let restoration = try prepare(draft.path, progress)
    try giveAway(draft.path)
    // Here, where it takes long: from now on to its end a kill could leave no database at all.
    try AtomicFile.sync(draft.path)
    let aside = try putAside()
    try draft.publish(replacing: true)
    return Restoration(
      keptAside: aside, applied: restoration.applied, inventories: restoration.inventories,
      tokens: restoration.tokens)
  }

  /// https://www.sqlite.org/fileformat.html#the_database_header
  private var isDatabase: Bool {
    let mark = Array("SQLite format 3\0".utf8)
    guard let file = fopen(target.path, "r") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: mark.count)
    return fread(&start, 1, start.count, file) == mark.count && start == mark
  }

  private func copy(to draft: String, _ progress: @escaping BackupProgress) throws(BackupError) {
    let db: Connection
    do throws(SQLiteError) { db = try Connection(path: source.path, mode: .readOnly) } catch {
      throw .opening(.wrapping(error, path: source.path))
    }
    let due: Int
    do throws(MigrationError) {
      // What is foreign or newer is refused before anything is made of it.
      due = try Schema.migrator.pending(db).count
    } catch { throw Self.refusal(error, of: source.path) }
    guard due < Schema.migrator.migrations.count else {
      throw .unsound(path: source.path, findings: ["it is empty"])
    }
    do throws(SQLiteError) {
      try db.transaction(.deferred) { () throws(SQLiteError) in
        _ = try db.prepare("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
        try db.backup(to: draft) { remaining, all in progress(all - remaining, all) }
      }
    } catch {
      throw error.isCorrupt
        ? .unsound(path: source.path, findings: [error.message])
        : .wrapping(error, path: draft)
    }
  }

  /// What is said of a backup that cannot be read: never to bring back another in its place.
  private static func refusal(_ error: MigrationError, of path: String) -> BackupError {
    switch StoreOpeningError.opening(error, path: path) {
    case .migration(.notADatabase):
      .unsound(path: path, findings: ["it is no database, or damaged"])
    case .damaged(_, let what): .unsound(path: path, findings: [what])
    case let other: .opening(other)
    }
  }

  /// Has the old database take in what its log still holds, so that it is whole under any name.
  ///
  /// - Returns: its highest revision; nil where it is no sound database of ours, which stays as it is.
  private func settle() -> Int64? {
    guard isDatabase, let db = try? Connection(path: target.path, mode: .readWrite),
      (try? db.configure(.noCheckpointOnClose, true)) != nil,
      (try? Schema.migrator.pending(db)) != nil,
      let latest = try? db.prepare("SELECT max(revision) FROM inventory").first({ $0.int64(0) }),
      (try? db.checkpoint(.truncate)) != nil
    else { return nil }
    try? db.configure(.noCheckpointOnClose, false)
    return latest
  }

  /// Looks through the draft, brings its schema up to date and its revisions above all that were seen.
  private func prepare(
    _ draft: String, _ progress: @escaping BackupProgress
  ) throws(BackupError) -> Restoration {
    let check = BackupVerifier(shape: shape)
    let db = try check.open(draft)
    try look(through: db, by: check, progress)
    let applied: [Migration]
    do throws(MigrationError) { applied = try Schema.migrator.migrate(db) } catch {
      throw .opening(.opening(error, path: source.path))
    }
    if !applied.isEmpty { try look(through: db, by: check, progress) }
    try requireClock(after: db, draft)
    return try leap(db, above: settle() ?? 0, draft, applied)
  }

  private func leap(
    _ db: Connection, above latest: Int64, _ draft: String, _ applied: [Migration]
  ) throws(BackupError) -> Restoration {
    do throws(SQLiteError) {
      try db.transaction(.immediate) { () throws(SQLiteError) in
        try RevisionRebase(db: db, now: now, latest: latest).make()
      }
      return Restoration(
        keptAside: nil, applied: applied.map { "\($0.number) \($0.name)" },
        inventories: try CopiedInventory.all(in: db),
        // One with an id of zeros is no token: see `TokenTable`.
        tokens: try db.prepare("SELECT count(*) FROM token WHERE id <> zeroblob(16)")
          .first { $0.int(0) } ?? 0)
    } catch { throw .wrapping(error, path: draft) }
  }

  /// Revisions go by the clock.
  private func requireClock(after db: Connection, _ draft: String) throws(BackupError) {
    let lastChange: Int64
    do throws(SQLiteError) {
      lastChange = try db.prepare("SELECT max(at) FROM change").first { $0.int64(0) } ?? 0
    } catch { throw .wrapping(error, path: draft) }
    guard lastChange <= Timestamp(now).seconds else { throw .clockBehind }
  }

  private func look(
    through db: Connection, by check: BackupVerifier, _ progress: @escaping BackupProgress
  ) throws(BackupError) {
    try check.look(through: db, source.path, progress)
  }

  /// The server need not run as whoever restores.
  private func giveAway(_ draft: String) throws(BackupError) {
    var status = stat()
    guard geteuid() == 0,
      stat(target.isThere ? target.path : AtomicFile.folder(of: target.path), &status) == 0
    else { return }
    guard chown(draft, status.st_uid, status.st_gid) == 0 else {
      throw .system(action: "give \(draft) to the owner of \(target.path)", code: errno)
    }
  }

  /// Gives what is there another name; nil if nothing is.
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
    // By a link the old one keeps its name until the new one takes it.
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

/// A database that has been brought back from a backup.
package struct Restoration: Sendable {
  /// What was there before has this name now, with the files beside it.
  package let keptAside: String?
  /// The migrations that the backup had to be brought up to date with.
  package let applied: [String]
  package let inventories: [CopiedInventory]
  /// How many tokens let people in, as they did at the time of the backup.
  package let tokens: Int
}
