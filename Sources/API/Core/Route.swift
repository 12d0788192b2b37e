import HTTP
import WebApp

/// A method and a path, the input they accept, and the function that answers.
///
/// A class, because each request holds its route, and requests are copied often.
package final class Route: Sendable {
  /// Whether a body is read, and its size limit.
  package enum BodyRule: Sendable, Hashable {
    /// A body of at most `BodyLimits.usual` is read and ignored. A larger one is refused with 413.
    case none
    case optional
    case required
    /// For callers without a token, who may not make the server keep much.
    case requiredSmall
    case requiredLarge
    /// The bytes of an image, streamed.
    case image
    /// The bytes of a small image.
    case rendition
    /// A table with cells separated by commas, semicolons or tabs.
    case table
    /// A streamed body up to the size of an import.
    case streamed
  }

  package let method: Method
  /// The path with placeholders such as `{listId}`.
  package let template: String
  /// The template as a constant, which is free to copy into each response.
  let label: StaticString
  /// The names of the query parameters. Others are refused.
  package let query: [String]
  package let body: BodyRule
  /// Whether the route needs no token.
  package let isPublic: Bool
  /// Whether the route has no state with an entity tag, so that `If-Match` is refused.
  package let isUnconditional: Bool
  let answer: @Sendable (APIHandler) -> (RequestContext) throws(Problem) -> Reply
  /// Makes the receiver of a streamed body. Nil for a buffered body.
  let receive: (@Sendable (APIHandler) -> (RequestContext) throws(Problem) -> any BodyReceiver)?
  /// The placeholder of the route's resource. A caller who may not see that resource gets `notFound` or `inTrash`,
  /// whatever the error is. Nil if the path has no such placeholder, and below `/v1/trash/`.
  let subject: PathValues.Placeholder?

  /// `receive` and `answer` are methods of `APIHandler`.
  ///
  /// - Parameter path: the path if it is not a constant.
  init(
    _ method: Method, _ template: StaticString, path: String? = nil, query: [String] = [],
    body: BodyRule = .none, isPublic: Bool = false, isUnconditional: Bool = false,
    receive: (
      @Sendable (APIHandler) -> (RequestContext) throws(Problem) -> any BodyReceiver
    )? = nil,
    _ answer: @escaping @Sendable (APIHandler) -> (RequestContext) throws(Problem) -> Reply
  ) {
    self.method = method
    self.template = path ?? template.description
    label = template
    self.query = query
    self.body = body
    self.isPublic = isPublic
    self.isUnconditional = isUnconditional
    self.answer = answer
    self.receive = receive
    // Only the commands for the trash find rows in the trash, so such rows are not looked up first.
    subject =
      self.template.hasPrefix("/v1/trash/")
      ? nil
      : self.template.split(separator: "/").lazy
        .compactMap { PathValues.Placeholder(rawValue: String($0)) }.first { $0.isSubject }
  }

  /// Serves a public file: browsers load a page before they can send a token.
  convenience init(_ file: WebFile) {
    self.init(.get, "/{file}", path: file.path, isPublic: true) { handler in
      { (request) throws(Problem) in handler.file(file, request) }
    }
  }

  /// Every route. GET's routes also answer HEAD, and the router answers OPTIONS.
  package static let all = described + screenPages + WebFile.all.map { Route($0) }

  /// The routes of the OpenAPI document, in its order.
  static let described: [Route] =
    service + search + access + invitations + inventories + lists + events + rows + items + photos
    + renditions + labels + transfer + history + sync + screens + navigators + tests

  /// The query parameters of a page.
  static let page = ["limit", "offset", "after"]
}
