import CLinux
import Glibc

/// A listening socket and its real address.
final class Listener: Sendable {
  let address: ListenAddress
  var raw: Int32 { descriptor.raw }

  /// Milliseconds after which a client that acknowledges nothing counts as gone.
  private static let unacknowledgedTime: Int32 = 60_000

  private let descriptor: Descriptor
  /// The file to remove with the listener; nil for an inherited socket.
  private let ownPath: String?
  private let isInherited: Bool

  init(_ wanted: ListenAddress, unixMode: UInt32) throws(ServerError) {
    let wanted = try wanted.resolved()
    isInherited = if case .inherited = wanted { true } else { false }
    let family =
      switch wanted {
      case .v4: AF_INET
      case .v6: AF_INET6
      case .unix: AF_UNIX
      case .inherited, .named: AF_UNSPEC
      }
    if case .inherited(let raw) = wanted {
      descriptor = Descriptor(raw)
      ownPath = nil
      try Listener.adopt(raw, wanted)
      address = Listener.boundAddress(raw) ?? wanted
      return
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = socket(family, type, 0)
    guard raw >= 0 else {
      throw .failed(call: "socket", errno: errno, address: wanted)
    }
    descriptor = Descriptor(raw)
    ownPath = try Listener.bind(raw, wanted, unixMode)
    guard listen(raw, SOMAXCONN) == 0 else {
      throw .failed(call: "listen", errno: errno, address: wanted)
    }
    address = Listener.boundAddress(raw) ?? wanted
  }

  deinit {
    if let ownPath { unlink(ownPath) }
  }

  /// Whether a client waits to be accepted (poll(2)).
  var hasClient: Bool {
    var event = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) == 1 && event.revents & Int16(POLLIN) != 0
  }

  /// Makes the kernel refuse new clients. Those of an inherited socket wait for the next server.
  func refuse() {
    if !isInherited { _ = shutdown(descriptor.raw, Int32(SHUT_RDWR)) }
  }

  /// Binds the socket. Returns the path of the file that this created.
  private static func bind(
    _ raw: Int32, _ wanted: ListenAddress, _ unixMode: UInt32
  ) throws(ServerError) -> String? {
    switch wanted {
    case .v4(let host, let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw .badAddress(wanted) }
      setOptions(raw)
      try bind(raw, &address, wanted)
    case .v6(let host, let port):
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { throw .badAddress(wanted) }
      setOptions(raw)
      set(raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
      try bind(raw, &address, wanted)
    case .unix(let path, let mode):
      guard var address = sockaddr_un(path: path) else { throw .badAddress(wanted) }
      // The file is created with the mode that the socket has before binding.
      _ = fchmod(raw, mode_t(mode ?? unixMode))
      try removeStale(path, &address)
      try bind(raw, &address, wanted)
      // The umask removed bits from the file's mode. An explicit mode is meant exactly.
      if let mode { _ = chmod(path, mode_t(mode)) }
      return path
    case .inherited, .named: break
    }
    return nil
  }

  private static func bind<Address>(
    _ raw: Int32, _ address: inout Address, _ wanted: ListenAddress
  ) throws(ServerError) {
    let result = withSocketAddress(&address) { Glibc.bind(raw, $0, $1) }
    guard result == 0 else { throw .failed(call: "bind", errno: errno, address: wanted) }
  }

  /// Configures an inherited socket for the loops.
  private static func adopt(_ raw: Int32, _ wanted: ListenAddress) throws(ServerError) {
    try wanted.requireListening()
    guard fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK) == 0,
      fcntl(raw, F_SETFD, FD_CLOEXEC) == 0
    else { throw .failed(call: "fcntl", errno: errno, address: wanted) }
    setOptions(raw)
  }

  /// Accepted sockets inherit the TCP options, which saves two calls each. A Unix socket has none.
  private static func setOptions(_ raw: Int32) {
    set(raw, SOL_SOCKET, SO_REUSEADDR, 1)
    set(raw, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // Without it, a client that loses its network holds an event stream for a quarter of an hour.
    set(raw, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, unacknowledgedTime)
  }

  private static func set(_ raw: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Removes a socket's file if no process listens on it. Never removes other files.
  private static func removeStale(
    _ path: String, _ address: inout sockaddr_un
  ) throws(ServerError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let probe = Descriptor(socket(AF_UNIX, type, 0))
    let result = withSocketAddress(&address) { connect(probe.raw, $0, $1) }
    if result == 0 { throw .socketInUse(path: path) }
    if errno == ECONNREFUSED { unlink(path) }
  }

  /// The address that the kernel reports for the socket; nil for other families.
  private static func boundAddress(_ raw: Int32) -> ListenAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(raw, $0, &length) }
    }
    let family = Int32(storage.ss_family)
    return withUnsafeBytes(of: &storage) { bytes in
      // Both families have the port at the same offset, and the address after it.
      let port = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      switch family {
      case AF_INET: return .v4(text(family, bytes.baseAddress.map { $0 + 4 }), port: port)
      case AF_INET6: return .v6(text(family, bytes.baseAddress.map { $0 + 8 }), port: port)
      case AF_UNIX:
        return .unix(path: String(decoding: bytes[2...].prefix { $0 != 0 }, as: UTF8.self))
      default: return nil
      }
    }
  }

  private static func text(_ family: Int32, _ address: UnsafeRawPointer?) -> String {
    let bytes = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count))
      return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Calls `body` with the address in the form that socket calls need.
package func withSocketAddress<Address, Result>(
  _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<Address>.size))
    }
  }
}

extension sockaddr_un {
  /// Nil if the path is empty or too long.
  package init?(path: String) {
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
