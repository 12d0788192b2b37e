import API
import Dispatch
import FoundationEssentials
import Glibc
import Inventory
import Storage
import Synchronization

/// Backs up a running server's database to a folder on a schedule, and keeps the newest backups.
///
/// A backup's name has the name of the database file, a digest of its path and of its default inventory's id, and the
/// time: rowhouse-1f2e3d4c-20261121T083000Z.sqlite. So several servers can share a folder, and each handles only its
/// own backups. The exception is a database and a restored copy of it that have the same path, on two machines or in
/// two containers. Their digests are equal, so each server also removes backups of the other.
///
/// After a start, the first backup is made when the newest one in the folder is old enough. So restarts neither add nor
/// delay backups.
final class BackupSchedule: Sendable {
  private let store: DatabaseStore
  private let log: Log
  private let folder: String
  /// The start of the names of this database's backups.
  private let prefix: String
  /// In seconds.
  private let interval: Int64
  private let kept: Int
  private let isStopped = Atomic(false)
  private let queue = DispatchQueue(label: "backups")
  private let success = Mutex<Int64?>(nil)

  /// The delay after a failure, in seconds.
  private static let retryInterval: Int64 = 600
  /// The longest pause between two looks at the clock, in seconds. The clock may be set meanwhile.
  private static let pause: Int64 = 60

  init(_ store: DatabaseStore, _ settings: ServeOptions.Backups, _ log: Log) throws(Failure) {
    let inventory: InventoryID
    do throws(InventoryError) {
      inventory = try store.makeSession().read(as: .local) { (snapshot) throws(InventoryError) in
        try snapshot.home().inventory
      }.get()
    } catch { throw Failure(ExitCode(error), "The database cannot be read: \(error)") }
    let name = store.path.split(separator: "/").last.map(String.init) ?? "rowhouse"
    let base = name.hasSuffix(Self.suffix) ? String(name.dropLast(Self.suffix.count)) : name
    let digest = SHA256.digest(of: Array((inventory.description + store.path).utf8))
      .prefix(4).map { String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined()
    prefix = "\(base)-\(digest)-"
    self.store = store
    self.log = log
    folder = settings.folder
    interval = settings.interval
    kept = settings.kept
  }

  /// When the last backup was made, in seconds since 1970; nil if there is none.
  var lastSuccess: Int64? { success.withLock { $0 } }

  func start() {
    let newest = copies(upTo: name(at: Int64(Glibc.time(nil)))).last
    success.withLock { $0 = newest.flatMap { Self.time(of: folder + "/" + $0) } }
    let due = lastSuccess.map { $0 + interval } ?? 0
    queue.async { [self] in step(due: due) }
  }

  /// Makes a backup if one is due, and schedules the next step.
  private func step(due: Int64) {
    guard !isStopped.load(ordering: .relaxed) else { return }
    var next = due
    let now = Int64(Glibc.time(nil))
    // A clock that was set back must not delay backups for long.
    if due <= now || due > now + interval {
      next = now + (copy(at: now) ? interval : min(interval, Self.retryInterval))
    }
    // A timer of the monotonic clock. On Linux, a semaphore's timeout would end at a time of the wall clock.
    let wait = min(max(next - Int64(Glibc.time(nil)), 0), interval, Self.pause)
    queue.asyncAfter(deadline: .now() + .seconds(Int(wait))) { [self, next] in step(due: next) }
  }

  /// Cancels the backup that is being made, if any, and waits for its end.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }

  /// Makes a backup. Returns false if that failed, and logs why.
  private func copy(at now: Int64) -> Bool {
    let start = ContinuousClock.now
    let name = name(at: now)
    do throws(BackupError) {
      let backup = try store.backUp(to: "\(folder)/\(name)") { [self] _, _ in
        !isStopped.load(ordering: .relaxed)
      }
      success.withLock { $0 = now }
      log.tell(.info, "Backup \(backup.summary(since: start))")
      removeOld(upTo: name)
      return true
    } catch {
      guard !isStopped.load(ordering: .relaxed) else { return false }
      log.tell(.error, "The backup to \(folder) failed: \(error.description)")
      return false
    }
  }

  /// Removes old backups, and temporary files of interrupted backups. Of the backups up to `newest`, the newest `kept`
  /// stay.
  ///
  /// Backups with a later time in their names were made while the clock was ahead. They do not count, and stay until
  /// that time has passed, because they may really be newer than the others.
  ///
  /// - Parameter newest: the name of the backup that was just made.
  private func removeOld(upTo newest: String) {
    for name in copies(upTo: newest).dropLast(kept) where unlink(folder + "/" + name) != 0 {
      log.tell(
        .warning,
        "The old backup \(folder)/\(name) cannot be removed: \(String(cString: strerror(errno))).")
    }
    for name in Set(names.filter(isOurs).map { $0.prefix(newest.count) }) {
      Database.removeLeftovers(ofBackup: folder + "/" + name)
    }
  }

  private static let suffix = ".sqlite"

  private func name(at time: Int64) -> String {
    prefix + Timestamp(seconds: time).description.filter { $0 != "-" && $0 != ":" } + Self.suffix
  }

  /// The names of this database's backups in the folder, up to `newest`, oldest first. They sort by the times in them.
  private func copies(upTo newest: String) -> [String] {
    names.filter { isOurs($0) && $0.count == newest.count && $0 <= newest }.sorted()
  }

  private static let stampLength = "20261121T083000Z".count

  /// Whether the name is that of a backup of this database, or of a temporary file of one.
  private func isOurs(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let rest = name.dropFirst(prefix.count)
    let stamp = rest.prefix(Self.stampLength)
    return stamp.count == Self.stampLength && stamp.allSatisfy { $0.isNumber || "TZ".contains($0) }
      && rest.dropFirst(Self.stampLength).hasPrefix(Self.suffix)
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static func time(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
  }
}
