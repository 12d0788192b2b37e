import Glibc

/// Keeps a second process away from a database: an advisory lock on a file beside it.
///
/// The kernel lets go of the lock when the process ends, however it ends, so the file may stay.
struct StoreLock: ~Copyable {
  private let descriptor: Int32

  init(database path: String) throws(StoreOpeningError) {
    let file = path + ".lock"
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(action: "open \(file)", code: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.process(in: descriptor)
      close(descriptor)
      throw .inUse(path: path, process: holder)
    }
    let process = Array("\(getpid())\n".utf8)
    // Only for the message above: the lock holds without it.
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, process, process.count, 0)
  }

  /// Lets go; without it the lock goes with the value.
  consuming func release() {}

  deinit {
    // A process that is being spawned has the descriptor, too, until its program starts: closing alone would leave the
    // lock with it for that moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func process(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self))
  }
}
