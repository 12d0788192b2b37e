import HTTP
import Inventory
import JSON
import Storage
import Support
import Testing

@Suite("Scripts find items by a serial number, a tag or a custom field")
struct ItemLookupTests {
  private let service: Service
  private let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList()
    for body: JSONValue in [
      [
        "name": "Saw", "serialNumber": "AB 1", "tags": ["tool", "red"], "fields": ["colour": "red"],
      ],
      ["name": "Axe", "serialNumber": "AB 1", "tags": ["tools"], "fields": ["depth": 12.json]],
      ["name": "Ladder", "serialNumber": "ab 1", "fields": ["lent": true, "naïve \"name\"": "é"]],
    ] {
      try #require(try service.send(.post, "\(list.path)/items", body).status == 201)
    }
  }

  @Test(arguments: [false, true])
  func `whole numbers of many digits are told apart`(isStored: Bool) throws {
    let folder = try TemporaryFolder()
    let service =
      isStored
      ? try Service(
        asking: DatabaseStore(DatabaseStore.Configuration(path: folder.database))) : try Service()
    let list = try service.makeList()
    let numbers = ["9007199254740992", "9007199254740993", "-1234567890123456789", "1.5", "20"]
    for number in numbers {
      let fields: JSONValue = ["id": try JSONReader.parse(Array(number.utf8))]
      try #require(
        try service.send(.post, "\(list.path)/items", ["name": .string(number), "fields": fields])
          .status == 201)
    }
    func names(_ value: String) throws -> [String] {
      try service.get("/v1/items?field.id=\(value)").texts("/items", "name")
    }
    for number in numbers { #expect(try names(number) == [number]) }
    #expect(try names("15e-1") == ["1.5"])
    #expect(try names("2e1") == ["20"])
    #expect(try names("0020") == ["20"])
    #expect(try names("9007199254740994") == [])
  }

  private func names(_ query: String) throws -> [String] {
    let answer = try service.get("/v1/items?" + query)
    try #require(answer.status == 200)
    return answer.texts("/items", "name")
  }

  @Test(arguments: [
    ("serialNumber=AB%201", ["Saw", "Axe"]), ("serialNumber=%20AB+1%20", ["Saw", "Axe"]),
    ("serialNumber=AB", []), ("serialNumber=ab%201", ["Ladder"]), ("tag=tool", ["Saw"]),
    ("tag=Tool", []), ("tag=red", ["Saw"]), ("field.colour=red", ["Saw"]),
    ("field.colour=re", []), ("field.Colour=red", []), ("field.depth=12", ["Axe"]),
    ("field.depth=12.0", ["Axe"]), ("field.depth=1", []), ("field.lent=true", ["Ladder"]),
    ("field.lent=1", []), ("field.na%C3%AFve%20%22name%22=%C3%A9", ["Ladder"]),
    ("field.colour=", []),
  ])
  func `by the exact value`(query: String, expected: [String]) throws {
    #expect(try names(query) == expected)
  }

  @Test func `a page has whole items, and links to the others`() throws {
    let first = try service.get("/v1/items?serialNumber=AB+1&limit=1")
    #expect(first["/count"] == 2)
    let id = try #require(first.text("/items/0/id"))
    #expect(first["/items/0"] == (try service.get("/v1/items/\(id)")).json)
    #expect(
      first.fields["link"]?.contains("</v1/items?serialNumber=AB+1&limit=1&offset=1>; rel=\"next\"")
        == true)
    #expect(try names("serialNumber=AB+1&limit=1&offset=1") == ["Axe"])
    #expect(try names("serialNumber=AB+1&after=\(id)") == ["Axe"])
    #expect(try service.get("/v1/items?tag=tools&after=\(id)").status == 409)
    #expect(try names("serialNumber=AB+1&offset=2") == [])
  }

  @Test(arguments: [
    "", "limit=5", "tag=tool&serialNumber=AB", "tag=tool&field.colour=red",
    "field.colour=red&field.depth=12", "tag=a&tag=b", "serialNumber=", "serialNumber=%20",
    "tag=", "field.=red", "serial=AB", "fields.colour=red", "tag=tool&offset=1&after=root",
    "serialNumber=\(String(repeating: "a", count: 201))",
  ])
  func `exactly one value is needed`(query: String) throws {
    #expect(try service.get("/v1/items?" + query).status == 422)
  }

  @Test func `a message says what is needed`() throws {
    let answer = try service.get("/v1/items")
    #expect(answer.text("/detail") == "Send exactly one of serialNumber, tag and field.NAME.")
  }

  @Test func `only of what the caller sees`() throws {
    let other = try service.makeList("Elsewhere")
    try service.send(.post, "\(other.path)/items", ["name": "Rake", "tags": ["tool"]])
    #expect(try names("tag=tool") == ["Saw", "Rake"])
    let reader = try service.asked(by: .reader, root: ListID(text: other.id))
    #expect(try reader.get("/v1/items?tag=tool").texts("/items", "name") == ["Rake"])
    let saw = try #require(try service.get("/v1/items?tag=tool&limit=1").text("/items/0/id"))
    try service.send(.delete, "/v1/items/\(saw)")
    #expect(try names("tag=tool") == ["Rake"])
  }
}

extension Int {
  fileprivate var json: JSONValue { JSONValue(self) }
}
