import HTTP
import Inventory
import JSON
import Testing

@Suite("What a batch does and refuses")
struct BatchTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c", "d", "e"])
  }

  private func send(
    _ body: JSONValue, query: String = "", _ fields: Fields = Fields()
  ) throws -> Answer {
    try service.send(.post, list.path + "/batch" + query, body, fields)
  }

  /// `ID0` to `ID4` stand for the rows' ids.
  private func body(_ text: String) throws -> JSONValue {
    var text = text
    for (number, row) in list.rows.enumerated() { text = text.replacing("ID\(number)", with: row) }
    return try JSONReader.parse(Array(text.utf8))
  }

  /// Sources count in the rows before, targets in the rows after; the rest keeps its order.
  static let orders: [(batch: String, expected: String)] = [
    (#"{"moves":[{"from":0,"to":4}]}"#, "bcdea"),
    (#"{"moves":[{"from":0,"to":4},{"from":4,"to":0}]}"#, "ebcda"),
    (#"{"moves":[{"from":4,"to":0},{"from":0,"to":4}]}"#, "ebcda"),
    (#"{"moves":[{"from":0,"to":1},{"from":1,"to":2},{"from":2,"to":0}]}"#, "cabde"),
    (#"{"moves":[{"id":"ID2","to":2}]}"#, "abcde"),
    (#"{"deletes":[{"index":0},{"id":"ID4"},{"index":2,"id":"ID2"}]}"#, "bd"),
    (#"{"deletes":[{"index":0}],"moves":[{"from":4,"to":0}]}"#, "ebcd"),
    (#"{"inserts":[{"index":5,"item":{"name":"x"}},{"index":0,"item":{"name":"y"}}]}"#, "yabcdxe"),
    (
      #"{"deletes":[{"index":1},{"index":3}],"inserts":[{"index":1,"item":{"name":"x"}}],"moves":[{"from":0,"to":3}]}"#,
      "cxea"
    ),
    (
      #"{"deletes":[{"index":0},{"index":1},{"index":2},{"index":3},{"index":4}],"inserts":[{"index":0,"list":{"title":"x"}}]}"#,
      "x"
    ),
    (#"{"updates":[{"id":"ID0","patch":{"name":"x"}}],"moves":[{"id":"ID0","to":2}]}"#, "bcxde"),
    ("{}", "abcde"),
    (#"{"deletes":[],"moves":null}"#, "abcde"),
  ]

  @Test("the rows are as a table view would have them", arguments: orders)
  func order(batch: String, expected: String) throws {
    let answer = try send(try body(batch))
    #expect(answer.status == 200, "\(answer.json as Any)")
    #expect(try service.titles(of: list).joined() == expected)
  }

  @Test func `results come one for one, and all is one revision`() throws {
    let before = try service.get(list.path)
    let answer = try send(
      try body(
        """
        {"deletes": [{"id": "ID3"}, {"index": 0}],
         "inserts": [{"index": 1, "list": {"title": "box"}},
                     {"index": 0, "item": {"name": "x", "quantity": 2}}],
         "moves": [{"from": 4, "to": 2}],
         "updates": [{"id": "ID4", "patch": {"name": "E"}}, {"id": "ID1", "patch": {"notes": "n"}}]}
        """))
    #expect(try service.titles(of: list) == ["x", "box", "E", "b", "c"])
    #expect(answer.keys() == ["results", "receipt"])
    let deleted = try body(#"[{"id": "ID3", "index": 3}, {"id": "ID0", "index": 0}]"#)
    #expect(answer["/results/deletes"] == deleted)
    #expect(
      answer["/results/moves"] == (try body(#"[{"id": "ID4", "from": 4, "to": 2}]"#)))
    #expect(answer.texts("/results/inserts", "title") == ["box"])
    #expect(answer["/results/inserts/0/index"] == 1)
    #expect(answer["/results/inserts/1/name"] == "x")
    #expect(answer["/results/inserts/1/index"] == 0)
    #expect(answer["/results/updates/0/name"] == "E")
    #expect(answer["/results/updates/0/index"] == 2)
    #expect(answer["/results/updates/1/notes"] == "n")
    #expect(answer["/results/updates/1/index"] == 3)
    let made = try #require(answer.text("/results/inserts/1/id"))
    let item = try service.get("/v1/items/\(made)")
    #expect(item["/revision"] == answer["/receipt/revision"])
    #expect(answer["/results/inserts/1/revision"] == item["/revision"])
    #expect(answer["/receipt/changed"] == true)
    #expect(answer["/receipt/deltas/0/fromRevision"] == before["/revision"])
    #expect(answer["/receipt/deltas/0/deletes"] == [0, 3])
    #expect(answer.fields["etag"] == nil)
    #expect(answer.fields["rowhouse-revision"] == item["/revision"].flatMap(\.numberText))
  }

  @Test func `an empty batch changes nothing`() throws {
    let before = try service.get(list.path)["/revision"]
    let answer = try send([:])
    #expect(answer["/receipt/changed"] == false)
    #expect(answer["/results"] == ["deletes": [], "inserts": [], "moves": [], "updates": []])
    #expect(try service.get(list.path)["/revision"] == before)
    #expect(try send([:], query: "", ["Prefer": "return=minimal"]).status == 204)
  }

  /// What is wrong, and all the places that are named.
  static let faults: [(batch: String, pointers: [String])] = [
    (#"{"deletes":[{"index":6}]}"#, ["/deletes/0/index"]),
    (#"{"deletes":[{"index":-1}]}"#, ["/deletes/0/index"]),
    (#"{"deletes":[{"index":1.5}]}"#, ["/deletes/0/index"]),
    (#"{"deletes":[{}]}"#, ["/deletes/0/index"]),
    (#"{"deletes":[{"index":0,"x":1}]}"#, ["/deletes/0/x"]),
    (#"{"deletes":[3]}"#, ["/deletes/0"]),
    (#"{"deletes":{}}"#, ["/deletes"]),
    (#"{"removes":[]}"#, ["/removes"]),
    (#"{"deletes":[{"index":1},{"id":"ID1"}]}"#, ["/deletes/1/id"]),
    (#"{"deletes":[{"id":"ID1"},{"index":1}]}"#, ["/deletes/1/index"]),
    (#"{"deletes":[{"index":1}],"moves":[{"from":1,"to":0}]}"#, ["/moves/0/from"]),
    (#"{"moves":[{"from":1,"to":0},{"id":"ID1","to":1}]}"#, ["/moves/1/id"]),
    (#"{"moves":[{"from":1,"to":0},{"from":2,"to":0}]}"#, ["/moves/1/to"]),
    (#"{"moves":[{"from":1,"to":5}]}"#, ["/moves/0/to"]),
    (#"{"deletes":[{"index":0}],"moves":[{"from":1,"to":4}]}"#, ["/moves/0/to"]),
    (#"{"inserts":[{"index":6,"item":{"name":"x"}}]}"#, ["/inserts/0/index"]),
    (
      #"{"inserts":[{"index":0,"item":{"name":"x"}}],"moves":[{"from":1,"to":0}]}"#,
      ["/moves/0/to"]
    ),
    (#"{"inserts":[{"index":0}]}"#, ["/inserts/0/item"]),
    (#"{"inserts":[{"item":{"name":"x"}}]}"#, ["/inserts/0/index"]),
    (#"{"inserts":[{"index":0,"item":{"name":"x"},"list":{"title":"y"}}]}"#, ["/inserts/0/item"]),
    (
      #"{"inserts":[{"index":0,"item":{"name":"x"}},{"index":9,"item":{"quantity":-1,"colour":1}}]}"#,
      ["/inserts/1/item/colour", "/inserts/1/item/quantity", "/inserts/1/item/name"]
    ),
    (#"{"inserts":[{"index":0,"list":{}}]}"#, ["/inserts/0/list/title"]),
    (
      #"{"inserts":[{"index":0,"item":{"id":"10000000-0000-4000-8000-000000000000","name":"x"}},{"index":1,"list":{"id":"10000000-0000-4000-8000-000000000000","title":"x"}}]}"#,
      ["/inserts/1/list/id"]
    ),
    (#"{"updates":[{"patch":{}}]}"#, ["/updates/0/id"]),
    (#"{"updates":[{"id":"ID0"}]}"#, ["/updates/0/patch"]),
    (#"{"updates":[{"id":"ID0","patch":{"quantity":-1}}]}"#, ["/updates/0/patch/quantity"]),
    (#"{"updates":[{"id":"ID0","patch":{"title":"x"}}]}"#, ["/updates/0/patch/title"]),
    (#"{"updates":[{"id":"ID0","patch":{}},{"id":"ID0","patch":{}}]}"#, ["/updates/1/id"]),
    (#"{"deletes":[{"index":0}],"updates":[{"id":"ID0","patch":{}}]}"#, ["/updates/0/id"]),
    (
      #"{"deletes":[{"index":9}],"moves":[{"from":7,"to":9}],"inserts":[{"index":8,"item":{"name":"x"}}]}"#,
      ["/deletes/0/index", "/moves/0/from", "/inserts/0/index", "/moves/0/to"]
    ),
  ]

  @Test("what is wrong is named, all at once, and nothing changes", arguments: faults)
  func faulty(batch: String, pointers: [String]) throws {
    let answer = try send(try body(batch))
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(Set(answer.faults) == Set(pointers))
    #expect(try service.titles(of: list).joined() == "abcde")
  }

  static let refusals: [(batch: String, status: Int, code: String)] = [
    (#"{"deletes":[{"index":5}]}"#, 409, "sentinel_undeletable"),
    (#"{"moves":[{"from":5,"to":0}]}"#, 409, "sentinel_immovable"),
    (#"{"deletes":[{"index":0,"id":"ID1"}]}"#, 409, "row_moved"),
    (#"{"moves":[{"from":0,"id":"ID1","to":0}]}"#, 409, "row_moved"),
    (#"{"moves":[{"id":"10000000-0000-4000-8000-000000000000","to":0}]}"#, 409, "row_moved"),
    (
      #"{"updates":[{"id":"10000000-0000-4000-8000-000000000000","patch":{}}]}"#, 409, "row_moved"
    ),
    (#"{"inserts":[{"index":0,"item":{"id":"ID0","name":"a"}}]}"#, 409, "id_taken"),
    (
      #"{"deletes":[{"index":0}],"inserts":[{"index":0,"item":{"id":"ID0","name":"a"}}]}"#, 409,
      "id_taken"
    ),
  ]

  @Test("what the rows do not allow is refused as single changes are", arguments: refusals)
  func refused(batch: String, status: Int, code: String) throws {
    let answer = try send(try body(batch))
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(try service.titles(of: list).joined() == "abcde")
  }

  @Test(
    "each kind of operation needs its permission",
    arguments: [
      ("delete", #"{"deletes":[{"index":0}]}"#),
      ("add", #"{"inserts":[{"index":0,"item":{"name":"x"}}]}"#),
      ("move", #"{"moves":[{"from":0,"to":1}]}"#),
      ("edit", #"{"updates":[{"id":"ID0","patch":{"notes":"x"}}]}"#),
    ])
  func permission(name: String, batch: String) throws {
    try service.permit([name: false] as JSONValue, in: list)
    let answer = try send(try body(batch))
    #expect(answer.status == 403)
    #expect(answer.code == "list_forbids")
    let others: JSONValue = ["add": false, "edit": false, "move": false, "delete": false]
    try service.permit(others, in: list)
    try service.permit([name: true] as JSONValue, in: list)
    #expect(try send(try body(batch)).status == 200)
    let reader = try service.asked(by: .reader)
    let refused = try reader.send(.post, list.path + "/batch", try body(batch))
    #expect(refused.code == "role_forbids")
  }

  @Test func `kinds, full lists and owners' fields are looked at as single changes do`() throws {
    let cars = try service.makeList("Cars", ["itemKind": "car"])
    let thing: JSONValue = ["inserts": [["index": 0, "item": ["name": "x"]]]]
    #expect(try service.send(.post, cars.path + "/batch", thing).code == "kind_mismatch")

    let box = try service.makeList("Box", in: list.id, things: ["x"])
    let deletion: JSONValue = ["deletes": [["id": .string(box.id)]]]
    #expect(try send(deletion).code == "list_not_empty")
    let edit: JSONValue = [
      "updates": [["id": .string(box.id), "patch": ["permissions": ["add": false]]]]
    ]
    let editor = try service.asked(by: .editor)
    #expect(try editor.send(.post, list.path + "/batch", edit).code == "role_forbids")
    #expect(try send(edit)["/results/updates/0/permissions/add"] == false)
    #expect(try send(deletion, query: "?recursive=true").status == 200)
  }

  @Test func `it takes so many operations at most`() throws {
    let big = try service.makeList("Big")
    let inserts = (0...Limits.operationsInBatch).map { number -> JSONValue in
      ["index": .init(number), "item": ["name": .string("n\(number)")]]
    }
    let path = big.path + "/batch"
    let refused = try service.send(.post, path, ["inserts": .array(inserts)])
    #expect(refused.status == 422)
    #expect(refused.code == "too_many_rows")
    #expect(refused.number("/limit") == Limits.operationsInBatch)
    let answer = try service.send(.post, path, ["inserts": .array(Array(inserts.dropLast()))])
    #expect(answer.status == 200)
    #expect(try service.titles(of: big) == (0..<Limits.operationsInBatch).map { "n\($0)" })
  }

  @Test func `If-Match is the list's revision`() throws {
    let tag = try #require(try service.get(list.path).fields["etag"])
    let move: JSONValue = ["moves": [["from": 0, "to": 1]]]
    #expect(try send(move, ["If-Match": tag]).status == 200)
    let stale = try send(move, ["If-Match": tag])
    #expect(stale.status == 412)
    #expect(stale["/delta/listId"] == .string(list.id))
    #expect(try send(["moves": [["from": 0]]], ["If-Match": tag]).status == 422)
  }
}

extension JSONValue {
  fileprivate var numberText: String? {
    if case .number(let number) = self { number.text } else { nil }
  }
}
