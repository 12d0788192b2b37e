import Glibc

extension StoreFile {
  /// The path without links in it: the lock and the WAL stand beside the file itself, by whatever
  /// name it is opened.
  static func real(_ path: String) -> String {
    var path = path
    // As many links as the system follows (path_resolution(7)).
    for _ in 0..<40 {
      if let real = resolved(path) { return real }
      // The file is yet to be made, or is gone; its folder is there.
      let name = path.split(separator: "/").last.map(String.init) ?? path
      guard let folder = resolved(AtomicFile.folder(of: path)) else { return path }
      path = folder + (folder.hasSuffix("/") ? "" : "/") + name
      guard let target = target(ofLink: path) else { return path }
      path = target.hasPrefix("/") ? target : AtomicFile.folder(of: path) + "/" + target
    }
    return path
  }

  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Nil for what is no link.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether a file is in WAL mode, as a server leaves a database. Copies are not.
  ///
  /// https://www.sqlite.org/fileformat.html#file_format_version_numbers
  static func isServed(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 20)
    return fread(&start, 1, start.count, file) == start.count
      && start.starts(with: "SQLite format 3\0".utf8) && start[18] == 2 && start[19] == 2
  }

  /// Refuses a database that is gone while its log is left.
  ///
  /// SQLite would take it for a new one and remove the log, with the last changes of what was lost
  /// (https://www.sqlite.org/src/file/src/pager.c, pagerOpenWalIfPresent and hasHotJournal).
  ///
  /// - Parameter inUse: whether to say instead that a process still has it open, where one has.
  func requireNotLost(inUse: Bool) throws(StoreOpeningError) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard !isThere || status.st_size == 0 else { return }
    // A database begins as an empty file with a journal beside it.
    let logs = isThere ? ["-wal"] : ["-wal", "-journal"]
    guard let log = logs.first(where: { access(path + $0, F_OK) == 0 }) else { return }
    if inUse, access(path + ".lock", F_OK) == 0 { try StoreLock(database: path).release() }
    throw .lost(path: path, log: path + log)
  }
}
