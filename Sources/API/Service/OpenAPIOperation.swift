import HTTP
import Inventory
import JSON

/// An operation of the document, made from its area's file and its route.
struct OpenAPIOperation {
  let route: Route
  let tag: String
  let written: JSONObject
  let notation: SchemaNotation
  let links: JSONObject
  /// The codes of problems with extension members.
  let specialProblems: [String]

  /// Whether it takes the headers of a write to rows: `Idempotency-Key` and `Prefer`.
  private var isWrite: Bool { written["isWrite"] == true }

  /// The request header fields of the API, without the general ones of HTTP.
  private var requestHeaders: [String] {
    var names = written.texts("headers")
    if route.method != .get, !route.isUnconditional { names.append("If-Match") }
    if isWrite { names += ["Idempotency-Key", "Prefer"] }
    if names.contains("If-Match"), route.method != .post { names.append("If-None-Match") }
    if !route.isPublic { names += ["Accept-Language", "Rowhouse-Inventory"] }
    return names
  }

  var problems: OpenAPIProblems {
    OpenAPIProblems(
      route, takesKeys: requestHeaders.contains("Idempotency-Key"),
      takesIfMatch: requestHeaders.contains("If-Match"), own: written.texts("problems"))
  }

  /// The names of the operation's parameters, such as `query.limit`.
  var parameters: [String] {
    let renamed = written["parameters"]?.object
    let placeholders = route.template.split(separator: "/").filter { $0.hasPrefix("{") }
      .map { "path." + $0.dropFirst().dropLast() }
    return placeholders + route.query.map { "query." + (renamed?[$0]?.text ?? $0) }
      + requestHeaders.map { "header." + $0 }
  }

  /// - Parameter refer: adds a problem response to the components and returns its name.
  func json(_ example: SchemaExample, refer: (Int, [String]) -> String) -> JSONValue {
    var object = JSONObject()
    object["operationId"] = written["id"]
    object["tags"] = [.string(tag)]
    object["summary"] = written["summary"]
    object["description"] = written["description"]
    if !parameters.isEmpty {
      object["parameters"] = .array(
        parameters.map { ["$ref": .string("#/components/parameters/" + $0)] })
    }
    object["requestBody"] = requestBody
    var responses = JSONObject()
    for (status, answer) in written["answers"]?.object?.members ?? [] {
      guard let answer = answer.object else { continue }
      responses.set(status, to: response(status, answer, example))
    }
    addUsualResponses(to: &responses)
    for (status, codes) in problems.codes.sorted(by: { $0.key < $1.key }) {
      responses.set(
        String(status), to: ["$ref": .string("#/components/responses/" + refer(status, codes))])
    }
    object["responses"] = .object(responses)
    if route.isPublic { object["security"] = [] }
    return .object(object)
  }

  private var requestBody: JSONValue? {
    let body = written["body"]?.object ?? JSONObject()
    let types: [String]
    switch route.body {
    case .none: return nil
    case .optional, .required, .requiredSmall, .requiredLarge:
      types =
        ["application/json"] + (route.method == .patch ? ["application/merge-patch+json"] : [])
    case .image: types = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/gif"]
    case .rendition: types = NewRendition.types.map(\.mediaType)
    case .table: types = ["text/csv", "text/tab-separated-values"]
    case .streamed: types = TransferFormat.mediaTypes
    }
    var media = JSONObject()
    media["schema"] = body["schema"].map(notation.expanded)
    if let examples = body["examples"]?.object {
      media["examples"] = .object(
        JSONObject(examples.members.map { ($0.key, ["value": $0.value]) }))
    }
    var object = JSONObject()
    object["description"] = body["description"]
    object.set("required", to: .bool(route.body != .optional))
    object.set("content", to: .object(JSONObject(types.map { ($0, .object(media)) })))
    return .object(object)
  }

  private func response(
    _ status: String, _ answer: JSONObject, _ example: SchemaExample
  ) -> JSONValue {
    var names = ["X-Request-Id"] + answer.texts("headers")
    if !route.isPublic, answer["type"] == nil, answer["types"] == nil {
      names.append("Content-Language")
    }
    if isWrite, answer["schema"] != nil {
      names += ["Rowhouse-Revision", "Idempotency-Replayed"]
    }
    var object = JSONObject()
    object["description"] = answer["description"] ?? .string(Self.description(of: status))
    object.set("headers", to: OpenAPIDocument.headers(names))
    if let written = answer["schema"] {
      let schema = notation.expanded(written)
      var media = JSONObject([("schema", schema)])
      let types = answer["type"]?.text.map { [$0] } ?? answer.texts("types")
      if types.isEmpty { media.set("example", to: answer["example"] ?? example.value(of: schema)) }
      if let given = answer["example"] { media.set("example", to: given) }
      let names = types.isEmpty ? ["application/json"] : types
      object.set("content", to: .object(JSONObject(names.map { ($0, .object(media)) })))
      if case .string(let name) = written, let links = links[name]?.object {
        object.set("links", to: linked(links))
      }
    }
    return .object(object)
  }

  /// The linked operations, each path parameter with its source: a JSON Pointer into the response or an expression.
  private func linked(_ links: JSONObject) -> JSONValue {
    var linked = JSONObject()
    for (operation, values) in links.members {
      var parameters = JSONObject()
      for case (let name, .string(let place)) in values.object?.members ?? [] {
        let isPointer = place.hasPrefix("/")
        parameters.set("path." + name, to: .string(isPointer ? "$response.body#" + place : place))
      }
      linked.set(
        operation, to: ["operationId": .string(operation), "parameters": .object(parameters)])
    }
    return .object(linked)
  }

  /// Adds the responses that follow from the request's header fields.
  private func addUsualResponses(to responses: inout JSONObject) {
    if route.method == .get, requestHeaders.contains("If-None-Match") {
      responses["304"] = [
        "description": "Not modified: the client has the current version.",
        "headers": OpenAPIDocument.headers(["ETag", "X-Request-Id"]),
      ]
    }
    if requestHeaders.contains("Prefer") {
      responses["204"] = [
        "description": "Done. No body, because of `Prefer: return=minimal`.",
        "headers": OpenAPIDocument.headers([
          "Preference-Applied", "Rowhouse-Revision", "Idempotency-Replayed", "X-Request-Id",
        ]),
      ]
    }
  }

  private static func description(of status: String) -> String {
    switch status {
    case "201": "Created."
    case "204": "Done."
    default: "The requested data."
    }
  }
}
