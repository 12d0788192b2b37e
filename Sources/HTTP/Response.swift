/// A response with its body, as bytes or as a stream.
///
/// The server writes Date, Connection, Content-Length and Transfer-Encoding. It ignores them and Keep-Alive in
/// `fields`. A response to HEAD has the body of GET: the server sends its length and leaves the body out.
package struct Response: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    case stream(any BodySource)
    /// Nothing is sent, not even a head. The connection ends after the earlier responses. For tests of clients.
    case missing
  }

  package var status: Int
  package var fields: Fields
  package var body: Body
  /// The path template of the request, such as `/v1/lists/{listId}`, for logs and metrics.
  package var route: StaticString?
  /// The 16-byte id of the access token, for logs and metrics. It is not the secret.
  package var token: (high: UInt64, low: UInt64)?
  /// The code of a refusal because of a limit, for metrics.
  package var refusal: String?

  package init(status: Int, fields: Fields = Fields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = .bytes(body)
  }

  package init(status: Int, fields: Fields = Fields(), stream: any BodySource) {
    self.init(status: status, fields: fields)
    body = .stream(stream)
  }

  /// No response: the client sees its connection end.
  package static var missing: Response {
    var response = Response(status: 0)
    response.body = .missing
    return response
  }

  /// The body's bytes; empty for a stream.
  package var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// The body's source; nil for bytes.
  package var stream: (any BodySource)? {
    if case .stream(let stream) = body { stream } else { nil }
  }
}
