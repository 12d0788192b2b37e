import FoundationEssentials
import Inventory
import SQLite

extension Database {
  /// Copies a database, whatever its schema, to a file that appears whole or not at all. A server may
  /// run on it, or be started or stopped meanwhile: it is only read.
  ///
  /// The server is not asked to do it. Reading beside a writer in another process is what the write-ahead
  /// log is for (https://www.sqlite.org/wal.html, 2.2), this reader never checkpoints, and it is there
  /// also where the server is stopped or stuck. The copy is made by whoever asks for it, where they may
  /// write; a server may be allowed nothing but its own folder.
  package static func backUp(
    path: String, to target: String, replacing: Bool = false, shape: TreeShape = TreeShape(),
    progress: @escaping BackupProgress = { _, _ in true }
  ) throws(BackupError) -> Backup {
    let file = try existing(path)
    return try BackupMaker(file: file, shape: shape)
      .make(at: target, replacing: replacing, from: try openBeside(file), progress)
  }

  /// Makes a database of a backup, in the schema of this build.
  ///
  /// It goes on with higher revisions than any that the backup or, by its clock, this machine has seen.
  ///
  /// - Parameter replacing: whether a database that is there is to be put aside.
  package static func restore(
    from source: String, to path: String, replacing: Bool = false,
    shape: TreeShape = TreeShape(), now: Date = Date(),
    progress: @escaping BackupProgress = { _, _ in true }
  ) throws(BackupError) -> Restoration {
    let source = try self.source(source)
    let target = StoreFile(replacing: path)
    // Before the lock, which is not to be had where the source is a hard link.
    guard !target.owns(source.path) else { throw .itself(path: source.path) }
    let lock = try lock(target)
    let restoration = try Restorer(source: source, target: target, shape: shape, now: now)
      .restore(replacing: replacing, progress)
    lock.release()
    return restoration
  }

  private static func existing(_ path: String) throws(BackupError) -> StoreFile {
    do throws(StoreOpeningError) { return try StoreFile(existing: path) } catch {
      throw .opening(error)
    }
  }

  /// A backup to be read. The error never says to bring back another one in its place.
  private static func source(_ path: String) throws(BackupError) -> StoreFile {
    do throws(StoreOpeningError) { return try StoreFile(existing: path) } catch {
      guard case .lost(let path, let log) = error else { throw .opening(error) }
      throw .noBackup(path: path, log: log)
    }
  }

  /// A reader that neither keeps a server from starting nor is in its way while it does.
  ///
  /// The first to open a database after a crash takes over what is in its log, and only one may: without
  /// a server that is done here, under the lock, which is let go before the copy begins.
  private static func openBeside(_ file: StoreFile) throws(BackupError) -> Connection {
    do throws(StoreOpeningError) {
      let lock = try StoreLock(database: file.path)
      let db = try openReading(file)
      lock.release()
      return db
    } catch {
      guard case .inUse = error else { throw .opening(error) }
    }
    do throws(StoreOpeningError) { return try openReading(file) } catch { throw .opening(error) }
  }

  private static func openReading(_ file: StoreFile) throws(StoreOpeningError) -> Connection {
    let db = try file.openReader()
    // A server that is just starting may be at the log.
    db.setBusyTimeout(milliseconds: 10_000)
    do throws(SQLiteError) {
      _ = try db.prepare("SELECT count(*) FROM sqlite_schema").first { $0.int(0) }
    } catch { throw .wrapping(error, path: file.path) }
    return db
  }

  private static func lock(_ file: StoreFile) throws(BackupError) -> StoreLock {
    do throws(StoreOpeningError) { return try StoreLock(database: file.path) } catch {
      throw .opening(error)
    }
  }
}

extension SQLiteStore {
  /// Copies the database, as it is now, to a file that appears whole or not at all; changes go on
  /// meanwhile. It takes its time, on the caller's thread.
  package func backUp(
    to target: String, replacing: Bool = false,
    progress: @escaping BackupProgress = { _, _ in true }
  ) throws(BackupError) -> Backup {
    let db: Connection
    do throws(StoreOpeningError) { db = try file.openReader() } catch { throw .opening(error) }
    return try BackupMaker(file: file, shape: shape)
      .make(at: target, replacing: replacing, from: db, progress)
  }
}
