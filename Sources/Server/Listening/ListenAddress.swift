import Glibc

/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `unix:PATH`, `unix:PATH?mode=0660` or
/// `fd:3`. Port 0 selects a free port.
package enum ListenAddress: Sendable, Hashable {
  case v4(String, port: UInt16)
  case v6(String, port: UInt16)
  /// A host name, which `resolved` looks up.
  case named(String, port: UInt16)
  /// A socket in the file system. Without a mode, its file gets the server's default.
  case unix(path: String, mode: UInt32? = nil)
  /// A listening socket, inherited from the process that started this one (sd_listen_fds(3)).
  case inherited(descriptor: Int32)

  /// Nil if the text has none of these forms. Whether the address exists is checked on binding.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      guard let address = Self.unix(text.dropFirst(5)) else { return nil }
      self = address
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(Self.isDigit), let port = UInt16(digits) else {
      return nil
    }
    let host = text[..<colon]
    if host == "fd" {
      self = .inherited(descriptor: Int32(port))
    } else if host.hasPrefix("["), host.hasSuffix("]") {
      self = .v6(String(host.dropFirst().dropLast()), port: port)
    } else if host.isEmpty || !host.utf8.allSatisfy(Self.isOfName) {
      return nil
    } else if host.utf8.allSatisfy({ Self.isDigit($0) || $0 == UInt8(ascii: ".") }) {
      self = .v4(String(host), port: port)
    } else {
      self = .named(String(host), port: port)
    }
  }

  /// Parses `PATH` or `PATH?mode=0660`.
  private static func unix(_ text: Substring) -> ListenAddress? {
    guard let mark = text.firstRange(of: "?mode=") else { return .unix(path: String(text)) }
    let digits = text[mark.upperBound...]
    guard (3...4).contains(digits.utf8.count), let mode = UInt32(digits, radix: 8), mode <= 0o777
    else { return nil }
    return .unix(path: String(text[..<mark.lowerBound]), mode: mode)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: isDigit(byte)
    }
  }
}

extension ListenAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .v4(let host, let port): "\(host):\(port)"
    case .v6(let host, let port): "[\(host)]:\(port)"
    case .named(let host, let port): "\(host):\(port)"
    case .unix(let path, nil): "unix:\(path)"
    case .unix(let path, let mode?): "unix:\(path)?mode=0\(String(mode, radix: 8))"
    case .inherited(let descriptor): "fd:\(descriptor)"
    }
  }
}

extension ListenAddress {
  /// The address, with a host name resolved to its first IPv4 address, else its first IPv6 address (getaddrinfo(3)).
  ///
  /// Throws `unknownHost` if there is none.
  package func resolved() throws(ServerError) -> ListenAddress {
    guard case .named(let host, let port) = self else { return self }
    for family in [AF_INET, AF_INET6] {
      if let text = Self.address(of: host, family) {
        return family == AF_INET ? .v4(text, port: port) : .v6(text, port: port)
      }
    }
    throw .unknownHost(host)
  }

  private static func address(of host: String, _ family: Int32) -> String? {
    var hints = addrinfo()
    hints.ai_family = family
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0, let found else { return nil }
    defer { freeaddrinfo(found) }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        found.pointee.ai_addr, found.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
        NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Throws if this is an inherited descriptor that is not a listening socket.
  package func requireListening() throws(ServerError) {
    guard case .inherited(let descriptor) = self else { return }
    var listens: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 else {
      throw .failed(call: "getsockopt", errno: errno, address: self)
    }
    guard listens != 0 else { throw .badAddress(self) }
  }
}
