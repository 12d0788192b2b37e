import HTTP

/// Keeps pages of other sites from speaking to this server through a browser on its machine.
///
/// A page whose name is made to point here (DNS rebinding) sends its own name as `Host`; a page that
/// sends forms or fetches elsewhere is named in `Origin`, or marked by `Sec-Fetch-Site`
/// (https://www.w3.org/TR/fetch-metadata/). A page that only embeds an answer learns whether there is one, so
/// reads are refused as well.
struct OriginPolicy: Sendable {
  /// Names without ports, in lower case, beside those of loopback.
  var allowedHosts: [String] = []
  /// Pages of these may do what pages of this server's own may.
  var crossOrigins = CrossOrigins([])

  /// What is wrong with a request's origin; nil if nothing is.
  func problem(with head: RequestHead) -> Problem? {
    // Only a program on this machine reaches a Unix socket, such as a proxy that vouches for the host.
    if head.peer?.family != .unix, head.fields.withValue("host", Self.isUsual) == false,
      let host = head.fields["host"], !allows(host)
    {
      return Problem(
        .hostForbidden, "This server does not accept the host \(host). Allow it with --allow-host.")
    }
    let origin = head.fields["origin"]
    if let origin, crossOrigins.contains(origin) { return nil }
    if head.method.isSafe {
      // A handshake of a WebSocket has an origin, but no `Sec-Fetch-Site`.
      guard head.method != .options, Self.isPrivate(head),
        Self.isForeign(head) || origin.map({ !Self.isOwn($0, head) }) ?? false
      else { return nil }
      return Problem(
        .originForbidden,
        "Pages of other sites can not read this. Allow their origin with --cors-origin.")
    }
    if let origin {
      guard Self.isOwn(origin, head) else {
        return Problem(
          .originForbidden,
          "Pages of \(origin) can not change anything here. Allow this origin with --cors-origin.")
      }
    }
    guard !Self.isForeign(head) else {
      return Problem(.originForbidden, "Pages of other sites can not change anything here.")
    }
    return nil
  }

  /// Whether a browser says that a page of another origin has had it send this. Another port of the same host is
  /// `same-site`, and need not be the same owner's.
  private static func isForeign(_ head: RequestHead) -> Bool {
    guard let site = head.fields["sec-fetch-site"] else { return false }
    return site == "cross-site" || site == "same-site"
  }

  /// Whether the path's answer depends on what is stored. Pages, which people reach by links from anywhere, and
  /// what is the same on all servers do not.
  private static func isPrivate(_ head: RequestHead) -> Bool {
    let first = head.segments().first
    return first == "v1" || first == "metrics"
  }

  /// Whether it is one of the names that nearly all requests have, told without making a string of it.
  private static func isUsual(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
    func isNamed(_ name: StaticString) -> Bool {
      name.withUTF8Buffer { name in
        // Behind a name and a colon the parser lets nothing pass but a port.
        host.starts(with: name) && (host.count == name.count || host[name.count] == 0x3A)
      }
    }
    return isNamed("127.0.0.1") || isNamed("localhost") || isNamed("[::1]")
  }

  private func allows(_ host: String) -> Bool {
    var name = host[...]
    if let colon = name.lastIndex(of: ":"), name.last != "]" { name = name[..<colon] }
    let lowered = name.lowercased()
    return lowered == "localhost" || Self.isLoopback(lowered) || allowedHosts.contains(lowered)
  }

  /// 127.0.0.0/8 in its usual form.
  private static func isLoopback(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether the origin is that of this server's own pages.
  private static func isOwn(_ origin: String, _ head: RequestHead) -> Bool {
    guard let host = host(ofOrigin: origin) else { return false }
    return host == head.fields["host"]
  }

  /// `https://HOST:PORT` without its scheme; nil for `null` and whatever else is no origin.
  private static func host(ofOrigin origin: String) -> String? {
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return String(origin.dropFirst(scheme.count))
    }
    return nil
  }
}

extension Method {
  /// Asks for nothing to be changed (RFC 9110 §9.2.1).
  fileprivate var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }
}
