/// An answer, with its body or with what gives its body in pieces.
///
/// Date, Connection, Content-Length and Transfer-Encoding are the server's to write, and are left out if they stand
/// in `fields`. The body of an answer to HEAD is that of GET: the server counts it and leaves it out.
package struct Response: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    case stream(any BodySource)
  }

  package var status: Int
  package var fields: Fields
  package var body: Body
  /// The template of the path that was asked for, such as `/v1/lists/{listId}`, for whoever observes the server.
  package var route: StaticString?
  /// The id of the token that was shown, of 16 bytes, for whoever observes the server; it lets nobody in.
  package var token: (high: UInt64, low: UInt64)?
  /// The code of a refusal because some limit was reached, for whoever counts them.
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

  /// The body's bytes; none for a stream.
  package var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// What gives the body in pieces; nil for bytes.
  package var stream: (any BodySource)? {
    if case .stream(let stream) = body { stream } else { nil }
  }
}
