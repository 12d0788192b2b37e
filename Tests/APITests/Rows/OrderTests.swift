import HTTP
import Inventory
import JSON
import Testing

@Suite("How rows change their places otherwise")
struct OrderTests {
  let service: Service
  let list: Service.MadeList
  let other: Service.MadeList
  private static let nowhere = "00000000-0000-4000-8000-000000000000"

  init() throws {
    service = try Service()
    list = try service.makeList("Here", things: ["c", "a", "b"])
    other = try service.makeList("There", things: ["x"])
  }

  @Test func `root has a place, and neither moves nor goes`() throws {
    let root = try service.get("/v1/lists/root")
    let place = try service.get("/v1/rows/root")
    #expect(place.status == 200)
    #expect(place["/id"] == root["/id"])
    #expect(place["/level"] == 1)
    #expect(place["/index"] == .null)
    let moved = try service.send(.post, "/v1/rows/root/move", ["position": "first"])
    #expect(moved.code == "root_list")
    #expect(try service.send(.delete, "/v1/rows/root").code == "root_list")
    #expect(try service.send(.post, "/v1/rows/root/move", ["position": 7]).code == "invalid")
  }

  @Test func `a place names the list and index of a row`() throws {
    let place = try service.get("/v1/rows/\(list.rows[1])")
    #expect(place.keys() == ["id", "type", "listId", "index", "level", "path"])
    #expect(place["/type"] == "item")
    #expect(place["/listId"] == .string(list.id))
    #expect(place["/index"] == 1)
    #expect(place["/level"] == 3)
    #expect(place.texts("/path", "title") == ["Home", "Here", "a"])
    let ofList = try service.get("/v1/rows/\(other.id)")
    #expect(ofList["/type"] == "list")
    #expect(ofList["/index"] == 1)
  }

  @Test func `a row moves into another list with a delta for each`() throws {
    let answer = try service.send(
      .post, "/v1/rows/\(list.rows[0])/move",
      ["listId": .string(other.id), "position": ["before": .string(other.rows[0])]])
    #expect(answer.status == 200)
    #expect(try service.titles(of: list) == ["a", "b"])
    #expect(try service.titles(of: other) == ["c", "x"])
    let touched = Set(answer.texts("/deltas", "listId"))
    #expect(touched.isSuperset(of: [list.id, other.id]))
  }

  @Test func `within its list an index counts after the taking out`() throws {
    try service.send(.post, "/v1/rows/\(list.rows[0])/move", ["position": ["index": 1]])
    #expect(try service.titles(of: list) == ["a", "c", "b"])
    let past = try service.send(.post, "/v1/rows/\(list.rows[0])/move", ["position": ["index": 3]])
    #expect(past["/retargeted"] == true)
    let strict = try service.send(
      .post, "/v1/rows/\(list.rows[0])/move?strict=true", ["position": ["index": 3]])
    #expect(strict.code == "sentinel_last")
    try service.send(
      .post, "/v1/rows/\(list.rows[0])/move", ["position": ["after": .string(list.rows[1])]])
    #expect(try service.titles(of: list) == ["a", "c", "b"])
  }

