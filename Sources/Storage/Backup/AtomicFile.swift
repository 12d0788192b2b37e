import FoundationEssentials
import Glibc

/// A file that appears under its name whole or not at all. It is written under a temporary name in the same folder, and
/// removed at the end of the value's life unless `publish` has succeeded.
struct AtomicFile: ~Copyable {
  let path: String
  private let target: String

  // A temporary name is that of the target, the mark, 16 digits, and the suffix. People choose no such names.
  private static let mark = ".rowhouse-"
  private static let suffix = ".part"

  /// Creates an empty file that only its owner can read.
  init(for target: String) throws(BackupError) {
    self.target = target
    path = target + Self.mark + String(UInt64.random(in: 1 << 60 ... .max), radix: 16) + Self.suffix
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(action: "create \(path)", code: errno) }
    // At once, because closing any descriptor of a file releases all of SQLite's locks on it
    // (https://www.sqlite.org/howtocorrupt.html, 2.2).
    close(descriptor)
  }

  deinit { StoreFile.remove(at: path) }

  /// Removes what earlier processes left when they were killed: their temporary files for the same target.
  ///
  /// - Parameter kept: a file that stays, because it is needed.
  static func removeLeftovers(of target: String, except kept: String? = nil) {
    let folder = folder(of: target)
    let name = target.split(separator: "/").last ?? ""
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where file.hasPrefix(name + mark) && file.hasSuffix(suffix) {
      let digits = file.dropFirst(name.count + mark.count).dropLast(suffix.count)
      guard digits.count == 16, UInt64(digits, radix: 16) != nil,
        !isSame(folder + "/" + file, kept)
      else { continue }
      StoreFile.remove(at: folder + "/" + file)
    }
  }

  /// Makes the file durable under its final name.
  ///
  /// - Throws: `exists` if the name is taken and `replacing` is false.
  consuming func publish(replacing: Bool) throws(BackupError) {
    try Self.sync(path)
    if replacing {
      try move()
    } else if link(path, target) != 0 {
      // Unlike a check beforehand, a link reliably refuses a taken name. Some file systems have no links.
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
  static func isSame(_ one: String, _ other: String?) -> Bool {
    guard let other else { return false }
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
    // Some network file systems cannot sync folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .system(action: "write \(path) to the disk", code: errno)
    }
  }
}
