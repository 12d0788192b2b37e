import HTTP
import JSON
import WebApp

/// The API as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html).
///
/// It is built from the files in `Files/openapi`, one for each area, from the table of routes, and from the problem
/// codes.
enum OpenAPIDocument {
  /// The document as served.
  static let file: WebFile = {
    var writer = JSONWriter(capacity: 1 << 19)
    writer.value(json)
    return WebFile(
      path: "/openapi.json", mediaType: "application/json", bytes: writer.finish())
  }()

  /// References to response header fields.
  static func headers(_ names: [String]) -> JSONValue {
    .object(
      JSONObject(names.map { ($0, ["$ref": .string("#/components/headers/" + $0)]) }))
  }

  private static let files: [(name: String, content: JSONObject)] = EmbeddedFiles.all.map { file in
    do {
      let text = file.content.withUTF8Buffer { Array($0) }
      guard case .object(let object) = try JSONReader.parse(text)
      else { preconditionFailure("\(file.path) is no object") }
      return (file.path, object)
    } catch { preconditionFailure("\(file.path): \(error)") }
  }

  private static func file(_ name: String) -> JSONObject {
    files.first { $0.name == "openapi/\(name).json" }?.content ?? JSONObject()
  }

  static let json: JSONValue = {
    let areas = files.compactMap { OpenAPIArea($0.content) }
    let named = merged(areas.map(\.schemas))
    let notation = SchemaNotation(schemas: merged([named] + areas.map(\.parts)))
    let problems = file("problems")["problems"]?.object ?? JSONObject()
    var schemas = JSONObject(
      named.members.map { ($0.key, titled($0.key, notation.expanded($0.value))) })
    for (code, members) in problems.members {
      schemas.set(
        OpenAPIProblems.schemaName(of: code), to: problem(code, members, notation))
    }
    let example = SchemaExample(schemas: schemas)
    let links = merged(areas.map(\.links))

    var (paths, responses, parameters) = (JSONObject(), JSONObject(), [String]())
    for route in Route.described {
      let name = "\(route.method.name) \(route.template)"
      guard let area = areas.first(where: { $0.operations.contains(name) }),
        let written = area.operations[name]?.object
      else { continue }
      let operation = OpenAPIOperation(
        route: route, tag: area.tag, written: written, notation: notation,
        links: links, specialProblems: problems.members.map(\.key))
      var path = paths[route.template]?.object ?? JSONObject()
      let json = operation.json(example) { status, codes in
        let name = OpenAPIProblems.name(status: status, codes)
        responses.set(
          name,
          to: OpenAPIProblems.response(
            status: status, codes, special: operation.specialProblems))
        return name
      }
      path.set(route.method.name.lowercased(), to: json)
      paths.set(route.template, to: .object(path))
      parameters += operation.parameters.filter { !parameters.contains($0) }
    }

    var document = file("document")
    document.set("paths", to: .object(paths))
    var components = document["components"]?.object ?? JSONObject()
    components.set("parameters", to: .object(described(parameters, notation)))
    components.set("responses", to: .object(responses))
    components.set("schemas", to: .object(schemas))
    document.set("components", to: .object(components))
    return .object(document)
  }()

  /// A schema that allows null, with its name as the title. Without a title, generators make up a name for the type
  /// that is not null.
  private static func titled(_ name: String, _ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema, case .array? = object["type"] else { return schema }
    object.set("title", to: .string(name))
    return .object(object)
  }

  private static func merged(_ objects: [JSONObject]) -> JSONObject {
    JSONObject(objects.flatMap(\.members))
  }

  private static func problem(
    _ code: String, _ members: JSONValue, _ notation: SchemaNotation
  ) -> JSONValue {
    guard case .object(var object) = members else { return members }
    var own = object["members"]?.object ?? JSONObject()
    own.set("code", to: ["const": .string(code)])
    object.set("members", to: .object(own))
    object.set("extends", to: "Problem")
    return notation.expanded(.object(object))
  }

  /// The parameters that operations refer to, such as `query.limit`.
  private static func described(
    _ names: [String], _ notation: SchemaNotation
  ) -> JSONObject {
    let places = file("parameters")
    var result = JSONObject()
    for name in names {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2, let written = places[parts[0]]?.object?[parts[1]]?.object else {
        continue
      }
      var parameter = JSONObject([
        ("name", written["name"] ?? .string(parts[1])), ("in", .string(parts[0])),
      ])
      parameter["description"] = written["description"]
      let isRequired = parts[0] == "path" || written["required"] == true
      if isRequired { parameter.set("required", to: true) }
      parameter["schema"] = written["schema"].map(notation.expanded)
      parameter["example"] = written["example"]
      result.set(name, to: .object(parameter))
    }
    return result
  }
}

/// A file of the OpenAPI document: operations with their schemas.
struct OpenAPIArea {
  /// The document's tag of these operations.
  let tag: String
  let schemas: JSONObject
  /// Schemas that others extend and that are not published themselves.
  let parts: JSONObject
  /// For each response schema, the operations it links to and the values they use.
  let links: JSONObject
  /// The operations by method and path, such as `GET /v1/lists`.
  let operations: JSONObject

  /// Nil if the file has neither operations nor schemas.
  init?(_ file: JSONObject) {
    func object(_ name: String) -> JSONObject { file[name]?.object ?? JSONObject() }
    guard file.contains("operations") || file.contains("schemas") else { return nil }
    tag = file["tag"]?.text ?? ""
    schemas = object("schemas")
    parts = object("parts")
    links = object("links")
    operations = object("operations")
  }
}
