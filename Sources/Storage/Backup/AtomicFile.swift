import Glibc

/// A file that is written beside the place where it is to appear whole or not at all; without
/// `publish` it goes with the value.
struct AtomicFile: ~Copyable {
  let path: String
  private let target: String

  /// Makes an empty file that only its owner may read.
  init(for target: String) throws(BackupError) {
    self.target = target
    path = target + "." + String(UInt32.random(in: .min ... .max), radix: 36) + ".part"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(action: "make \(path)", code: errno) }
    // At once: closing any descriptor of a file lets go of all locks that SQLite has on it
    // (https://www.sqlite.org/howtocorrupt.html, 2.2).
    close(descriptor)
  }

  deinit { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) } }

  /// Makes the file durable under its final name, in place of what has that name if that is meant.
  ///
  /// - Throws: `exists` where something has the name and is not to be replaced.
  consuming func publish(replacing: Bool) throws(BackupError) {
    try Self.sync(path)
    if replacing {
      try move()
    } else if link(path, target) != 0 {
      // A link refuses a name that is taken, which a look beforehand can't promise; some file systems
      // have no links.
      guard errno != EEXIST, access(target, F_OK) != 0 else { throw .exists(path: target) }
      try move()
    }
    unlink(path)
    try Self.sync(Self.folder(of: target))
  }

  private borrowing func move() throws(BackupError) {
    guard rename(path, target) == 0 else {
      throw .system(action: "rename \(path) to \(target)", code: errno)
    }
  }

  /// Whether two paths lead to one file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return path[..<slash].isEmpty ? "/" : String(path[..<slash])
  }

  /// Waits until a file, or a folder's names, are on the disk.
  static func sync(_ path: String) throws(BackupError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(action: "open \(path)", code: errno) }
    defer { close(descriptor) }
    // Some network file systems know no sync of folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .system(action: "write \(path) to the disk", code: errno)
    }
  }
}
