import Foundation

/// A loopback port that the system gives to no other socket while this value exists.
///
/// A server that listens there explicitly still can, and so can the next one after it. In between,
/// connections are refused. A port that was merely free could meanwhile belong to another test's server.
///
/// It is bound and does not listen, which others may do beside it (socket(7), `SO_REUSEADDR`).
package final class HeldPort: Sendable {
  package let number: UInt16
  private let holder: Int32

  package init() throws {
    let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard holder >= 0 else { throw SystemFault("socket") }
    self.holder = holder
    var isShared: Int32 = 1
    setsockopt(
      holder, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(holder, $0, length) + getsockname(holder, $0, &length)
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    guard code == 0 else { throw SystemFault("bind") }
  }

  deinit { close(holder) }

  package var address: String { "127.0.0.1:\(number)" }
}
