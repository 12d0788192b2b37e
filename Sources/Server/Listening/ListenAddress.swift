/// Where to listen: `127.0.0.1:8080`, `[::1]:8080`, `unix:PATH` or `fd:3`; port 0 takes a free one.
package enum ListenAddress: Sendable, Hashable {
  case v4(String, port: UInt16)
  case v6(String, port: UInt16)
  case unix(path: String)
  /// A socket that listens already, handed down by who started this process (sd_listen_fds(3)).
  case inherited(descriptor: Int32)

  /// Nil if the text is none of the four forms; whether the address exists is seen on binding.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      self = .unix(path: String(text.dropFirst(5)))
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(digits)
    else { return nil }
    let host = text[..<colon]
    if host == "fd" {
      self = .inherited(descriptor: Int32(port))
      return
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      self = .v6(String(host.dropFirst().dropLast()), port: port)
    } else if !host.isEmpty, !host.contains(":") {
      self = .v4(String(host), port: port)
    } else {
      return nil
    }
  }
}

extension ListenAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .v4(let host, let port): "\(host):\(port)"
    case .v6(let host, let port): "[\(host)]:\(port)"
    case .unix(let path): "unix:\(path)"
    case .inherited(let descriptor): "fd:\(descriptor)"
    }
  }
}
