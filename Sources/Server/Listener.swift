import CLinux
import Glibc

/// A listening socket and the address it really has.
final class Listener: Sendable {
  let address: ListenAddress
  var raw: Int32 { descriptor.raw }

  /// Milliseconds after which a client that acknowledges nothing counts as gone.
  private static let unacknowledgedTime: Int32 = 60_000

  private let descriptor: Descriptor

  init(_ wanted: ListenAddress, unixMode: UInt32) throws(ServerError) {
    let family =
      switch wanted {
      case .v4: AF_INET
      case .v6: AF_INET6
      case .unix: AF_UNIX
      }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = socket(family, type, 0)
    guard raw >= 0 else {
      throw .failed(call: "socket", errno: errno, address: wanted)
    }
    descriptor = Descriptor(raw)
    switch wanted {
    case .v4(let host, let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw .badAddress(wanted) }
      Listener.setOptions(raw)
      try Listener.bind(raw, &address, wanted)
    case .v6(let host, let port):
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { throw .badAddress(wanted) }
      Listener.setOptions(raw)
      Listener.set(raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
      try Listener.bind(raw, &address, wanted)
    case .unix(let path):
      guard var address = sockaddr_un(path: path) else { throw .badAddress(wanted) }
      // The mode that the socket has before it is bound is the one its file is made with.
      _ = fchmod(raw, mode_t(unixMode))
      try Listener.removeStale(path, &address)
      try Listener.bind(raw, &address, wanted)
    }
    guard listen(raw, SOMAXCONN) == 0 else {
      throw .failed(call: "listen", errno: errno, address: wanted)
    }
    address = Listener.boundAddress(raw, wanted)
  }

  deinit {
    if case .unix(let path) = address { unlink(path) }
  }

  /// Accepted sockets inherit the options of TCP, which saves two calls for each.
  private static func setOptions(_ raw: Int32) {
    set(raw, SOL_SOCKET, SO_REUSEADDR, 1)
    set(raw, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // Without it a client that is cut off from the network holds an event stream for a quarter of an hour.
    set(raw, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, unacknowledgedTime)
  }

  private static func set(_ raw: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func bind<Address>(
    _ raw: Int32, _ address: inout Address, _ wanted: ListenAddress
  ) throws(ServerError) {
    let result = withSocketAddress(&address) { Glibc.bind(raw, $0, $1) }
    guard result == 0 else { throw .failed(call: "bind", errno: errno, address: wanted) }
  }

  /// Removes a socket's file that nobody listens on any more.
  private static func removeStale(
    _ path: String, _ address: inout sockaddr_un
  ) throws(ServerError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let probe = Descriptor(socket(AF_UNIX, type, 0))
    let result = withSocketAddress(&address) { connect(probe.raw, $0, $1) }
    if result == 0 { throw .socketInUse(path: path) }
    if errno == ECONNREFUSED { unlink(path) }
  }

  private static func boundAddress(_ raw: Int32, _ wanted: ListenAddress) -> ListenAddress {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    switch wanted {
    case .unix: return wanted
    case .v4(let host, _), .v6(let host, _):
      withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(raw, $0, &length) }
      }
      // The port stands at the same place in both families.
      let port = UInt16(bigEndian: storage.sin6_port)
      if case .v4 = wanted { return .v4(host, port: port) }
      return .v6(host, port: port)
    }
  }
}

/// Calls `body` with the address as the socket calls want it.
func withSocketAddress<Address, Result>(
  _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<Address>.size))
    }
  }
}

extension sockaddr_un {
  /// Nil if the path is empty or does not fit.
  init?(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &sun_path) { field in
      guard !bytes.isEmpty, bytes.count < field.count else { return false }
      field.copyBytes(from: bytes)
      return true
    }
    guard fits else { return nil }
  }
}
