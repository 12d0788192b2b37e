import Glibc

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
}
