import FoundationEssentials
import Inventory
import SQL

extension Database {
  /// Copies a database, whatever its schema, to a file that appears whole or not at all. A server may run on it, start
  /// or stop meanwhile, because the database is only read.
  ///
  /// The server is not involved. The WAL allows readers beside a writer in another process
  /// (https://www.sqlite.org/wal.html, 2.2), and this reader never checkpoints. So it also works while the server is
  /// stopped or stuck. The copy is written with the rights of the user who asks for it; a server may have access only
  /// to its own folder.
  package static func backUp(
    path: String, to target: String, replacing: Bool = false, shape: TreeShape = TreeShape(),
    progress: @escaping BackupProgress = { _, _ in true }
  ) throws(BackupError) -> Backup {
    let file: StoreFile
    let db: Connection
    do throws(StoreOpeningError) {
      file = try StoreFile(existing: path)
      db = try openBeside(file)
    } catch { throw .opening(error) }
    return try BackupMaker(file: file, shape: shape)
      .make(at: target, replacing: replacing, from: db, progress)
  }

  /// Makes a database from a backup, in the schema of this build.
  ///
  /// Its revisions are higher than all in the backup and, if this machine's clock is right, than all that clients have
  /// seen.
  ///
  /// - Parameter replacing: whether to move an existing database aside.
  package static func restore(
    from source: String, to path: String, replacing: Bool = false,
    shape: TreeShape = TreeShape(), now: Date = Date(),
    progress: @escaping BackupProgress = { _, _ in true }
  ) throws(BackupError) -> Restoration {
    guard !isOnServer(path) else { throw .opening(.onServer) }
    let source = try self.source(source)
    let target = StoreFile(replacing: path)
    // Before the lock, which cannot be taken if the source is a hard link.
    guard !target.owns(source.path) else { throw .itself(path: source.path) }
    let lock: StoreLock
    do throws(StoreOpeningError) { lock = try StoreLock(database: target.path) } catch {
      throw .opening(error)
    }
    let restoration = try Restorer(source: source, target: target, shape: shape, now: now)
      .restore(replacing: replacing, progress)
    lock.release()
    return restoration
  }

  /// Finds a backup to read. The error never suggests restoring another backup over this one.
  private static func source(_ path: String) throws(BackupError) -> StoreFile {
    do throws(StoreOpeningError) { return try StoreFile(existing: path) } catch {
      guard case .lost(let path, let log) = error else { throw .opening(error) }
      throw .noBackup(path: path, log: log)
    }
  }

  /// Opens a reader that neither prevents a server from starting nor disturbs it.
  ///
  /// The first connection after a crash recovers the WAL, and only one process may do that. Without a server it is done
  /// here, under the lock, which is released before the copy begins.
  private static func openBeside(_ file: StoreFile) throws(StoreOpeningError) -> Connection {
    do throws(StoreOpeningError) {
      let lock = try StoreLock(database: file.path)
      let db = try openReading(file)
      lock.release()
      return db
    } catch {
      guard case .inUse = error else { throw error }
      return try openReading(file)
    }
  }

  private static func openReading(_ file: StoreFile) throws(StoreOpeningError) -> Connection {
    let db = try file.openReader()
    // A server that is starting may be recovering the WAL.
    db.setBusyTimeout(milliseconds: 10_000)
    do throws(DatabaseError) {
      _ = try db.prepare("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
    } catch { throw .wrapping(error, path: file.path) }
    return db
  }
}

extension Database {
  /// Whether a file is a backup: a database of Rowhouse that is not in WAL mode. A store that may write to it makes it a
  /// server's database.
  ///
  /// Call this while the process does not have the file open, because closing a file releases SQLite's locks on it.
  package static func isBackup(path: String) -> Bool {
    guard !isOnServer(path) else { return false }
    let real = StoreFile.real(path)
    return StoreFile.isDatabase(real) && !StoreFile.isServed(real)
  }

  /// Removes the temporary files that killed processes have left when they copied to this path.
  package static func removeLeftovers(ofBackup path: String) {
    AtomicFile.removeLeftovers(of: path)
  }
}

extension DatabaseStore {
  /// Copies the database, as it is now, to a file that appears whole or not at all. Writes continue meanwhile. It runs
  /// on the caller's thread, and may take long.
  package func backUp(
    to target: String, replacing: Bool = false,
    progress: @escaping BackupProgress = { _, _ in true }
  ) throws(BackupError) -> Backup {
    guard let file else { throw .onServer }
    let db: Connection
    do throws(StoreOpeningError) { db = try file.openReader() } catch { throw .opening(error) }
    return try BackupMaker(file: file, shape: configuration.shape)
      .make(at: target, replacing: replacing, from: db, progress)
  }
}
