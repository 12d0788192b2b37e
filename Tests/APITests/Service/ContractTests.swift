import HTTP
import JSON
import Testing

@testable import API

@Suite("The document describes every route, and nothing else")
struct ContractTests {
  private let service: Service
  init() throws { service = try Service() }

  private static let routes = Route.described

  private static let areas = EmbeddedFiles.all.compactMap { file -> OpenAPIArea? in
    let text = file.content.withUTF8Buffer { Array($0) }
    guard case .object(let object) = try? JSONReader.parse(text) else { return nil }
    return OpenAPIArea(object)
  }

  @Test func `every route is described once, and what is described is a route`() {
    let described = Self.areas.flatMap { $0.operations.members.map(\.key) }
    #expect(described.sorted() == Self.routes.map { "\($0.method.name) \($0.template)" }.sorted())
  }

  @Test func `schemas, operations and links have names of their own`() {
    let schemas = Self.areas.flatMap { $0.schemas.members.map(\.key) }
    #expect(Set(schemas).count == schemas.count)
    let links = Self.areas.flatMap { $0.links.members.map(\.key) }
    #expect(Set(links).count == links.count)
    let ids = Self.operations.compactMap { $0["operationId"] }
    #expect(ids.count == Self.operations.count)
    #expect(ids.enumerated().allSatisfy { !ids[..<$0].contains($1) })
  }

  @Test func `every area has a tag of the document, and every tag has an area`() {
    guard case .array(let tags) = Contract.document["tags"] else { return }
    let names = tags.compactMap { $0["name"] }
    #expect(names.allSatisfy { name in Self.areas.contains { .string($0.tag) == name } })
    for area in Self.areas where !area.operations.isEmpty {
      #expect(names.contains(.string(area.tag)))
    }
  }

  private static let operations = routes.compactMap {
    Contract.operation($0.method.name, $0.template)
  }

  @Test func `every reference leads somewhere, and every component is referred to`() {
    var references: Set<String> = []
    Self.visit(Contract.document) { key, value in
      if key == "$ref", case .string(let reference) = value { references.insert(reference) }
    }
    let lost = references.filter { Contract.check[$0] == nil }
    #expect(lost.isEmpty)
    guard case .object(let components) = Contract.document["components"] else { return }
    for (kind, members) in components.members where kind != "securitySchemes" {
      guard case .object(let members) = members else { continue }
      for (name, _) in members.members {
        #expect(references.contains("#/components/\(kind)/\(name)"), "\(kind) \(name)")
      }
    }
  }

  /// Generators of clients make a type of their own, or none, for a choice beside properties and for each object in a
  /// choice: openapi-python-client had no `NewItem`, and took deltas for dictionaries.
  @Test func `choices are between components, and not beside properties`() {
    Self.visit(["document": Contract.document]) { name, value in
      guard case .object(let schema) = value, let choices = schema["anyOf"] ?? schema["oneOf"]
      else {
        return
      }
      #expect(schema["properties"] == nil, "\(name)")
      guard case .array(let choices) = choices else { return }
      // Problems without members of their own have no component.
      #expect(choices.allSatisfy { $0["$ref"] != nil || $0["allOf"] != nil }, "\(name)")
    }
    let item = Contract.check["#/components/schemas/NewItem"] ?? .null
    func isItem(_ value: JSONValue) -> Bool { Contract.check.faults(of: value, by: item).isEmpty }
    #expect(isItem(["name": "Hammer"]))
    #expect(isItem(["car": ["make": "Volvo"]]))
    #expect(isItem(["name": "Hammer", "car": .null]))
    #expect(!isItem([:]))
    #expect(!isItem(["name": .null]))
    #expect(!isItem(["name": .null, "car": [:]]))
    #expect(!isItem(["quantity": 1]))
  }

