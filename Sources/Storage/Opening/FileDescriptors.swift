import Glibc
import SQLite

/// The file descriptors of this process.
enum FileDescriptors {
  /// Whether an error code says that no descriptor is left, in this process or in the whole system.
  static func areMissing(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

  /// Whether no file can be opened now. SQLite does not report why it could not open one.
  static var areUsedUp: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return areMissing(errno)
  }

  /// The message for the operator: the failed action and the remedy.
  static func complaint(_ action: String) -> String {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return "\(action): no file descriptor is left, of \(limit.rlim_cur) (RLIMIT_NOFILE). "
      + "Raise it (ulimit -n), or lower --connections."
  }
}

extension SQLiteError {
  /// Whether a file could not be opened because no descriptor is left. Ask right after the error.
  var isOutOfDescriptors: Bool { isCannotOpen && FileDescriptors.areUsedUp }
}
