import API
import Glibc
import Server

/// How many descriptors this process may have open (getrlimit(2), `RLIMIT_NOFILE`).
enum DescriptorLimit {
  /// What databases, logs, spools, loops and the administrator's socket take besides connections.
  private static let others = 256 + SpoolRoom.standardCount

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  /// Raises it as far as it takes for so many connections; shells begin with 1,024.
  ///
  /// - Returns: what it stays at where that is not enough.
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
