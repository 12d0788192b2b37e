import HTTP
import JSON
import Testing

@testable import API

/// Generated clients send a schema's defaults for unset members.
/// In a patch that resets what was to stay.
@Suite("No body of a request has defaults in the document")
struct BodyDefaultTests {
  private static let operations = Route.described.compactMap { route in
    Contract.operation(route.method.name, route.template).map { (route, $0) }
  }

  /// The places of defaults in all that a schema leads to.
  private static func defaults(
    in schema: JSONValue, at place: String, _ seen: inout Set<String>
  ) -> [String] {
    guard case .object(let object) = schema else { return [] }
    var found = object["default"] == nil ? [] : [place]
    for (key, value) in object.members {
      switch (key, value) {
      case ("$ref", .string(let reference)):
        guard seen.insert(reference).inserted, let named = Contract.check[reference] else { break }
        found += defaults(in: named, at: reference, &seen)
      case ("properties", .object(let properties)):
        for (name, property) in properties.members {
          found += defaults(in: property, at: "\(place)/\(name)", &seen)
        }
      case (_, .array(let schemas)):
        for schema in schemas { found += defaults(in: schema, at: place, &seen) }
      default: found += defaults(in: value, at: place, &seen)
      }
    }
    return found
  }

  @Test func `patches, updates of batches, and all the others`() {
    var bodies = 0
    for (route, operation) in Self.operations {
      guard case .object(let content) = operation["requestBody"]?["content"] else { continue }
      for media in content.members.map(\.value) {
        var seen: Set<String> = []
        let found = Self.defaults(
          in: media["schema"] ?? .null, at: "\(route.method.name) \(route.template)", &seen)
        #expect(found == [])
        bodies += 1
      }
    }
    #expect(bodies > 40)
  }

  @Test func `nor has any schema that a patch is named after`() throws {
    guard case .object(let schemas) = Contract.document["components"]?["schemas"] else { return }
    let patches = schemas.members.filter { $0.key.hasSuffix("Patch") }
    #expect(patches.map(\.key).contains("ItemPatch"))
    for (name, schema) in patches {
      var seen: Set<String> = []
      #expect(Self.defaults(in: schema, at: name, &seen) == [])
    }
  }

  @Test func `an item keeps its quantity where a patch leaves it out`() throws {
    let service = try Service()
    let list = try service.makeList(things: ["Cup"])
    let item = "/v1/items/\(list.rows[0])"
    _ = try service.send(.patch, item, ["quantity": 6])
    #expect(try service.send(.patch, item, ["name": "Mug"])["/quantity"] == 6)
    let update: JSONValue = ["id": .string(list.rows[0]), "patch": ["name": "Glass"]]
    _ = try service.send(.post, "/v1/lists/\(list.id)/batch", ["updates": [update]])
    #expect(try service.get(item)["/quantity"] == 6)
    #expect(try service.get(item)["/name"] == "Glass")
  }
}
