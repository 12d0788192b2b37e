import API
import Glibc
import Server

/// The limit of open descriptors of this process (getrlimit(2), `RLIMIT_NOFILE`).
enum DescriptorLimit {
  /// Descriptors besides connections: databases, logs, spools, loops and the administrators' socket.
  private static let others = 256 + SpoolRoom.standardCount

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  /// Raises the limit as far as `connections` need. Shells start with 1,024.
  ///
  /// - Returns: The limit, if it is still too low; else nil.
  static func raise(forConnections connections: Int) -> Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    let wanted = rlim_t(connections + others)
    let before = limit.rlim_cur
    guard before < wanted else { return nil }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    let now = setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before
    return now < wanted ? Int(clamping: now) : nil
  }
}
