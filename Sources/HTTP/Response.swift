/// A whole answer.
///
/// Date, Connection, Content-Length and Transfer-Encoding are the server's to write, and are left out if they stand
/// in `fields`. The body of an answer to HEAD is that of GET: the server counts it and leaves it out.
package struct Response: Sendable {
  package var status: Int
  package var fields: Fields
  package var body: [UInt8]
  /// The template of the path that was asked for, such as `/v1/lists/{listId}`, for whoever observes the server.
  package var route: StaticString?
  /// The id of the token that was shown, of 16 bytes, for whoever observes the server; it lets nobody in.
  package var token: (high: UInt64, low: UInt64)?
  /// The code of a refusal because some limit was reached, for whoever counts them.
  package var refusal: String?

  package init(status: Int, fields: Fields = Fields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}