  @Test(
    "a move that can't be read is refused by name",
    arguments: [
      (#"{"listId":"x","position":"y"}"#, ["/listId", "/position"]),
      (#"{"listid":"root"}"#, ["/listid"]), (#"{"listId":7}"#, ["/listId"]),
      (#"{"position":{"index":1.5}}"#, ["/position/index"]),
    ])
  func refusesMove(text: String, pointers: [String]) throws {
    let answer = try service.send(.post, "/v1/rows/\(list.rows[0])/move", text: text)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(pointers))
  }

  @Test func `a list can't go below itself`() throws {
    let inner = try service.makeList("Inner", in: list.id)
    for target in [list.id, inner.id] {
      let answer = try service.send(
        .post, "/v1/rows/\(list.id)/move", ["listId": .string(target)])
      #expect(answer.status == 409)
      #expect(answer.code == "cycle")
    }
    let root = try service.get("/v1/lists/root").text("/id") ?? ""
    #expect(
      try service.send(.post, "/v1/rows/\(root)/move", ["listId": .string(list.id)]).code
        == "root_list")
  }

  @Test func `rows from anywhere move to one place in the order given`() throws {
    let answer = try service.send(
      .post, list.path + "/move-rows",
      [
        "ids": [.string(list.rows[2]), .string(other.rows[0]), .string(list.rows[0])],
        "position": "first",
      ])
    #expect(answer.status == 200)
    #expect(try service.titles(of: list) == ["b", "x", "c", "a"])
    #expect(try service.titles(of: other) == [])
  }

  @Test(
    "ids that can't be taken are refused by name",
    arguments: [
      (#"{}"#, ["/ids"]), (#"{"ids":null}"#, ["/ids"]), (#"{"ids":[]}"#, ["/ids"]),
      (#"{"ids":"x"}"#, ["/ids"]), (#"{"ids":["x",7]}"#, ["/ids/0", "/ids/1"]),
      (
        #"{"ids":["00000000-0000-4000-8000-000000000000","00000000-0000-4000-8000-000000000000"]}"#,
        ["/ids/1"]
      ),
    ])
  func refusesIDs(text: String, pointers: [String]) throws {
    let answer = try service.send(.post, list.path + "/move-rows", text: text)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(pointers))
  }

  @Test func `at most so many rows move at once`() throws {
    let ids = (0...Limits.rowsMovedAtOnce).map { number -> JSONValue in
      let digits = String(number, radix: 16)
      let zeros = String(repeating: "0", count: 12 - digits.count)
      return .string("00000000-0000-4000-8000-" + zeros + digits)
    }
    let many = try service.send(.post, list.path + "/move-rows", ["ids": .array(ids)])
    #expect(many.status == 422)
    #expect(many.code == "too_many_rows")
    #expect(many.number("/limit") == Limits.rowsMovedAtOnce)
    let fewer = try service.send(
      .post, list.path + "/move-rows", ["ids": .array(Array(ids.dropLast()))])
    #expect(fewer.status == 404)
  }

  @Test func `a whole new order is every row once`() throws {
    let ids = list.rows.map(JSONValue.string)
    let done = try service.send(
      .post, list.path + "/reorder", ["ids": [ids[1], ids[2], ids[0]]])
    #expect(done.status == 200)
    #expect(try service.titles(of: list) == ["a", "b", "c"])
    let wrong = try service.send(
      .post, list.path + "/reorder", ["ids": [ids[1], ids[1], .string(other.rows[0])]])
    #expect(wrong.status == 409)
    #expect(wrong.code == "not_the_present_rows")
    #expect(Set(wrong.texts("", "missing")) == [])
    #expect(wrong["/unknown"] == [.string(other.rows[0])])
    #expect(wrong["/duplicate"] == [ids[1]])
    guard case .array(let missing)? = wrong["/missing"] else {
      Issue.record("no missing")
      return
    }
    #expect(missing.count == 2)
    #expect(missing.allSatisfy([ids[0], ids[2]].contains))
  }

  @Test func `a sorted view can become the order`() throws {
    let up = try service.send(.post, list.path + "/reorder", ["sort": "title"])
    #expect(up.status == 200)
    #expect(try service.titles(of: list) == ["a", "b", "c"])
    try service.send(.post, list.path + "/reorder", ["sort": "-title"])
    #expect(try service.titles(of: list) == ["c", "b", "a"])
    let again = try service.send(.post, list.path + "/reorder", ["sort": "-title"])
    #expect(again["/changed"] == false)
  }

  @Test(
    "an order that is none is refused by name",
    arguments: [
      (#"{}"#, [""]), (#"{"ids":[],"sort":"title"}"#, [""]), (#"{"sort":"size"}"#, ["/sort"]),
      (#"{"sort":7}"#, ["/sort"]), (#"{"ids":["x"]}"#, ["/ids/0"]),
      (#"{"order":[]}"#, ["/order", ""]),
    ])
  func refusesOrder(text: String, pointers: [String]) throws {
    let answer = try service.send(.post, list.path + "/reorder", text: text)
    #expect(answer.status == 422)
    #expect(Set(answer.faults) == Set(pointers))
  }

  @Test func `a new order of an empty list is no change`() throws {
    let empty = try service.makeList()
    let answer = try service.send(.post, empty.path + "/reorder", ["ids": []])
    #expect(answer.status == 200)
    #expect(answer["/changed"] == false)
  }

  @Test(
    "an index at which nothing can be deleted",
    arguments: [
      ("-1", 422, "invalid"), ("4", 422, "invalid"), ("1.5", 422, "invalid"), ("x", 422, "invalid"),
      ("9223372036854775808", 422, "invalid"), ("3", 409, "sentinel_undeletable"),
    ])
  func deletesNothing(index: String, status: Int, code: String) throws {
    let answer = try service.send(
      .delete, list.path + "/rows/\(index)", fields: ["If-Match": "*"])
    #expect(answer.status == status)
    #expect(answer.code == code)
    if status == 422 { #expect(answer.faults == ["index"]) }
    #expect(try service.titles(of: list) == ["c", "a", "b"])
  }

  @Test func `a deletion's receipt has the delta, and the rows below move up`() throws {
    let answer = try service.send(.delete, "/v1/rows/\(list.rows[0])")
    #expect(answer.status == 200)
    #expect(answer["/deltas/0/deletes"] == [0])
    #expect(answer["/deltas/0/countAfter"] == 2)
    #expect(try service.titles(of: list) == ["a", "b"])
    #expect(try service.send(.delete, "/v1/rows/\(list.rows[0])").status == 410)
    let full = try service.send(.delete, "/v1/rows/\(list.id)")
    #expect(full.code == "list_not_empty")
    #expect(try service.send(.delete, "/v1/rows/\(list.id)?recursive=yes").faults == ["recursive"])
    #expect(try service.send(.delete, "/v1/rows/\(list.id)?recursive=true").status == 200)
  }

  @Test func `an id of the other kind is not found`() throws {
    let item = list.rows[0]
    let paths: [(HTTP.Method, String)] = [
      (.get, "/v1/lists/\(item)"), (.get, "/v1/lists/\(item)/rows"),
      (.get, "/v1/lists/\(item)/path"),
      (.delete, "/v1/lists/\(item)"), (.get, "/v1/items/\(list.id)"),
      (.get, "/v1/items/\(list.id)/path"), (.delete, "/v1/items/\(list.id)"),
      (.post, "/v1/items/\(list.id)/contents"), (.get, "/v1/lists/\(item)/move-target?from=0&to=0"),
    ]
    for (method, path) in paths {
      let answer = try service.send(method, path)
      #expect(answer.status == 404)
      #expect(answer.code == "not_found")
    }
    let move = try service.send(.post, "/v1/rows/\(item)/move", ["listId": .string(list.rows[1])])
    #expect(move.status == 404)
  }
}
