import Glibc

/// Keeps other processes away from a database: an advisory lock on a file beside it.
///
/// The kernel releases the lock when the process ends in any way, so the file may stay. A lock that created its file
/// removes it at the end.
struct StoreLock: ~Copyable {
  private let descriptor: Int32
  private let file: String
  private let isNew: Bool

  /// Throws `inUse`, `folder`, `notAFile`, `partOfDatabase`, `foreignLock`, `system`, or `hardLinked`
  /// (https://www.sqlite.org/howtocorrupt.html, section 2.5).
  init(database path: String) throws(StoreOpeningError) {
    guard !StoreFile.isPart(path) else { throw .partOfDatabase(path: path) }
    try Self.requireOneName(path)
    let name = path + ".lock"
    var opened = try Self.open(lockOf: path)
    while true {
      guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let holder = Self.process(in: opened.descriptor)
        close(opened.descriptor)
        throw .inUse(path: path, process: holder)
      }
      // Between open and lock, the previous holder may have removed the file, and another process may have locked a new
      // one.
      if Self.isFile(opened.descriptor, named: name) { break }
      close(opened.descriptor)
      opened = try Self.open(lockOf: path)
    }
    guard Self.isOurs(opened.descriptor) else {
      close(opened.descriptor)
      throw .foreignLock(path: path)
    }
    (descriptor, isNew, file) = (opened.descriptor, opened.isNew, name)
    let process = Array("\(getpid())\n".utf8)
    // The process id is only for the error message; the lock does not need it.
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, process, process.count, 0)
  }

  /// Releases the lock. Otherwise it is released with the value.
  consuming func release() {}

  deinit {
    if isNew, Self.isFile(descriptor, named: file) { unlink(file) }
    // A process that is being spawned shares the descriptor until its program starts. If this process only closed the
    // descriptor, the other one would hold the lock until then.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func open(
    lockOf path: String
  ) throws(StoreOpeningError) -> (descriptor: Int32, isNew: Bool) {
    let file = path + ".lock"
    let made = Glibc.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard made < 0 else { return (made, true) }
    let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // A symbolic link (open(2)).
      if errno == ELOOP { throw .foreignLock(path: path) }
      throw .system(action: "open \(file)", code: errno)
    }
    return (descriptor, false)
  }

  private static func requireOneName(_ path: String) throws(StoreOpeningError) {
    // First, because folders have several links.
    try StoreFile.requireRegular(path)
    var status = stat()
    guard stat(path, &status) == 0, status.st_nlink > 1 else { return }
    throw .hardLinked(path: path, other: otherName(of: path, status))
  }

  /// Another name of the same file in its folder.
  private static func otherName(of path: String, _ status: stat) -> String? {
    let folder = AtomicFile.folder(of: path)
    guard let names = opendir(folder) else { return nil }
    defer { closedir(names) }
    while let entry = readdir(names) {
      guard entry.pointee.d_ino == status.st_ino else { continue }
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let other = folder == "/" ? "/" + name : folder + "/" + name
      guard path != other, path != name, AtomicFile.isSame(path, other) else { continue }
      return other
    }
    return nil
  }

  private static func isFile(_ descriptor: Int32, named file: String) -> Bool {
    var (here, there) = (stat(), stat())
    return fstat(descriptor, &here) == 0 && stat(file, &there) == 0
      && here.st_ino == there.st_ino && here.st_dev == there.st_dev
  }

  private static func process(in descriptor: Int32) -> Int32? {
    Int32(String(decoding: start(of: descriptor).prefix { $0 != 10 }, as: UTF8.self))
  }

  /// Whether a lock file is empty or holds a process id. Other files must not be overwritten.
  private static func isOurs(_ descriptor: Int32) -> Bool {
    let bytes = start(of: descriptor)
    // A power failure may leave zeros.
    return bytes.count < startSize
      && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 10 || $0 == 0 }
  }

  /// The first bytes of a lock file. A process id is shorter.
  private static func start(of descriptor: Int32) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: startSize)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return bytes.prefix(max(0, count))
  }

  private static let startSize = 16
}
