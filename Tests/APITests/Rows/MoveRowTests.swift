import HTTP
import JSON
import Testing

@Suite("What move-row does and refuses")
struct MoveRowTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c", "d"])
  }

  private func move(_ body: JSONValue, query: String = "", _ fields: Fields = Fields()) throws
    -> Answer
  {
    try service.send(.post, list.path + "/move-row" + query, body, fields)
  }

  @Test(
    "a row lands at the index counted after the taking out",
    arguments: [
      (0, 3, ["b", "c", "d", "a"]), (3, 0, ["d", "a", "b", "c"]), (1, 2, ["a", "c", "b", "d"]),
      (2, 1, ["a", "c", "b", "d"]), (0, 1, ["b", "a", "c", "d"]),
    ])
  func lands(from: Int, to: Int, expected: [String]) throws {
    let answer = try move(["from": .init(from), "to": .init(to)])
    #expect(answer.status == 200)
    #expect(answer["/changed"] == true)
    #expect(answer["/retargeted"] == false)
    #expect(
      answer["/deltas/0/moves"] == [["from": .init(from), "to": .init(to)]]
        || answer["/deltas/0/moves"] == [["from": .init(to), "to": .init(from)]])
    #expect(try service.titles(of: list) == expected)
  }

  @Test func `a receipt has all of its members`() throws {
    let answer = try move(["from": 0, "to": 3], ["X-Request-Id": "my-request"])
    #expect(
      answer.keys() == ["revision", "changed", "retargeted", "deltas", "undo", "requestId"])
    #expect(
      answer.keys("/deltas/0") == [
        "listId", "fromRevision", "toRevision", "list", "countBefore", "countAfter", "deletes",
        "inserts", "moves", "reloads", "reloadsAfter",
      ])
    let revision = try #require(answer["/revision"].flatMap(number))
    #expect(answer["/undo"] == .string("/v1/changes/\(revision)/undo"))
    #expect(answer["/requestId"] == "my-request")
    #expect(answer["/deltas/0/listId"] == .string(list.id))
    #expect(answer.fields["rowhouse-revision"] == answer["/revision"].flatMap(number))
  }

  private func number(_ value: JSONValue) -> String? {
    if case .number(let number) = value { number.text } else { nil }
  }

  @Test func `moving a row to where it is changes nothing and takes no revision`() throws {
    let before = try service.get(list.path)["/revision"]
    let answer = try move(["from": 2, "to": 2])
    #expect(answer.status == 200)
    #expect(answer["/changed"] == false)
    #expect(answer["/revision"] == before)
    #expect(answer["/deltas"] == [])
    #expect(try service.get(list.path)["/revision"] == before)
  }

  @Test(
    "an index that is none is refused by name",
    arguments: [
      (#"{"from":-1,"to":0}"#, ["/from"]),
      (#"{"from":0,"to":-1}"#, ["/to"]),
      (#"{"from":5,"to":0}"#, ["/from"]),
      (#"{"from":9223372036854775808,"to":0}"#, ["/from"]),
      (#"{"from":0,"to":9223372036854775808}"#, ["/to"]),
      (#"{"from":-9223372036854775809,"to":0}"#, ["/from"]),
      (#"{"from":1.5,"to":0.5}"#, ["/from", "/to"]),
      (#"{"from":"3","to":"0"}"#, ["/from", "/to"]),
      (#"{"from":null,"to":null}"#, ["/from", "/to"]),
      (#"{"from":true,"to":[1]}"#, ["/from", "/to"]),
      (#"{}"#, ["/from", "/to"]),
      (#"{"to":1}"#, ["/from"]),
      (#"{"from":1}"#, ["/to"]),
      (#"{"from":0,"to":1,"form":2}"#, ["/form"]),
      (#"{"from":0,"to":1,"id":"x"}"#, ["/id"]),
      (#"{"from":0,"to":1,"id":7}"#, ["/id"]),
      (#"[0,1]"#, [""]),
      (#"3"#, [""]),
    ])
  func refuses(text: String, pointers: [String]) throws {
    let answer = try service.send(.post, list.path + "/move-row", text: text)
    #expect(answer.status == 422)
    #expect(answer.code == "invalid")
    #expect(Set(answer.faults) == Set(pointers))
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
  }

  @Test("a whole number counts however it is written", arguments: ["1", "1.0", "1e0", "10E-1"])
  func spelling(text: String) throws {
    let answer = try service.send(
      .post, list.path + "/move-row", text: #"{"from":\#(text),"to":0}"#)
    #expect(answer.status == 200)
    #expect(try service.titles(of: list) == ["b", "a", "c", "d"])
  }

  @Test func `the sentinel can't be moved`() throws {
    let answer = try move(["from": 4, "to": 0])
    #expect(answer.status == 409)
    #expect(answer.code == "sentinel_immovable")
  }

  @Test("at and past the sentinel a row lands above it", arguments: [4, 5, 1000, Int.max])
  func retargets(to: Int) throws {
    let answer = try move(["from": 0, "to": .init(to)])
    #expect(answer.status == 200)
    #expect(answer["/retargeted"] == true)
    #expect(try service.titles(of: list) == ["b", "c", "d", "a"])
    let last = try service.get(list.path + "/rows")
    #expect(last["/rows/4/type"] == "sentinel")
  }

  @Test("a strict move past the last place is refused", arguments: [4, 5, Int.max])
  func refusesStrictly(to: Int) throws {
    let answer = try move(["from": 0, "to": .init(to)], query: "?strict=true")
    #expect(answer.status == 409)
    #expect(answer.code == "sentinel_last")
    #expect(answer["/index"] == 3)
    #expect(try move(["from": 0, "to": 3], query: "?strict=true").status == 200)
  }

  @Test func `in an empty list there is only the sentinel to move`() throws {
    let empty = try service.makeList()
    let answer = try service.send(.post, empty.path + "/move-row", ["from": 0, "to": 0])
    #expect(answer.code == "sentinel_immovable")
    let past = try service.send(.post, empty.path + "/move-row", ["from": 1, "to": 0])
    #expect(past.status == 422)
    #expect(past.faults == ["/from"])
  }

  @Test func `an id must be the row at from`() throws {
    let right = try move(["from": 0, "to": 1, "id": .string(list.rows[0].uppercased())])
    #expect(right.status == 200)
    let wrong = try move(["from": 0, "to": 1, "id": .string(list.rows[0])])
    #expect(wrong.status == 409)
    #expect(wrong.code == "row_moved")
    #expect(wrong["/index"] == 1)
    let gone = try move(["from": 0, "to": 1, "id": "00000000-0000-4000-8000-000000000000"])
    #expect(gone.code == "row_moved")
    #expect(gone["/index"] == .null)
  }

  @Test func `move-target has the index after a move, and changes nothing`() throws {
    let path = list.path + "/move-target"
    let inside = try service.get(path + "?from=0&to=2")
    #expect(inside.json == ["from": 0, "proposed": 2, "to": 2])
    let past = try service.get(path + "?from=0&to=9")
    #expect(past.json == ["from": 0, "proposed": 9, "to": 3])
    #expect(try service.get(path + "?from=0&to=9&strict=true").code == "sentinel_last")
    #expect(try service.get(path + "?from=4&to=0").code == "sentinel_immovable")
    #expect(try service.get(path + "?from=5&to=0").faults == ["from"])
    #expect(try service.get(path).faults == ["from", "to"])
    #expect(try service.get(path + "?from=-1&to=1.5").faults == ["from", "to"])
    #expect(try service.get(path + "?from=%2B1&to=1x").faults == ["from", "to"])
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
  }

  @Test func `a list that does not permit moving keeps its order`() throws {
    try service.permit(["move": false], in: list)
    let answer = try move(["from": 0, "to": 1])
    #expect(answer.status == 403)
    #expect(answer.code == "list_forbids")
    #expect(answer["/listId"] == .string(list.id))
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
  }

  @Test func `a reader moves nothing`() throws {
    let reader = try service.asked(by: .reader)
    let answer = try reader.send(.post, list.path + "/move-row", ["from": 0, "to": 1])
    #expect(answer.status == 403)
    #expect(answer.code == "role_forbids")
  }

  @Test func `a minimal answer is none`() throws {
    let answer = try move(["from": 0, "to": 1], ["Prefer": "respond-async, return=minimal"])
    #expect(answer.status == 204)
    #expect(answer.body.isEmpty)
    #expect(answer.fields["preference-applied"] == "return=minimal")
    #expect(answer.fields["rowhouse-revision"] != nil)
  }

  @Test(
    "if a preference is given twice, the first one counts",
    arguments: [
      ("return=minimal, return=representation", 204),
      ("return=representation, return=minimal", 200), ("return, return=minimal", 200),
      ("wait=5; return=minimal, RETURN = \"minimal\"", 204),
    ])
  func firstPreference(field: String, status: Int) throws {
    #expect(try move(["from": 0, "to": 1], ["Prefer": field]).status == status)
  }
}
