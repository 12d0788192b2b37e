import HTTP

/// Refuses requests that pages of other sites make through a browser that reaches this server.
///
/// With DNS rebinding, a page's own host name points to this server, and `Host` contains that name. Other
/// cross-site requests have the page's origin in `Origin` or a mark in `Sec-Fetch-Site`
/// (https://www.w3.org/TR/fetch-metadata/). Reads are refused too, because a page that embeds a resource
/// learns whether the resource exists.
struct OriginPolicy: Sendable {
  /// Allowed host names in addition to loopback's, in lower case, without ports.
  var allowedHosts: [String] = []
  /// Origins whose pages have the same rights as this server's own.
  var crossOrigins = CrossOrigins([])

  /// The problem with a request's host or origin. Nil if both are allowed.
  func problem(with head: RequestHead) -> Problem? {
    // Unix sockets accept any host: only local programs reach them, such as a proxy that checks the host.
    if head.peer?.family != .unix, head.fields.withValue("host", Self.isUsual) == false,
      let host = head.fields["host"], !allows(host)
    {
      return Problem(
        .hostForbidden, "This server does not accept the host \(host). Allow it with --allow-host.")
    }
    let origin = head.fields["origin"]
    if let origin, crossOrigins.contains(origin) { return nil }
    if head.method.isSafe {
      // A WebSocket handshake has an `Origin`, but no `Sec-Fetch-Site`.
      guard head.method != .options,
        Self.isForeign(head) || origin.map({ !Self.isOwn($0, head) }) ?? false,
        Self.isPrivate(head)
      else { return nil }
      return Problem(
        .originForbidden,
        "Pages of other sites cannot read this. Allow their origin with --cors-origin.")
    }
    if let origin {
      guard Self.isOwn(origin, head) else {
        return Problem(
          .originForbidden,
          "Pages of \(origin) cannot change anything here. Allow this origin with --cors-origin.")
      }
    }
    guard !Self.isForeign(head) else {
      return Problem(.originForbidden, "Pages of other sites cannot change anything here.")
    }
    return nil
  }

  /// Whether a page of another origin caused the request, according to the browser. `same-site` includes other ports of
  /// this host, which may have another owner.
  private static func isForeign(_ head: RequestHead) -> Bool {
    guard let site = head.fields["sec-fetch-site"] else { return false }
    return site == "cross-site" || site == "same-site"
  }

  /// Whether the response depends on stored data. Other responses are the same on all servers, or are pages that links
  /// from any site may open.
  private static func isPrivate(_ head: RequestHead) -> Bool {
    let first = head.segments().first
    return first == "v1" || first == "metrics"
  }

  /// Whether the host is a name that nearly all requests have: `127.0.0.1`, `localhost` or `[::1]`. A fast path that
  /// makes no string.
  private static func isUsual(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
    func isNamed(_ name: StaticString) -> Bool {
      name.withUTF8Buffer { name in
        // The parser has already checked that only a port follows the colon.
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

  /// Whether the name is an address of 127.0.0.0/8 in dotted form.
  private static func isLoopback(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether the origin is this server's own.
  private static func isOwn(_ origin: String, _ head: RequestHead) -> Bool {
    guard let host = head.fields["host"] else { return false }
    return origin == "http://" + host || origin == "https://" + host
  }
}
