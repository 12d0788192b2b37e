import Foundation
import Support

/// Many connections to a server that are never read. Each costs the test one descriptor.
final class Crowd {
  private var sockets: [Int32] = []

  /// Whether this machine lets a process have that many connections, and some files beside them.
  static func isPermitted(_ count: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
    let needed = rlim_t(count + 500)
    if limit.rlim_cur >= needed { return true }
    guard limit.rlim_max >= needed else { return false }
    limit.rlim_cur = limit.rlim_max
    return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
  }

  init(_ count: Int, port: UInt16) throws {
    for _ in 0..<count { sockets.append(try Self.connect(port)) }
  }

  deinit {
    for socket in sockets { close(socket) }
  }

  /// A socket that is the caller's to close.
  static func connect(_ port: UInt16) throws -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Foundation.socket(AF_INET, type, 0)
    guard socket >= 0 else { throw SystemFault("socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let fault = SystemFault("connect")
      close(socket)
      throw fault
    }
    return socket
  }

  /// Each sends these bytes; answers how many could.
  func send(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    return sockets.count { socket in
      Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
  }

  /// Reads what each has been sent so far, waiting for the first of it; answers how many got an answer of this status.
  func answers(_ status: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    return sockets.count { socket in
      var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard Foundation.poll(&waited, 1, 600_000) > 0 else { return false }
      let count = recv(socket, &buffer, buffer.count, 0)
      return count > 0
        && String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("HTTP/1.1 \(status) ")
    }
  }
}
