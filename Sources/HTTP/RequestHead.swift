/// The supported HTTP versions. Later minor versions are read as HTTP/1.1. The server refuses other major versions with
/// 505.
package enum Version: Sendable, Hashable {
  case http10, http11
}

/// A request's head, complete before any of its body is read.
package struct RequestHead: Sendable {
  package let method: Method
  package let version: Version
  package let fields: Fields
  /// The body's declared length in bytes. Nil without a body or for a chunked one.
  package let contentLength: Int?
  package let isChunked: Bool
  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  package let expectsContinue: Bool
  /// Whether the client wants to keep the connection after the response (RFC 9112 §9.3).
  package let keepsConnection: Bool
  /// Whether the request is `OPTIONS *`, which asks about the server instead of a resource.
  package let isAboutServer: Bool
  /// The name of a single-value field that was sent more than once. Refuse such a request.
  package let repeatedField: StaticString?
  /// The client's address. Nil in a head that no server read.
  package let peer: Peer?

  private(set) var path: Range<Int>
  let queryPart: Range<Int>?

  init(
    method: Method, version: Version, fields: Fields, framing: Framing, keepsConnection: Bool,
    target: Target, peer: Peer?
  ) {
    self.method = method
    self.version = version
    self.fields = fields
    self.keepsConnection = keepsConnection
    contentLength = framing.contentLength
    isChunked = framing.isChunked
    expectsContinue = framing.expectsContinue && version == .http11
    repeatedField = framing.repeated
    isAboutServer = target.isAboutServer
    path = target.path
    queryPart = target.query
    self.peer = peer
  }

  package var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

  /// The path as sent, without the query and a dropped prefix; "/" if nothing is left.
  package var rawPath: ArraySlice<UInt8> {
    path.isEmpty ? [0x2F] : fields.bytes[path]
  }

  /// The head without the path prefix, if the path begins with the prefix as whole segments. Otherwise the head
  /// unchanged.
  package func dropping(prefix: [UInt8]) -> RequestHead {
    guard fields.bytes[path].starts(with: prefix) else { return self }
    let rest = (path.lowerBound + prefix.count)..<path.upperBound
    guard rest.isEmpty || fields.bytes[rest.lowerBound] == 0x2F else { return self }
    var head = self
    head.path = rest
    return head
  }

  /// The query as sent, after the "?". Nil without one.
  package var rawQuery: ArraySlice<UInt8>? {
    queryPart.map { fields.bytes[$0] }
  }

  /// The path's segments, percent-decoded once. A trailing slash adds no empty segment.
  package func segments() -> [String] {
    var segments: [String] = []
    let bytes = fields.bytes
    var start = path.lowerBound + 1
    while start < path.upperBound {
      let end = bytes[start..<path.upperBound].firstIndex(of: 0x2F) ?? path.upperBound
      // The parser refuses paths that do not decode. Only a response to such a request sees one.
      segments.append(PercentEncoding.decode(bytes[start..<end]) ?? "")
      start = end + 1
    }
    return segments
  }

  /// The query's parameters in order, percent-decoded once, with "+" as a space. Nil if one does not decode.
  package func query() -> [(name: String, value: String)]? {
    guard let queryPart else { return [] }
    var parameters: [(name: String, value: String)] = []
    for pair in fields.bytes[queryPart].split(separator: 0x26) {
      let equals = pair.firstIndex(of: 0x3D)
      let name = pair[..<(equals ?? pair.endIndex)]
      let value = equals.map { pair[($0 + 1)...] } ?? []
      guard let name = PercentEncoding.decode(name, plusIsSpace: true),
        let value = PercentEncoding.decode(value, plusIsSpace: true)
      else { return nil }
      parameters.append((name, value))
    }
    return parameters
  }
}

extension RequestHead {
  /// Parses a head as a client would send it. Adds "Host: localhost" if there is no Host field.
  package init(
    method: Method, target: String, fields: Fields = Fields(), peer: Peer? = nil
  ) throws(RequestFault) {
    var text = Array("\(method.name) \(target) HTTP/1.1\r\n".utf8)
    if fields["host"] == nil { text += Array("Host: localhost\r\n".utf8) }
    for (name, value) in fields.all { text += Array("\(name): \(value)\r\n".utf8) }
    text += Array("\r\n".utf8)
    var parser = RequestParser(peer: peer)
    var offset = 0
    switch parser.next(text.span, from: &offset) {
    case .head(let head): self = head
    case .fault(let fault): throw fault
    case .more, .body, .end: throw .malformedRequestLine
    }
  }
}