  /// swift-openapi-generator drops a member whose schema is a choice with null. Others give an enum, an object or an array
  /// without a name one like `ItemPatchKindType1`.
  @Test func `null is a type and no choice, and what may be null has a name`() {
    Self.visit(["document": Contract.document]) { name, value in
      guard case .object(let schema) = value else { return }
      for keyword in ["anyOf", "oneOf"] {
        #expect(schema[keyword]?.elements?.contains(["type": "null"]) != true, "\(name)")
      }
    }
    for name in ["Car", "Button", "ScreenMode", "OptionalReceipt", "OptionalItemKind"] {
      let schema = Contract.check["#/components/schemas/\(name)"]
      #expect(schema?["type"]?.elements?.last == "null", "\(name)")
    }
    let car = Contract.check["#/components/schemas/Item/properties/car/$ref"]
    #expect(car == "#/components/schemas/Car")
    guard case .object(let schemas) = Contract.check["#/components/schemas"] else { return }
    for (name, schema) in schemas.members {
      guard case .object(let properties) = schema["properties"] else { continue }
      for (member, schema) in properties.members {
        let isNullable = schema["type"]?.elements?.contains("null") == true
        #expect(!isNullable || schema["properties"] == nil, "\(name).\(member)")
      }
    }
  }

  /// Generators name a body's schema without a name after its operation, and do so twice for two media types.
  @Test func `the schemas of bodies have names`() {
    for operation in Self.operations {
      guard case .object(let content) = operation["requestBody"]?["content"] else { continue }
      for (type, media) in content.members {
        #expect(
          media["schema"]?["properties"] == nil, "\(operation["operationId"] ?? .null) \(type)")
      }
    }
  }

  @Test("the parameters are those that are read, each with a sentence", arguments: routes.indices)
  func parameters(position: Int) throws {
    let route = Self.routes[position]
    let operation = try #require(Contract.operation(route.method.name, route.template))
    var names: [String: [String]] = [:]
    if case .array(let parameters) = operation["parameters"] {
      for parameter in parameters.compactMap(Contract.resolved) {
        guard case .string(let place) = parameter["in"], case .string(let name) = parameter["name"],
          case .string = parameter["description"], parameter["schema"] != nil
        else {
          Issue.record("\(parameter) lacks something")
          continue
        }
        names[place, default: []].append(name)
      }
    }
    for (place, names) in names { #expect(Set(names).count == names.count, "\(place)") }
    #expect(names["query"] ?? [] == route.query)
    let placeholders = route.template.split(separator: "/").filter { $0.hasPrefix("{") }
    #expect((names["path"] ?? []).map { "{\($0)}" } == placeholders.map(String.init))
    #expect((operation["requestBody"] == nil) == (route.body == .none))
    if case .object(let content) = operation["requestBody"]?["content"] {
      for (type, media) in content.members { #expect(media["schema"] != nil, "\(type)") }
    }
    #expect((operation["security"] == []) == route.isPublic)
  }

  @Test("every operation has a summary, and answers that are described", arguments: routes.indices)
  func answers(position: Int) throws {
    let route = Self.routes[position]
    let operation = try #require(Contract.operation(route.method.name, route.template))
    guard case .string(let summary) = operation["summary"],
      case .object(let responses) = operation["responses"]
    else {
      Issue.record("It lacks a summary or answers.")
      return
    }
    #expect(!summary.isEmpty)
    #expect(responses.members.contains { $0.key.hasPrefix("2") })
    for (status, response) in responses.members {
      let response = try #require(Contract.resolved(response))
      #expect(response["description"] != nil, "\(status)")
    }
  }

  @Test func `every problem of an operation is one that is known`() {
    let codes = Self.areas.flatMap(\.operations.members).flatMap { _, operation -> [String] in
      if case .object(let operation) = operation { operation.texts("problems") } else { [] }
    }
    for code in codes {
      #expect(
        ProblemCode(rawValue: String(code.split(separator: " ").last ?? "")) != nil, "\(code)")
    }
  }

  @Test func `every kind of problem is described somewhere`() {
    var described: Set<String> = []
    guard case .object(let responses) = Contract.document["components"]?["responses"] else {
      return
    }
    for (name, _) in responses.members {
      described.formUnion(name.split(separator: ".").dropFirst().map(String.init))
    }
    let missing = ProblemCode.allCases.map(\.rawValue).filter { !described.contains($0) }
    // These come where there is no such operation, or no such route.
    #expect(missing == ["method_not_allowed"])
  }

  @Test func `every example is one`() {
    var count = 0
    func look(_ media: JSONValue, _ place: String) {
      guard let schema = media["schema"] else { return }
      var examples = media["example"].map { [$0] } ?? []
      if case .object(let named) = media["examples"] {
        examples += named.members.compactMap { $0.value["value"] }
      }
      for example in examples {
        count += 1
        #expect(Contract.check.faults(of: example, by: schema) == [], "\(place)")
      }
    }
    Self.visit(Contract.document) { key, value in
      if key == "content", case .object(let content) = value {
        for (type, media) in content.members { look(media, type) }
      }
    }
    #expect(count > 100)
    guard case .object(let schemas) = Contract.document["components"]?["schemas"] else { return }
    for (name, schema) in schemas.members {
      guard case .array(let examples) = schema["examples"] else { continue }
      for example in examples {
        #expect(Contract.check.faults(of: example, by: schema) == [], "\(name)")
      }
    }
  }

  @Test("the examples of bodies are taken", arguments: routes.indices)
  func bodies(position: Int) throws {
    let route = Self.routes[position]
    let operation = try #require(Contract.operation(route.method.name, route.template))
    // The store of arrays has one inventory.
    guard case .object(let content) = operation["requestBody"]?["content"],
      route.template != "/v1/inventories"
    else { return }
    let list = try service.makeList(things: ["a", "b", "c"])
    let navigator = try #require(try service.send(.post, "/v1/navigators").text("/id"))
    let inventory = try #require(try service.get("/v1/me").text("/inventoryId"))
    let path = Paths.path(route.template) { segment in
      switch segment {
      case "{itemId}", "{rowId}": list.rows[0]
      case "{listId}": list.id
      case "{navigatorId}": navigator
      case "{inventoryId}": inventory
      default: nil
      }
    }
    for (type, media) in content.members {
      guard case .object(let examples) = media["examples"] else { continue }
      for case (let name, let example?) in examples.members.map({ ($0.key, $0.value["value"]) }) {
        var writer = JSONWriter()
        writer.value(example)
        let bytes = if case .string(let text) = example { Array(text.utf8) } else { writer.bytes }
        let answer = try service.send(
          route.method, path, fields: ["Content-Type": type], bytes: bytes)
        // What it names may be missing here; that is no fault of the example's form.
        #expect(
          (200..<300).contains(answer.status) || [404, 409].contains(answer.status),
          "\(name): \(answer.status) \(answer.text("/detail") ?? "")")
      }
    }
  }

  @Test func `links lead to operations, by values that the answers have`() throws {
    for response in Self.operations.flatMap(Self.goodResponses) {
      guard case .object(let links) = response["links"] else { continue }
      let schema = response["content"]?["application/json"]?["schema"]
      let answer = SchemaExample(schemas: try #require(Self.schemas)).value(of: schema ?? .null)
      for (name, link) in links.members {
        let target = Self.operations.first { $0["operationId"] == .string(name) }
        #expect(target != nil, "\(name)")
        guard case .object(let values) = link["parameters"] else { continue }
        for case (let place, .string(let expression)) in values.members {
          guard expression != "$request.\(place)" else { continue }
          let pointer = JSONPointer(text: String(expression.dropFirst("$response.body#".count)))
          #expect(pointer?.evaluate(answer) != nil, "\(name) by \(expression)")
          #expect(
            target?["parameters"].map { value in
              if case .array(let all) = value {
                all.contains(["$ref": .string("#/components/parameters/" + place)])
              } else {
                false
              }
            } == true, "\(name) has no \(place)")
        }
      }
    }
  }

  private static var schemas: JSONObject? {
    if case .object(let schemas) = Contract.document["components"]?["schemas"] {
      schemas
    } else {
      nil
    }
  }

  private static func goodResponses(of operation: JSONValue) -> [JSONValue] {
    guard case .object(let responses) = operation["responses"] else { return [] }
    return responses.members.filter { $0.key.hasPrefix("2") }.map(\.value)
  }

  private static func visit(_ value: JSONValue, _ body: (String, JSONValue) -> Void) {
    switch value {
    case .object(let object):
      for (key, value) in object.members {
        body(key, value)
        visit(value, body)
      }
    case .array(let elements): for element in elements { visit(element, body) }
    default: break
    }
  }

  @Test func `it is served with a validator, to everybody`() throws {
    let service = try Service { $0.demandsTokens = true }
    let answer = try service.get("/openapi.json")
    #expect(answer.status == 200)
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.json == Contract.document)
    let tag = try #require(answer.fields["etag"])
    #expect(try service.get("/openapi.json", ["If-None-Match": tag]).status == 304)
  }
}
