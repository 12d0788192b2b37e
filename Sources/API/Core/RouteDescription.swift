import HTTP
import WebApp

/// One line of the table of routes.
package struct RouteDescription: Sendable {
  /// Whether a body is read, and how large it may be.
  package enum BodyRule: Sendable, Hashable {
    /// A body is not looked at.
    case none
    case optional
    case required
    case requiredLarge
    /// The bytes of an image, taken as they come.
    case image
    /// A table of comma-separated values.
    case table
    /// Taken in pieces, as large as an import may be.
    case streamed
  }

  package let method: Method
  /// The path with placeholders such as `{listId}`.
  package let template: String
  /// What stands for it where requests are counted: a constant, which costs nothing to pass on with each answer.
  let label: StaticString
  /// The names of the query parameters; others are refused.
  package let parameters: [String]
  package let body: BodyRule
  /// Whether it is answered to everybody, with or without a token.
  package let isPublic: Bool
  let endpoint: @Sendable (PathValues) -> Endpoint

  init(
    _ method: Method, _ template: StaticString, parameters: [String] = [], body: BodyRule = .none,
    isPublic: Bool = false, _ endpoint: @escaping @Sendable (PathValues) -> Endpoint
  ) {
    self.method = method
    self.template = template.description
    label = template
    self.parameters = parameters
    self.body = body
    self.isPublic = isPublic
    self.endpoint = endpoint
  }

  /// What serves a file: to everybody, because a page is there before its reader has shown a token.
  init(_ file: WebFile) {
    method = .get
    template = file.path
    label = "/{file}"
    parameters = []
    body = .none
    isPublic = true
    endpoint = { _ in .file(file) }
  }
}
