import HTTP
import Inventory
import JSON
import Storage
import Support
import Testing

@Suite("The entity tag of an inventory")
struct InventoryTagTests {
  private let folder: TemporaryFolder
  private let store: DatabaseStore
  private let service: Service
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    store = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    service = try Service(asking: store)
    let made = try service.send(.post, "/v1/inventories", ["title": "Second home"])
    path = try #require(made.fields["location"])
    #expect(made.fields["etag"] == (try service.get(path).fields["etag"]))
  }

  private func tag() throws -> String { try #require(try service.get(path).fields["etag"]) }

  private func limit(_ level: JSONValue, _ fields: Fields = [:]) throws -> Answer {
    try service.send(.patch, path, ["depthLimit": level], fields)
  }

  @Test func `moves with its revision and with its limit`() throws {
    var tags = [try tag()]
    for level: JSONValue in [5, 6] {
      let edited = try limit(level)
      tags.append(try tag())
      #expect(edited.fields["etag"] == tags.last)
    }
    let there: Fields = ["Rowhouse-Inventory": String(path.split(separator: "/").last ?? "")]
    #expect(try service.send(.post, "/v1/lists", ["title": "Shelf"], there).status == 201)
    tags.append(try tag())
    #expect(Set(tags).count == tags.count)
    #expect(try limit(.null).status == 200)
    for old in tags.dropLast() {
      #expect(try service.get(path, ["If-None-Match": old]).status == 200)
    }
    let present = try tag()
    let same = try service.get(path, ["If-None-Match": present])
    #expect(same.status == 304)
    #expect(same.body.isEmpty)
    #expect(same.fields["etag"] == present)
  }

  @Test func `guards an edit of it`() throws {
    let first = try tag()
    #expect(try limit(5, ["If-Match": first]).status == 200)
    let late = try limit(6, ["If-Match": first])
    #expect(late.status == 412)
    #expect(late.code == "precondition_failed")
    #expect(late["/inventory"] == (try service.get(path).json))
    #expect(late["/inventory/depthLimit"] == 5)
    let second = try tag()
    for condition in ["\"999\"", "W/" + second, "\"999-en-l5\", \"0-en-l4\""] {
      #expect(try limit(6, ["If-Match": condition]).status == 412, "\(condition)")
    }
    #expect(try limit(6, ["If-None-Match": "*"]).status == 412)
    #expect(try limit(6, ["If-Match": "x"]).code == "malformed_header")
    #expect(try service.get(path)["/depthLimit"] == 5)
    for condition in [second, "*", "\"0\"", "\"0-ar\"", "\"7\", \"0-en-l\""] {
      #expect(try limit(.null).status == 200)
      #expect(try limit(5).status == 200)
      let expected = condition == "\"7\", \"0-en-l\"" ? 412 : 200
      #expect(try limit(6, ["If-Match": condition]).status == expected, "\(condition)")
    }
  }
}
