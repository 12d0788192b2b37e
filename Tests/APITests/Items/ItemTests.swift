import FoundationEssentials
import HTTP
import JSON
import Testing

@Suite("What items take, and what they show")
struct ItemTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList()
  }

  private func create(_ body: JSONValue, _ query: String = "") throws -> Answer {
    try service.send(.post, list.path + "/items" + query, body)
  }

  private func path(_ answer: Answer) throws -> String {
    "/v1/items/\(try #require(answer.text("/id")))"
  }

  @Test func `faults in an array are named by their place in the request`() throws {
    let long = String(repeating: "x", count: 101)
    #expect(
      try create(["name": "a", "tags": [5, "ok", .string(long), " "]]).faults
        == ["/tags/0", "/tags/2", "/tags/3"])
    let row = JSONValue.string(UUID().uuidString)
    let moved = try service.send(
      .post, list.path + "/move-rows", ["ids": ["x", row, row]])
    #expect(moved.faults == ["/ids/0", "/ids/2"])
  }

  @Test func `an item has every member, null where it is unset`() throws {
    let made = try create(["name": "  Lamp "])
    #expect(made.status == 201)
    #expect(made.fields["location"] == (try path(made)))
    #expect(made["/index"] == 0)
    #expect(made["/receipt/changed"] == true)
    #expect(made.fields["rowhouse-revision"] != nil)
    let item = try service.get(try path(made))
    #expect(
      item.keys() == [
        "id", "listId", "kind", "name", "serialNumber", "valueInDollars", "quantity", "notes",
        "tags", "fields", "car", "contentsListId", "photos", "revision", "createdAt", "updatedAt",
      ])
    #expect(made.keys() == item.keys() + ["index", "receipt"])
    #expect(item["/name"] == "Lamp")
    #expect(item["/kind"] == "thing")
    #expect(item["/quantity"] == 1)
    #expect(item["/fields"] == [:])
    #expect(item["/photos"] == [])
    for member in ["serialNumber", "valueInDollars", "notes", "car", "contentsListId"] {
      #expect(item["/\(member)"] == .null)
    }
    #expect(made.fields["etag"] == item.fields["etag"])
  }

  @Test func `what an answer shows can be sent back as it is`() throws {
    let made = try create([
      "car": ["make": "Saab", "model": "900", "year": 1984, "fuelAmount": .decimal("12.25")],
      "serialNumber": "", "valueInDollars": 0, "quantity": 0, "notes": "", "tags": ["a", "b"],
      "fields": [
        "z": .decimal("1.50"), "a": [1, .null], "n": .null, "deep": ["n": .null, "m": 1],
      ],
    ])
    let item = try service.get(try path(made))
    for (method, body) in [
      (HTTP.Method.put, item.json), (.patch, item.json), (.put, made.json), (.patch, made.json),
    ] {
      let answer = try service.send(method, try path(made), try #require(body))
      #expect(answer.status == 200)
      #expect(answer["/receipt/changed"] == false)
      #expect(try service.get(try path(made)).body == item.body)
    }
    let copy = try create(try #require(item.json))
    #expect(copy.status == 200, "the same id, list and kind once more")
  }

  @Test(
    "money is exact to the cent",
    arguments: [
      ("0", "0"), ("0.1", "0.1"), ("19.99", "19.99"), ("1e2", "100"), ("100.00", "100"),
      ("999999999999.99", "999999999999.99"), ("1.5E1", "15"), ("-0", "0"),
    ])
  func money(sent: String, shown: String) throws {
    let made = try service.send(
      .post, list.path + "/items", text: #"{"name":"x","valueInDollars":\#(sent)}"#)
    #expect(made.status == 201)
    guard case .number(let number)? = made["/valueInDollars"] else {
      Issue.record("no number")
      return
    }
    #expect(number.text == shown)
    #expect(try service.get(list.path)["/totalValueInDollars"] == .number(number))
  }

  @Test(
    "a field that is wrong is named, and all of them at once",
    arguments: [
      (#"{}"#, ["/name"]), (#"{"name":null}"#, ["/name"]), (#"{"name":""}"#, ["/name"]),
      (#"{"name":"   "}"#, ["/name"]), (#"{"name":7}"#, ["/name"]),
      (#"{"name":"a\tb"}"#, ["/name"]), (#"{"name":"x","nmae":null}"#, ["/nmae"]),
      (#"{"name":"x","valueInDollars":1.005}"#, ["/valueInDollars"]),
      (#"{"name":"x","valueInDollars":"1"}"#, ["/valueInDollars"]),
      (#"{"name":"x","valueInDollars":-0.01}"#, ["/valueInDollars"]),
      (#"{"name":"x","valueInDollars":1000000000000}"#, ["/valueInDollars"]),
      (#"{"name":"x","valueInDollars":1e300}"#, ["/valueInDollars"]),
      (#"{"name":"x","quantity":1.5}"#, ["/quantity"]),
      (#"{"name":"x","quantity":-1}"#, ["/quantity"]),
      (#"{"name":"x","quantity":1000000001}"#, ["/quantity"]),
      (#"{"name":"x","tags":"a"}"#, ["/tags"]),
      (#"{"name":"x","tags":["a",1,null]}"#, ["/tags/1", "/tags/2"]),
      (#"{"name":"x","tags":["a","a"]}"#, ["/tags"]),
      (#"{"name":"x","fields":[]}"#, ["/fields"]),
      (#"{"name":"x","kind":"boat"}"#, ["/kind"]),
      (#"{"name":"x","kind":"thing","car":{}}"#, ["/car"]),
      (#"{"name":"x","car":5}"#, ["/car"]), (#"{"car":{}}"#, ["/car"]),
      (#"{"kind":"car"}"#, ["/car"]),
      (#"{"car":{"make":"a","wheels":4,"year":"1999"}}"#, ["/car/wheels", "/car/year"]),
      (#"{"car":{"make":"a","year":1884}}"#, ["/car/year"]),
      (#"{"car":{"make":"a","year":1999.5}}"#, ["/car/year"]),
      (#"{"car":{"make":"a","fuelAmount":10000.01}}"#, ["/car/fuelAmount"]),
      (#"{"name":"x","id":"7"}"#, ["/id"]), (#"{"name":"x","id":7}"#, ["/id"]),
      (#"{"name":"x","createdAt":"yesterday"}"#, ["/createdAt"]),
      (#"{"name":"x","createdAt":"2026-02-30T00:00:00Z"}"#, ["/createdAt"]),
      (#"{"name":"x","position":"middle"}"#, ["/position"]),
      (#"{"name":"x","position":{}}"#, ["/position"]),
      (#"{"name":"x","position":{"index":0,"before":"x"}}"#, ["/position"]),
      (#"{"name":"x","position":{"index":-1}}"#, ["/position/index"]),
      (#"{"name":"x","position":{"index":"0"}}"#, ["/position/index"]),
      (#"{"name":"x","position":{"index":null}}"#, ["/position/index"]),
      (#"{"name":"x","position":{"before":null}}"#, ["/position/before"]),
      (#"{"name":"x","position":{"after":"x"}}"#, ["/position/after"]),
      (#"{"name":"x","position":{"at":1}}"#, ["/position/at"]),
      (
        #"{"name":1,"quantity":"2","a/b~c":0,"car":{"year":1},"tags":[0]}"#,
        ["/name", "/quantity", "/a~1b~0c", "/car/year", "/tags/0"]
      ),
    ])
  func refuses(text: String, pointers: [String]) throws {
    let answer = try service.send(.post, list.path + "/items", text: text)
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(Set(answer.faults) == Set(pointers))
    #expect(try service.get(list.path)["/rowCount"] == 0)
  }

  @Test func `custom fields are kept as they came`() throws {
    let text = #"{"b":1.50,"a":{"z":[],"y":1e3},"é":"\u00e9/\n"}"#
    let made = try service.send(
      .post, list.path + "/items", text: #"{"name":"x","fields": \#(text)}"#)
    guard case .object(let fields)? = made["/fields"],
      case .object(let sent) = try JSONReader.parse(Array(text.utf8))
    else {
      Issue.record("no object")
      return
    }
    #expect(fields.members.map(\.key) == sent.members.map(\.key))
    guard case .number(let number)? = fields["b"] else { return }
    #expect(number.text == "1.50")
    #expect(fields == sent)
  }

  @Test func `at most a hundred custom fields`() throws {
    let members = (0..<101).map { (key: "k\($0)", value: JSONValue($0)) }
    let many = try create(["name": "x", "fields": .object(JSONObject(members))])
    #expect(many.faults == ["/fields"])
    let enough = try create(["name": "x", "fields": .object(JSONObject(Array(members.dropLast())))])
    #expect(enough.status == 201)
  }

  @Test func `a patch merges, null clears, and the rest stays`() throws {
    let made = try create([
      "car": ["make": "Saab", "model": "900", "year": 1984], "name": "Old",
      "valueInDollars": 10, "notes": "n", "tags": ["a"], "quantity": 3,
      "fields": ["a": 1, "b": ["c": 2, "d": 3]],
    ])
    let answer = try service.send(
      .patch, try path(made),
      [
        "name": .null, "valueInDollars": .null, "quantity": .null, "tags": .null,
        "car": ["model": .null, "fuelAmount": .decimal("3.5")],
        "fields": ["b": ["c": .null, "e": 4]],
      ], ["Content-Type": "application/merge-patch+json"])
    #expect(answer.status == 200)
    #expect(answer["/name"] == .null)
    #expect(answer["/valueInDollars"] == .null)
    #expect(answer["/quantity"] == 1)
    #expect(answer["/tags"] == [])
    #expect(answer["/notes"] == "n")
    #expect(
      answer["/car"] == [
        "make": "Saab", "model": .null, "year": 1984, "fuelAmount": .decimal("3.5"),
      ])
    #expect(answer["/fields"] == ["a": 1, "b": ["d": 3, "e": 4]])
  }

  @Test(
    "a patch that is wrong changes nothing",
    arguments: [
      (#"{"name":null}"#, ["/name"]), (#"{"nmae":null}"#, ["/nmae"]),
      (#"{"kind":"car"}"#, ["/kind"]), (#"{"car":{"make":"x"}}"#, ["/car"]),
      (#"{"car":{"wheels":null}}"#, ["/car/wheels"]),
      (#"{"quantity":"1","notes":1}"#, ["/quantity", "/notes"]), (#"[]"#, [""]),
      (#"{"valueInDollars":0.001}"#, ["/valueInDollars"]),
      (#"{"position":"first"}"#, ["/position"]),
    ])
  func refusesPatch(text: String, pointers: [String]) throws {
    let made = try create(["name": "x"])
    let before = try service.get(try path(made)).body
    let answer = try service.send(.patch, try path(made), text: text)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(pointers))
    #expect(try service.get(try path(made)).body == before)
  }

  @Test func `PUT replaces, never creates and never changes the kind`() throws {
    let made = try create(["name": "x", "notes": "n", "tags": ["a"], "quantity": 2])
    let answer = try service.send(.put, try path(made), ["name": "y"])
    #expect(answer.status == 200)
    #expect(answer["/notes"] == .null)
    #expect(answer["/tags"] == [])
    #expect(answer["/quantity"] == 1)
    #expect(answer["/createdAt"] == made["/createdAt"])
    let car = try service.send(.put, try path(made), ["kind": "car", "car": ["make": "a"]])
    #expect(car.faults == ["/kind"])
    #expect(try service.send(.put, try path(made), ["car": ["make": "a"]]).faults.contains("/car"))
    let nowhere = "/v1/items/00000000-0000-4000-8000-000000000000"
    #expect(try service.send(.put, nowhere, ["name": "y"]).status == 404)
  }

  @Test func `a client may choose the id and send it again`() throws {
    let id = "0198C0DE-0000-7000-8000-000000000001"
    let first = try create(["id": .string(id), "name": "x"])
    #expect(first.status == 201)
    #expect(first["/id"] == .string(id.lowercased()))
    try service.send(.patch, "/v1/items/\(id)", ["name": "newer"])
    let again = try create(["id": .string(id), "name": "x"])
    #expect(again.status == 200)
    #expect(again["/name"] == "newer")
    #expect(again["/receipt/changed"] == false)
    #expect(again.fields["location"] == nil)
    let car = try create(["id": .string(id), "car": ["make": "x"]])
    #expect(car.status == 409)
    #expect(car.code == "id_taken")
    let asList = try service.send(.post, "/v1/lists", ["id": .string(id), "title": "x"])
    #expect(asList.code == "id_taken")
    try service.send(.delete, "/v1/items/\(id)")
    let trashed = try create(["id": .string(id), "name": "x"])
    #expect(trashed.status == 409)
    #expect(trashed.code == "in_trash")
    #expect(trashed["/trashId"] == .string(id.lowercased()))
    let gone = try service.get("/v1/items/\(id)")
    #expect(gone.status == 410)
    #expect(gone.code == "in_trash")
    #expect(gone["/trashId"] == .string(id.lowercased()))
  }

  @Test func `the time of making may be set on create only`() throws {
    let made = try create(["name": "x", "createdAt": "2001-02-03T06:05:06.789+02:00"])
    #expect(made["/createdAt"] == "2001-02-03T04:05:06Z")
    let put = try service.send(
      .put, try path(made), ["name": "x", "createdAt": "2020-01-01T00:00:00Z"])
    #expect(put["/createdAt"] == "2001-02-03T04:05:06Z")
  }

  @Test func `an item has contents once`() throws {
    let bag = try create(["name": "Bag"])
    let contents = try path(bag) + "/contents"
    let first = try service.send(.post, contents)
    #expect(first.status == 201)
    let id = try #require(first.text("/id"))
    #expect(first.fields["location"] == "/v1/lists/\(id)")
    #expect(first["/parentId"] == .null)
    #expect(first["/itemId"] == bag["/id"])
    #expect(first["/index"] == .null)
    #expect(try service.send(.post, contents, [:]).status == 200)
    #expect(try service.send(.post, contents, ["titel": "x"]).faults == ["/titel"])
    #expect(try service.get(try path(bag))["/contentsListId"] == .string(id))
    try service.makeThing("Wallet", in: id)

    let delete = try service.send(.delete, try path(bag))
    #expect(delete.code == "list_not_empty")
    #expect(delete["/count"] == 1)
    #expect(try service.send(.delete, "/v1/lists/\(id)?recursive=true").code == "contents_list")
    #expect(
      try service.send(.post, "/v1/rows/\(id)/move", ["listId": "root"]).code == "contents_list")
    #expect(
      try service.send(.post, "/v1/rows/\(bag.text("/id") ?? "")/move", ["listId": .string(id)])
        .code == "cycle")
    #expect(try service.send(.delete, try path(bag) + "?recursive=true").status == 200)
    #expect(try service.get("/v1/lists/\(id)").status == 410)
  }

  @Test func `a path leads from the root down to the item`() throws {
    let bag = try create(["name": "Bag"])
    let path = try service.get(try path(bag) + "/path")
    #expect(path["/count"] == 3)
    #expect(path.texts("/path", "title") == ["Home", "Shelf", "Bag"])
    #expect(path.texts("/path", "type") == ["list", "list", "item"])
    #expect(path["/path/2/id"] == bag["/id"])
  }

  @Test func `a made-up item has a name, a serial number and a value below a hundred`() throws {
    for _ in 0..<20 {
      let made = try service.send(.post, list.path + "/items/random")
      #expect(made.status == 201)
      #expect(made.text("/name")?.split(separator: " ").count == 2)
      #expect(made.text("/serialNumber")?.count == 5)
      guard case .number(let value)? = made["/valueInDollars"] else { continue }
      #expect((0...99).contains(value.int64 ?? -1))
    }
    let first = try service.send(.post, list.path + "/items/random", ["position": "first"])
    #expect(first["/index"] == 0)
    #expect(try service.send(.post, list.path + "/items/random", ["name": "x"]).faults == ["/name"])
  }

  @Test func `a list takes the kinds that it accepts`() throws {
    try service.send(.patch, list.path, ["itemKind": "car"])
    let thing = try create(["name": "x"])
    #expect(thing.status == 409)
    #expect(thing.code == "kind_mismatch")
    #expect(thing["/listId"] == .string(list.id))
    #expect(try create(["kind": "car", "name": "Beetle"]).status == 201)
  }
}
