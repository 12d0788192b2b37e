import HTTP
import WebApp

/// A method and a path, what they accept, and the function that answers.
package struct Route: Sendable {
  /// Whether a body is read, and how large it may be.
  package enum BodyRule: Sendable, Hashable {
    /// A body is ignored.
    case none
    case optional
    case required
    case requiredLarge
    /// The bytes of an image, taken in pieces.
    case image
    /// A table of comma-separated values.
    case table
    /// Taken in pieces, as large as an import may be.
    case streamed
  }

  package let method: Method
  /// The path with placeholders such as `{listId}`.
  package let template: String
  /// The template as a constant, which costs nothing to pass on with each response.
  let label: StaticString
  /// The names of the query parameters; others are refused.
  package let query: [String]
  package let body: BodyRule
  /// Whether it needs no token.
  package let isPublic: Bool
  let answer: @Sendable (APIHandler, RequestContext) throws(Problem) -> Reply
  /// Makes the receiver of a body that is taken in pieces; nil for a body that is buffered.
  private(set) var receive:
    (@Sendable (APIHandler) -> (RequestContext) throws(Problem) -> any BodyReceiver)?
  /// The placeholder whose value is looked up before a request is refused: what the caller may not see is not found,
  /// whatever else is wrong. Nil where the path names nothing that is looked up.
  let subject: PathValues.Placeholder?

  /// - Parameters:
  ///   - receive: a method of `APIHandler`.
  ///   - answer: the same.
  init(
    _ method: Method, _ template: StaticString, query: [String] = [], body: BodyRule = .none,
    isPublic: Bool = false,
    receive: (
      @Sendable (APIHandler) -> (RequestContext) throws(Problem) -> any BodyReceiver
    )? = nil,
    _ answer: @escaping @Sendable (APIHandler) -> (RequestContext) throws(Problem) -> Reply
  ) {
    self.init(
      method, template, query: query, body: body, isPublic: isPublic
    ) { (handler, request) throws(Problem) in try answer(handler)(request) }
    self.receive = receive
  }

  init(
    _ method: Method, _ template: StaticString, query: [String] = [], body: BodyRule = .none,
    isPublic: Bool = false,
    _ answer: @escaping @Sendable (APIHandler, RequestContext) throws(Problem) -> Reply
  ) {
    self.method = method
    self.template = template.description
    label = template
    self.query = query
    self.body = body
    self.isPublic = isPublic
    self.answer = answer
    receive = nil
    // Rows in the trash are no subjects: only the commands that take them find them.
    subject =
      self.template.hasPrefix("/v1/trash/")
      ? nil
      : self.template.split(separator: "/").lazy
        .compactMap { PathValues.Placeholder(rawValue: String($0)) }.first { $0.isSubject }
  }

  /// Serves a file to everyone: a page is loaded before its reader has shown a token.
  init(_ file: WebFile) {
    method = .get
    template = file.path
    label = "/{file}"
    query = []
    body = .none
    isPublic = true
    answer = { (handler, request) throws(Problem) in handler.file(file, request) }
    receive = nil
    subject = nil
  }

  /// Every route; HEAD is answered by GET's route, and OPTIONS by the router.
  static let all = described + WebFile.all.map { Route($0) }

  /// The routes of the OpenAPI document, in its order.
  static let described: [Route] =
    service + search + access + inventories + lists + events + rows + items + photos + transfer
    + history + screens + navigators + tests

  /// The query of a page.
  static let page = ["limit", "offset", "after"]
}
