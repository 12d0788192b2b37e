import FoundationEssentials
import Inventory

extension Database {
  /// Copies a database that no server runs on, whatever its schema, to a file that appears whole or
  /// not at all.
  package static func backUp(
    path: String, to target: String, replacing: Bool = false, shape: TreeShape = TreeShape(),
    progress: @escaping CopyProgress = { _, _ in true }
  ) throws(CopyError) -> Backup {
    let file = try existing(path)
    let lock = try lock(file)
    let backup = try BackupMaker(file: file, shape: shape)
      .make(at: target, replacing: replacing, progress)
    lock.release()
    return backup
  }

  /// Makes a database of a backup, in the schema of this build.
  ///
  /// It goes on with higher revisions than any that the backup or, by its clock, this machine has seen.
  ///
  /// - Parameter replacing: whether a database that is there is to be put aside.
  package static func restore(
    from source: String, to path: String, replacing: Bool = false,
    shape: TreeShape = TreeShape(), now: Date = Date(),
    progress: @escaping CopyProgress = { _, _ in true }
  ) throws(CopyError) -> Restoration {
    let source = try existing(source)
    let target: StoreFile
    do throws(StoreOpeningError) { target = try StoreFile(path: path) } catch {
      throw .opening(error)
    }
    let lock = try lock(target)
    let restoration = try Restorer(source: source, target: target, shape: shape, now: now)
      .restore(replacing: replacing, progress)
    lock.release()
    return restoration
  }

  private static func existing(_ path: String) throws(CopyError) -> StoreFile {
    do throws(StoreOpeningError) { return try StoreFile(existing: path) } catch {
      throw .opening(error)
    }
  }

  private static func lock(_ file: StoreFile) throws(CopyError) -> StoreLock {
    do throws(StoreOpeningError) { return try StoreLock(database: file.path) } catch {
      throw .opening(error)
    }
  }
}

extension SQLiteStore {
  /// Copies the database, as it is now, to a file that appears whole or not at all; changes go on
  /// meanwhile. It takes its time, on the caller's thread.
  package func backUp(
    to target: String, replacing: Bool = false, progress: @escaping CopyProgress = { _, _ in true }
  ) throws(CopyError) -> Backup {
    try BackupMaker(file: file, shape: shape).make(at: target, replacing: replacing, progress)
  }
}
