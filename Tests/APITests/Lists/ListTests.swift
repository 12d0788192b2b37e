import HTTP
import Inventory
import JSON
import Testing

@Suite("What lists take, and what they show")
struct ListTests {
  let service: Service
  init() throws { service = try Service() }

  @Test func `a list has every member, with the texts of the reader's language`() throws {
    let made = try service.send(.post, "/v1/lists", ["title": " Garage\u{3000}"])
    #expect(made.status == 201)
    let id = try #require(made.text("/id"))
    #expect(made.fields["location"] == "/v1/lists/\(id)")
    let list = try service.get("/v1/lists/\(id)")
    #expect(
      list.keys() == [
        "id", "parentId", "itemId", "title", "itemKind", "rowCount", "totalValueInDollars",
        "permissions", "can", "sentinel", "deleteLabel", "glyph", "colour", "dir", "revision",
        "createdAt", "updatedAt",
      ])
    #expect(made.keys() == list.keys() + ["index", "receipt"])
    #expect(made.fields["etag"] == list.fields["etag"])
    #expect(list["/title"] == "Garage")
    #expect(list["/itemKind"] == "any")
    #expect(list["/sentinel"] == ["text": "No more items!", "visible": true])
    #expect(list["/deleteLabel"] == "Remove")
    #expect(list["/glyph"] == .null)
    #expect(list["/colour"] == .null)
    #expect(list["/parentId"] == (try service.get("/v1/lists/root")["/id"]))
    #expect(list["/itemId"] == .null)
    #expect(list.fields["content-language"] == "en")
  }

  @Test func `all that can be set on create`() throws {
    let made = try service.send(
      .post, "/v1/lists",
      [
        "id": "0198c0de-0000-7000-8000-00000000000a", "parentId": "root", "title": "Cars",
        "itemKind": "car", "position": "first", "permissions": ["delete": false],
        "sentinel": ["text": "That's it", "visible": false], "deleteLabel": "Sell",
        "glyph": " 🚗 ", "colour": "teal",
      ])
    #expect(made.status == 201)
    #expect(made["/id"] == "0198c0de-0000-7000-8000-00000000000a")
    #expect(made["/permissions"] == ["add": true, "edit": true, "move": true, "delete": false])
    #expect(made["/sentinel"] == ["text": "That's it", "visible": false])
    #expect(made["/deleteLabel"] == "Sell")
    #expect(made["/glyph"] == "🚗")
    #expect(made["/colour"] == "teal")
  }

  @Test func `a row shows its list's glyph and colour, and the parent's delta has them`() throws {
    let (first, second) = (try service.makeList(), try service.makeList())
    let looks = ["/rows/1/list/glyph", "/rows/1/list/colour"]
    func shown() throws -> [JSONValue?] {
      let rows = try service.get("/v1/lists/root/rows")
      return looks.map { rows[$0] }
    }
    #expect(try shown() == [.null, .null])
    let set = try service.send(.patch, second.path, ["glyph": "🔧", "colour": "red"])
    #expect(set.status == 200)
    #expect(try shown() == ["🔧", "red"])
    let deltas = try #require(set["/receipt/deltas"])
    guard case .array(let deltas) = deltas else { return }
    let own = deltas.first { $0.object?["listId"] == .string(second.id) }?.object?["list"]
    #expect(own == ["glyph": "🔧", "colour": "red"])
    let above = deltas.first { $0.object?["listId"] != .string(second.id) }?.object
    #expect(above?["reloads"] == [1])
    // Others stay as they are, and null removes one of them.
    try service.send(.patch, second.path, ["colour": .null])
    #expect(try shown() == ["🔧", .null])
    #expect(try service.get(first.path)["/glyph"] == .null)
  }

  @Test(
    "a field that is wrong is named, and all of them at once",
    arguments: [
      (#"{}"#, ["/title"]), (#"{"title":null}"#, ["/title"]), (#"{"title":" "}"#, ["/title"]),
      (#"{"title":7}"#, ["/title"]), (#"{"title":"x","itemKind":"boat"}"#, ["/itemKind"]),
      (#"{"title":"x","permissions":{"ad":true}}"#, ["/permissions/ad"]),
      (#"{"title":"x","permissions":{"add":1}}"#, ["/permissions/add"]),
      (#"{"title":"x","permissions":[]}"#, ["/permissions"]),
      (
        #"{"title":"x","sentinel":{"text":5,"visible":"no"}}"#,
        ["/sentinel/text", "/sentinel/visible"]
      ),
      (#"{"title":"x","sentinel":"x"}"#, ["/sentinel"]),
      (#"{"title":"x","deleteLabel":""}"#, ["/deleteLabel"]),
      (#"{"title":"x","glyph":"ab","colour":"mauve"}"#, ["/glyph", "/colour"]),
      (#"{"title":"x","glyph":"","colour":7}"#, ["/glyph", "/colour"]),
      (#"{"title":"x","parentId":"7"}"#, ["/parentId"]),
      (#"{"title":"x","parentId":7}"#, ["/parentId"]),
      (#"{"title":"x","id":"root"}"#, ["/id"]),
      (#"{"titel":"x","position":"x"}"#, ["/titel", "/title", "/position"]),
    ])
  func refuses(text: String, pointers: [String]) throws {
    let answer = try service.send(.post, "/v1/lists", text: text)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(pointers))
    #expect(try service.get("/v1/lists")["/count"] == 0)
  }

  @Test(
    "a title of 1 to 500 characters",
    arguments: [(0, 422), (1, 201), (500, 201), (501, 422)])
  func title(length: Int, status: Int) throws {
    let title = String(repeating: "é", count: length)
    #expect(try service.send(.post, "/v1/lists", ["title": .string(title)]).status == status)
  }

  @Test func `a position is one of five forms, and indices and anchors agree`() throws {
    let list = try service.makeList(things: ["a", "b", "c"])
    let forms: [(JSONValue, Int)] = [
      ("first", 0), ("last", 4), (["index": 2], 2), (["before": .string(list.rows[2])], 5),
      (["after": .string(list.rows[2])], 7), (["index": 99], 8), (.null, 9),
    ]
    for (position, index) in forms {
      let made = try service.send(
        .post, "/v1/lists",
        ["title": "x", "parentId": .string(list.id), "position": position])
      let rows = try service.get(list.path + "/rows").texts("/rows", "id")
      let id = made.text("/id")
      #expect(made["/index"].map { $0 } == rows.firstIndex { $0 == id }.map { JSONValue($0) })
      if [0, 4, 2].contains(index) { #expect(made["/index"] == JSONValue(index)) }
      #expect(made["/receipt/retargeted"] == .bool(position == ["index": 99]))
    }
    let strict = try service.send(
      .post, "/v1/lists?strict=true",
      ["title": "x", "parentId": .string(list.id), "position": ["index": 99]])
    #expect(strict.code == "sentinel_last")
    let gone = try service.send(
      .post, "/v1/lists",
      ["title": "x", "position": ["after": .string(list.rows[0])]])
    #expect(gone.status == 409)
    #expect(gone.code == "anchor_gone")
    #expect(gone["/id"] == .string(list.rows[0]))
  }

  @Test func `the lists in a list are answered in order, in pages`() throws {
    let names = ["a", "b", "c", "d", "e"]
    for name in names { _ = try service.makeList(name) }
    try service.makeThing("no list", in: "root")
    let all = try service.get("/v1/lists")
    #expect(all["/count"] == 5)
    #expect(all.texts("/lists", "title") == names)
    let page = try service.get("/v1/lists?limit=2&offset=2&parentId=root")
    #expect(page.texts("/lists", "title") == ["c", "d"])
    #expect(page["/count"] == 5)
    let links = try #require(page.fields["link"])
    #expect(
      links.split(separator: ", ").contains(
        "</v1/lists?limit=2&parentId=root&offset=4>; rel=\"next\""))
    let behind = try service.get(
      "/v1/lists?limit=2&after=\(try #require(page.text("/lists/1/id")))")
    #expect(behind.texts("/lists", "title") == ["e"])
    #expect(behind.link("next") == nil)
    #expect(page.keys("/lists/0").contains("level") == false)
    #expect(try service.get("/v1/lists?parentId=7").faults == ["parentId"])
    #expect(try service.get("/v1/lists?after=7").faults == ["after"])
  }

  @Test func `all lists below come depth first, each with its level`() throws {
    let a = try service.makeList("a")
    let b = try service.makeList("b", in: a.id)
    _ = try service.makeList("c", in: b.id)
    _ = try service.makeList("d")
    let all = try service.get("/v1/lists?subtree=true")
    #expect(all.texts("/lists", "title") == ["a", "b", "c", "d"])
    #expect(all.all("/lists", "level") == [2, 3, 4, 2])
    let below = try service.get("/v1/lists?subtree=true&parentId=\(a.id)")
    #expect(below.texts("/lists", "title") == ["b", "c"])
  }

  @Test func `a list's subtree is summed when asked for`() throws {
    let a = try service.makeList("a")
    let b = try service.makeList("b", in: a.id)
    for (list, value) in [(a, "1.5"), (b, "2.25")] {
      try service.send(
        .post, list.path + "/items",
        ["name": "x", "valueInDollars": .decimal(value), "quantity": 2])
    }
    let answer = try service.get(a.path + "?subtree=true")
    #expect(answer["/totalValueInDollars"] == 3)
    #expect(
      answer["/subtree"] == [
        "listCount": 1, "itemCount": 2, "totalValueInDollars": .decimal("7.5"),
      ])
  }

  @Test func `a patch merges into the list and shows in its delta`() throws {
    let list = try service.makeList("a", ["sentinel": ["text": "End", "visible": false]])
    let answer = try service.send(
      .patch, list.path,
      ["title": "b", "sentinel": ["visible": true], "permissions": ["add": false]])
    #expect(answer.status == 200)
    #expect(answer["/title"] == "b")
    #expect(answer["/sentinel"] == ["text": "End", "visible": true])
    #expect(answer["/index"] == 0)
    let deltas = answer.all("/receipt/deltas", "listId")
    let own = try #require(deltas.firstIndex(of: .string(list.id)))
    #expect(
      answer["/receipt/deltas/\(own)/list"] == [
        "title": "b", "permissions": ["add": false, "edit": true, "move": true, "delete": true],
        "can": ["add": false, "edit": true, "move": true, "delete": true],
        "sentinel": ["text": "End", "visible": true], "dir": "ltr",
      ])
    let same = try service.send(.patch, list.path, ["title": "b"])
    #expect(same["/receipt/changed"] == false)
    let label = try service.send(.patch, list.path, ["deleteLabel": "Sell"])
    #expect(label["/deleteLabel"] == "Sell")
    let cleared = try service.send(.patch, list.path, ["deleteLabel": .null, "sentinel": .null])
    #expect(cleared["/deleteLabel"] == "Remove")
    #expect(cleared["/sentinel"] == ["text": "No more items!", "visible": true])
  }

  @Test(
    "a patch that is wrong changes nothing",
    arguments: [
      (#"{"title":null}"#, ["/title"]), (#"{"titel":null}"#, ["/titel"]),
      (#"{"sentinel":{"txt":null}}"#, ["/sentinel/txt"]),
      (#"{"permissions":{"add":"no"},"itemKind":3}"#, ["/permissions/add", "/itemKind"]),
      (#""x""#, [""]),
    ])
  func refusesPatch(text: String, pointers: [String]) throws {
    let list = try service.makeList()
    let before = try service.get(list.path).body
    let answer = try service.send(.patch, list.path, text: text)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(pointers))
    #expect(try service.get(list.path).body == before)
  }

  @Test func `a list that has rows goes only with them`() throws {
    let list = try service.makeList(things: ["a", "b"])
    let refused = try service.send(.delete, list.path)
    #expect(refused.status == 409)
    #expect(refused.code == "list_not_empty")
    #expect(refused["/count"] == 2)
    let done = try service.send(.delete, list.path + "?recursive=true")
    #expect(done.status == 200)
    #expect(done["/deltas/0/deletes"] == [0])
    for path in [list.path, "/v1/items/\(list.rows[0])", "/v1/rows/\(list.rows[1])"] {
      let gone = try service.get(path)
      #expect(gone.status == 410)
      #expect(gone.code == "in_trash")
      #expect(gone["/trashId"] == .string(list.id))
    }
    #expect(try service.send(.post, list.path + "/items", ["name": "x"]).status == 410)
  }

  @Test func `the root list is known by its name and can't be deleted`() throws {
    let root = try service.get("/v1/lists/root")
    let id = try #require(root.text("/id"))
    #expect(try service.get("/v1/lists/\(id)").body == root.body)
    for path in ["/v1/lists/root", "/v1/lists/\(id)", "/v1/rows/\(id)"] {
      let answer = try service.send(.delete, path + "?recursive=true")
      #expect(answer.status == 409)
      #expect(answer.code == "root_list")
    }
    let path = try service.get("/v1/lists/root/path")
    #expect(path["/count"] == 1)
    let place = try service.get("/v1/rows/\(id)")
    #expect(place["/index"] == .null)
    #expect(place["/listId"] == .null)
    #expect(place["/level"] == 1)
  }

  @Test(
    "root is refused what the root list's id is",
    arguments: [Role.admin, .reader], ["", "?recursive=true", "?recursive=maybe", "?x=1"])
  func rootByName(role: Role, query: String) throws {
    let list = try service.makeList()
    for root in [nil, ListID(text: list.id)] {
      let asked = try service.asked(by: role, root: root)
      let id = try #require(try asked.get("/v1/lists/root").text("/id"))
      let conditions: [Fields] = [
        [:], ["If-Match": "\"999\""], ["If-Match": "x"], ["Idempotency-Key": "\""],
      ]
      for fields in conditions {
        func refusals(_ name: String) throws -> [String?] {
          try [
            asked.send(.delete, "/v1/lists/\(name)\(query)", fields: fields),
            asked.send(.delete, "/v1/rows/\(name)\(query)", fields: fields),
            asked.send(.post, "/v1/rows/\(name)/move\(query)", ["position": "first"], fields),
          ].map(\.code)
        }
        let byID = try refusals(id)
        #expect(try refusals("root") == byID, "\(fields)")
        #expect(!byID.contains(nil))
      }
    }
  }

  @Test func `a path of titles leads to a list or an item`() throws {
    let garage = try service.makeList("Garage")
    let shelf = try service.makeList("Shelf 2", in: garage.id, things: ["Drill"])
    let list = try service.get("/v1/resolve?path=/Garage/Shelf%202")
    #expect(list.keys() == ["id", "title", "type", "list"])
    #expect(list["/id"] == .string(shelf.id))
    #expect(list["/type"] == "list")
    #expect(list["/list"] == (try service.get(shelf.path).json))
    let item = try service.get("/v1/resolve?path=Garage/Shelf+2/Drill/")
    #expect(item["/type"] == "item")
    #expect(item["/item/id"] == .string(shelf.rows[0]))
    let root = try service.get("/v1/resolve?path=/")
    #expect(root["/id"] == (try service.get("/v1/lists/root")["/id"]))
    #expect(try service.get("/v1/resolve?path=/Garage/Nothing").status == 404)
    #expect(try service.get("/v1/resolve").faults == ["path"])
    let second = try service.makeList("Shelf 2", in: garage.id)
    let twice = try service.get("/v1/resolve?path=/Garage/Shelf%202")
    #expect(twice.status == 409)
    #expect(twice.texts("/candidates", "id") == [shelf.id, second.id])
  }
}
