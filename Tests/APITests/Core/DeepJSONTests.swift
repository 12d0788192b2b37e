import HTTP
import JSON
import Testing

@Suite("JSON that is nested deeper than usual")
struct DeepJSONTests {
  let service: Service
  let list: Service.MadeList
  private let fields = DeepJSONTests.nested(levels: 150)

  init() throws {
    service = try Service { $0.bodies.depth = 200 }
    list = try service.makeList()
  }

  private static func nested(levels: Int) -> JSONValue {
    (1..<levels).reduce(["a": 1]) { value, _ in ["a": value] }
  }

  private func makeItem() throws -> String {
    let made = try service.send(
      .post, list.path + "/items", ["name": "Deep", "serialNumber": "D", "fields": fields])
    try #require(made.status == 201)
    try #require(made["/fields"] == fields)
    return "/v1/items/\(try #require(made.text("/id")))"
  }

  @Test func `an edit of something else leaves an item's fields as they are`() throws {
    let item = try makeItem()
    #expect(try service.send(.patch, item, ["name": "Deeper"]).status == 200)
    let more = try service.send(.patch, item, ["fields": ["b": 2]])
    #expect(more["/fields/a"] == fields["a"])
    #expect(more["/fields/b"] == 2)
  }

  @Test func `a server that reads less by now keeps what it has`() throws {
    let item = try makeItem()
    let other = try Service(store: service.store)
    #expect(try other.send(.patch, item, ["name": "Deeper"]).status == 200)
    #expect(try other.send(.patch, item, ["fields": fields]).status == 400)
    #expect(try other.get(item)["/fields"] == fields)
  }

  @Test func `so does an edit of a screen's state`() throws {
    let made = try service.send(.post, "/v1/navigators")
    let path = "/v1/navigators/\(try #require(made.text("/id")))/top"
    try #require(try service.send(.patch, path, ["state": fields]).status == 200)
    let edited = try service.send(.patch, path, ["state": ["b": 2]])
    #expect(edited["/tabs/0/stack/0/state/a"] == fields["a"])
    #expect(edited["/tabs/0/stack/0/state/b"] == 2)
  }

  @Test func `what is exported comes back`() throws {
    let item = try makeItem()
    let export = try service.download("/v1/export?listId=\(list.id)")
    let table = try service.download(list.path + "/rows.csv")
    try service.send(.patch, item, ["fields": .null])
    let imported = try service.send(
      .post, "/v1/import", fields: ["Content-Type": "application/x-ndjson"], bytes: export.body)
    #expect(imported["/updated"] == 1)
    #expect(try service.get(item)["/fields"] == fields)
    try service.send(.patch, item, ["fields": .null])
    let read = try service.send(
      .post, list.path + "/rows.csv", fields: ["Content-Type": "text/csv"], bytes: table.body)
    #expect(read["/updated"] == 1)
    #expect(try service.get(item)["/fields"] == fields)
  }
}
