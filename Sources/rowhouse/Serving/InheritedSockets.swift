import Glibc
import Server

/// The listening sockets from a service manager (sd_listen_fds(3)): `LISTEN_FDS` of them from descriptor 3 on, if
/// `LISTEN_PID` is this process.
enum InheritedSockets {
  static var addresses: [ListenAddress] {
    guard let process = number("LISTEN_PID"), process == getpid(),
      let count = number("LISTEN_FDS"), (1...most).contains(count)
    else { return [] }
    return (0..<count).map { .inherited(descriptor: 3 + $0) }
  }

  /// Checks that the inherited descriptors are listening sockets. Call it before the server opens a file: the file
  /// would get the number of a descriptor that was not inherited, and be taken for it.
  ///
  /// - Throws: `unavailable` if an inherited descriptor is not a listening socket.
  static func require(_ addresses: [ListenAddress]) throws(Failure) {
    do throws(ServerError) {
      for address in addresses { try address.requireListening() }
    } catch { throw Failure(error) }
  }

  private static let most: Int32 = 100

  private static func number(_ name: String) -> Int32? {
    getenv(name).flatMap { Int32(String(cString: $0)) }
  }
}
