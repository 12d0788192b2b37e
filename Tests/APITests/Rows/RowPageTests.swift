import HTTP
import Inventory
import JSON
import Testing

@Suite("What a page of rows shows")
struct RowPageTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c", "d", "e"])
  }

  private func rows(_ query: String = "", _ fields: Fields = Fields()) throws -> Answer {
    try service.get(list.path + "/rows" + query, fields)
  }

  @Test func `a page has its list, revision and count`() throws {
    let page = try rows()
    #expect(page.status == 200)
    #expect(page.keys() == ["dir", "listId", "revision", "count", "rows"])
    #expect(page["/listId"] == .string(list.id))
    #expect(page["/count"] == 5)
    #expect(page["/revision"] == (try service.get(list.path)["/revision"]))
  }

  @Test(arguments: ["rows", "screen"])
  func `a page of more than 200 rows is read off the loop`(what: String) throws {
    for (limit, cost) in [(200, ReadCost.bounded), (201, .long), (1_000, .long)] {
      #expect(try service.get(list.path + "/\(what)?limit=\(limit)").status == 200)
      #expect(service.store.lastCost.withLock { $0 } == cost)
    }
    #expect(try service.get("/v1/start?limit=201").status == 200)
    #expect(service.store.lastCost.withLock { $0 } == .long)
  }

  @Test func `an item's row has the members of the contract`() throws {
    let car = try service.send(
      .post, list.path + "/items",
      [
        "car": ["make": "Mini", "year": 1999], "serialNumber": "M1",
        "valueInDollars": .decimal("12.5"),
        "tags": ["old"], "notes": "unseen", "position": "first",
      ])
    #expect(car.status == 201)
    let page = try rows("?limit=1")
    #expect(
      page["/rows/0"] == [
        "index": 0, "type": "item", "id": car["/id"] ?? .null, "title": "1999 Mini",
        "detail": "M1", "canMove": true, "canEdit": true, "canDelete": true,
        "item": [
          "id": car["/id"] ?? .null, "kind": "car", "name": .null, "serialNumber": "M1",
          "valueInDollars": .decimal("12.5"), "quantity": 1, "tags": ["old"],
          "car": ["make": "Mini", "model": .null, "year": 1999, "fuelAmount": .null],
          "contentsListId": .null, "photo": .null,
        ],
      ])
    #expect(
      page.keys("/rows/0") == [
        "index", "type", "id", "title", "detail", "canMove", "canEdit", "canDelete", "item",
      ])
    #expect(
      page.keys("/rows/0/item") == [
        "id", "kind", "name", "serialNumber", "valueInDollars", "quantity", "tags", "car",
        "contentsListId", "photo",
      ])
  }

  @Test func `a page ends at a mebibyte, and the next one continues after it`() throws {
    let tags = (0..<50).map { JSONValue.string("\($0) " + String(repeating: "t", count: 90)) }
    let long = try service.makeList(things: [])
    for number in 0..<300 {
      let made = try service.send(
        .post, long.path + "/items", ["name": .string("\(number)"), "tags": .array(tags)])
      #expect(made.status == 201)
    }
    var seen = 0
    var target: String? = long.path + "/rows?limit=1000&sentinel=false"
    while let next = target {
      let page = try service.get(next)
      #expect(page.body.count < (1 << 20) + 10_000)
      #expect(page["/rows/0/index"] == .number(JSONNumber(Int64(seen))))
      seen += page.all("/rows", "index").count
      target = page.link("next")
    }
    #expect(seen == 300)
  }

  @Test func `a list's row has its title, count and total`() throws {
    let inner = try service.makeList("Box", in: list.id, things: ["x"])
    let page = try rows("?offset=5")
    #expect(
      page["/rows/0"] == [
        "index": 5, "type": "list", "id": .string(inner.id), "title": "Box", "detail": .null,
        "canMove": true, "canEdit": true, "canDelete": true,
        "list": [
          "id": .string(inner.id), "title": "Box", "rowCount": 1, "totalValueInDollars": 0,
          "glyph": .null, "colour": .null,
        ],
      ])
  }

  @Test func `the sentinel is the last row and may not be touched`() throws {
    #expect(
      try rows()["/rows/5"] == [
        "index": 5, "type": "sentinel", "id": .null, "title": "No more items!", "detail": .null,
        "canMove": false, "canEdit": false, "canDelete": false,
      ])
  }

  @Test(
    "the sentinel is on the page with the last row, and on pages past the end",
    arguments: [
      ("?limit=5", [0, 1, 2, 3, 4, 5], true), ("?limit=4", [0, 1, 2, 3], false),
      ("?limit=4&offset=4", [4, 5], true), ("?limit=1&offset=4", [4, 5], true),
      ("?limit=1&offset=3", [3], false), ("?offset=5", [5], true), ("?offset=99", [5], true),
      ("?limit=6", [0, 1, 2, 3, 4, 5], true), ("?sentinel=false", [0, 1, 2, 3, 4], false),
      ("?sentinel=false&offset=9", [], false), ("?sentinel=true&offset=4", [4, 5], true),
    ])
  func sentinel(query: String, indices: [Int], hasSentinel: Bool) throws {
    let page = try rows(query)
    #expect(page.all("/rows", "index") == indices.map { JSONValue($0) })
    let sentinels = page.texts("/rows", "type").filter { $0 == "sentinel" }
    #expect(sentinels.count == (hasSentinel ? 1 : 0))
    #expect((page.texts("/rows", "type").last == "sentinel") == hasSentinel)
  }

  @Test func `an empty list is its sentinel alone, or nothing where that is hidden`() throws {
    let empty = try service.makeList()
    #expect(try service.get(empty.path + "/rows").texts("/rows", "type") == ["sentinel"])
    try service.send(.patch, empty.path, ["sentinel": ["visible": false]])
    #expect(try service.get(empty.path + "/rows")["/rows"] == [])
    let move = try service.send(.post, empty.path + "/move-row", ["from": 0, "to": 0])
    #expect(move.code == "sentinel_immovable")
  }

  @Test func `the sentinel has the text of the list, also an empty one`() throws {
    for (text, shown) in [("The end", "The end"), ("", "")] {
      try service.send(.patch, list.path, ["sentinel": ["text": .string(text)]])
      #expect(try rows()["/rows/5/title"] == .string(shown))
    }
    try service.send(.patch, list.path, ["sentinel": ["text": .null]])
    #expect(try rows()["/rows/5/title"] == "No more items!")
  }

  @Test func `a page can start behind a row`() throws {
    let page = try rows("?limit=2&after=\(list.rows[1].uppercased())")
    #expect(page.texts("/rows", "title") == ["c", "d"])
    #expect(page.all("/rows", "index") == [2, 3])
    let end = try rows("?after=\(list.rows[4])")
    #expect(end.texts("/rows", "type") == ["sentinel"])
    let gone = try rows("?after=00000000-0000-4000-8000-000000000000")
    #expect(gone.status == 409)
    #expect(gone.code == "anchor_gone")
  }

  @Test(
    "a page links to the others",
    arguments: [
      (
        "?limit=2",
        ["first": "limit=2&offset=0", "next": "limit=2&offset=2", "last": "limit=2&offset=4"]
      ),
      (
        "?limit=2&offset=2",
        [
          "first": "limit=2&offset=0", "prev": "limit=2&offset=0", "next": "limit=2&offset=4",
          "last": "limit=2&offset=4",
        ]
      ),
      (
        "?offset=4&sentinel=false&limit=2",
        [
          "first": "sentinel=false&limit=2&offset=0", "prev": "sentinel=false&limit=2&offset=2",
          "last": "sentinel=false&limit=2&offset=4",
        ]
      ),
      ("", ["first": "offset=0", "last": "offset=0"]),
      (
        "?offs%65t=4&limit=2",
        ["first": "limit=2&offset=0", "prev": "limit=2&offset=2", "last": "limit=2&offset=4"]
      ),
      (
        "?limit=2&offset=90",
        ["first": "limit=2&offset=0", "prev": "limit=2&offset=3", "last": "limit=2&offset=4"]
      ),
    ])
  func links(query: String, expected: [String: String]) throws {
    let links = try #require(try rows(query).fields["link"])
    let pairs = links.split(separator: ", ").map { link in
      let parts = link.split(separator: ">; rel=\"")
      return (String(parts[1].dropLast()), String(parts[0].dropFirst()))
    }
    let found = Dictionary(uniqueKeysWithValues: pairs)
    #expect(found == expected.mapValues { list.path + "/rows?" + $0 })
  }

  @Test func `pages that start after a row continue after their last one`() throws {
    let links = try #require(try rows("?limit=2&after=\(list.rows[0])").fields["link"])
    #expect(
      links.split(separator: ", ").contains {
        $0 == "<\(list.path)/rows?limit=2&after=\(list.rows[2])>; rel=\"next\""
      })
  }

  @Test(
    "a parameter that is wrong is refused by name",
    arguments: [
      ("?limit=0", ["limit"]), ("?limit=1001", ["limit"]), ("?limit=x", ["limit"]),
      ("?limit=", ["limit"]), ("?limit=+5", ["limit"]), ("?offset=-1", ["offset"]),
      ("?offset=9223372036854775808", ["offset"]), ("?after=7", ["after"]),
      ("?offset=1&after=00000000-0000-4000-8000-000000000000", ["after"]),
      ("?sentinel=no", ["sentinel"]), ("?revision=-1", ["revision"]),
      ("?limt=3", ["limt"]), ("?limit=3&limit=4", ["limit"]),
      ("?limit=0&offset=-1&x=1", ["limit", "offset", "x"]),
    ])
  func refuses(query: String, names: [String]) throws {
    let answer = try rows(query)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(names))
  }

  @Test func `a query that does not decode is malformed`() throws {
    let answer = try rows("?limit=%zz")
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_query")
  }

  @Test func `a page of a list that has moved on brings the delta`() throws {
    let seen = try rows()["/revision"].flatMap(text) ?? ""
    #expect(try rows("?revision=\(seen)&offset=2").status == 200)
    try service.send(.post, list.path + "/move-row", ["from": 0, "to": 4])
    let answer = try rows("?revision=\(seen)&offset=2")
    #expect(answer.status == 409)
    #expect(answer.code == "list_moved_on")
    #expect(answer["/delta/moves"] == [["from": 0, "to": 4]])
    #expect(answer["/delta/listId"] == .string(list.id))
    let future = try rows("?revision=999")
    #expect(future.code == "list_moved_on")
    #expect(future["/delta/resync"] == true)
  }

  @Test func `another list's change does not move this one on`() throws {
    let seen = try rows()["/revision"].flatMap(text) ?? ""
    let other = try service.makeList()
    let latest = try service.get(other.path)["/revision"].flatMap(text) ?? ""
    #expect(try rows("?revision=\(seen)").status == 200)
    #expect(try rows("?revision=\(latest)").status == 200)
  }

  private func text(_ value: JSONValue) -> String? {
    if case .number(let number) = value { number.text } else { nil }
  }

  @Test(
    "what a row permits follows its list",
    arguments: [
      ("move", "canMove"), ("edit", "canEdit"), ("delete", "canDelete"),
    ])
  func permissions(permission: String, member: String) throws {
    try service.permit(.object(JSONObject([(permission, false)])), in: list)
    let page = try rows()
    for row in 0..<5 {
      for flag in ["canMove", "canEdit", "canDelete"] {
        #expect(page["/rows/\(row)/\(flag)"] == .bool(flag != member))
      }
    }
  }

  @Test func `to a reader rows permit nothing`() throws {
    let reader = try service.asked(by: .reader)
    let row = try reader.get(list.path + "/rows")
    for flag in ["canMove", "canEdit", "canDelete"] { #expect(row["/rows/0/\(flag)"] == false) }
  }

  @Test func `rows in deltas permit what rows in pages do`() throws {
    try service.permit(["move": false], in: list)
    let made = try service.send(.post, list.path + "/items", ["name": "new"])
    let row = made["/receipt/deltas/0/inserts/0/row"]
    #expect(row == (try rows()["/rows/5"]))
    #expect(made["/receipt/deltas/0/inserts/0/row/canMove"] == false)
    #expect(made["/receipt/deltas/0/inserts/0/row/canEdit"] == true)
  }

  @Test func `HEAD is answered as GET`() throws {
    let head = try service.send(.head, list.path + "/rows")
    let get = try rows()
    #expect(head.status == 200)
    #expect(head.fields["etag"] == get.fields["etag"])
    #expect(head.body == get.body)
  }
}
