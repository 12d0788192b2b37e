import Glibc
import Server

/// The listening sockets that a service manager opened for this process, as sd_listen_fds(3) has it:
/// `LISTEN_FDS` of them from descriptor 3 on, if `LISTEN_PID` is this process.
enum HandedDownSockets {
  static var addresses: [ListenAddress] {
    guard let process = number("LISTEN_PID"), process == getpid(),
      let count = number("LISTEN_FDS"), (1...most).contains(count)
    else { return [] }
    return (0..<count).map { .inherited(descriptor: 3 + $0) }
  }

  private static let most: Int32 = 100

  private static func number(_ name: String) -> Int32? {
    getenv(name).flatMap { Int32(String(cString: $0)) }
  }
}
