import HTTP
import JSON

/// The problem responses of one operation, one for each status.
struct OpenAPIProblems {
  /// The problem codes by status.
  private(set) var codes: [Int: [String]] = [:]

  /// Collects the problems that follow from the route, then the operation's own codes.
  init(_ route: Route, takesKeys: Bool, takesIfMatch: Bool, own: [String]) {
    var known: [ProblemCode] = [
      .malformedQuery, .hostForbidden, .invalid, .internalError, .shuttingDown,
    ]
    if !route.isPublic {
      known += [.malformedHeader, .unauthenticated, .notFound, .overloaded, .deadlineExceeded]
    }
    if route.template.contains("{") { known.append(.notFound) }
    let ids = ["{listId}", "{itemId}", "{rowId}"]
    if ids.contains(where: route.template.contains) { known.append(.inTrash) }
    if route.method != .get {
      known += [.originForbidden, .roleForbids, .outcomeUnknown, .storageFull]
    }
    if takesKeys { known.append(.idempotencyKeyReused) }
    if takesIfMatch { known.append(.preconditionFailed) }
    var faults = Self.faults
    switch route.body {
    case .none: faults.removeAll { [.bodyTooLarge, .bodyTimeout].contains($0) }
    case .optional, .required, .requiredSmall, .requiredLarge:
      known += [.malformedJSON, .unsupportedMediaType]
    case .table, .streamed: known += [.unsupportedMediaType]
    case .image, .rendition: known += [.unsupportedImage]
    }
    for code in known { add(code.rawValue, status: code.status) }
    for fault in faults { add(fault.code, status: fault.status) }
    for text in own { add(own: text) }
  }

  /// Adds a problem code. The text may begin with a status that replaces the usual one: `409 in_trash`.
  private mutating func add(own text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard let code = words.last.flatMap(ProblemCode.init(rawValue:)) else { return }
    add(code.rawValue, status: words.count == 2 ? Int(words[0]) ?? code.status : code.status)
  }

  /// The errors of the HTTP server that any request can cause.
  private static let faults: [RequestFault] = [
    .malformedRequestLine, .malformedTarget, .ambiguousPath, .malformedField, .headerTooLarge,
    .tooManyFields, .requestLineTooLong, .unsupportedTransferEncoding, .bodyTooLarge, .bodyTimeout,
    .unanswered,
  ]

  private mutating func add(_ code: String, status: Int) {
    if codes[status]?.contains(code) != true { codes[status, default: []].append(code) }
  }

  /// The name of a response component.
  static func name(status: Int, _ codes: [String]) -> String {
    ([String(status)] + codes).joined(separator: ".")
  }

  /// - Parameter special: the codes of problems with extension members.
  static func response(status: Int, _ codes: [String], special: [String]) -> JSONValue {
    let plain = codes.filter { !special.contains($0) }
    var choices = codes.filter(special.contains).map { code -> JSONValue in
      ["$ref": .string("#/components/schemas/" + schemaName(of: code))]
    }
    if !plain.isEmpty {
      choices.append([
        "allOf": [
          ["$ref": "#/components/schemas/Problem"],
          ["properties": ["code": ["enum": .array(plain.map(JSONValue.string))]]],
        ]
      ])
    }
    let titles = codes.compactMap { ProblemPage(code: $0, in: .english)?.title }
    var response = JSONObject([("description", .string(titles.joined(separator: "; ") + "."))])
    response.set("headers", to: headers(of: status, codes))
    response.set(
      "content",
      to: [
        "application/problem+json": [
          "schema": choices.count == 1 ? choices[0] : ["anyOf": .array(choices)]
        ]
      ])
    return .object(response)
  }

  private static func headers(of status: Int, _ codes: [String]) -> JSONValue {
    var names = ["X-Request-Id", "Content-Language"]
    let mayRetry = codes.contains { ProblemCode(rawValue: $0)?.retryAfter != nil }
    if mayRetry { names.append("Retry-After") }
    switch status {
    case 401: names.append("WWW-Authenticate")
    case 416: names.append("Content-Range")
    default: break
    }
    return OpenAPIDocument.headers(names)
  }

  /// The schema name of a code: `RowMovedProblem` for `row_moved`.
  static func schemaName(of code: String) -> String {
    code.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      + "Problem"
  }
}
