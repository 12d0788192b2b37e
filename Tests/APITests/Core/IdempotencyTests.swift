import HTTP
import Inventory
import JSON
import Testing

@Suite("What an Idempotency-Key does")
struct IdempotencyTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c"])
  }

  private func post(
    _ path: String, _ body: JSONValue, key: String, _ more: Fields = Fields()
  ) throws -> Answer {
    var fields = more
    fields.append("Idempotency-Key", key)
    return try service.send(.post, path, body, fields)
  }

  @Test func `the same request gets the first answer again, byte for byte`() throws {
    let path = list.path + "/items"
    let first = try post(path, ["name": "d"], key: "k", ["X-Request-Id": "one"])
    let again = try post(path, ["name": "d"], key: "k", ["X-Request-Id": "two"])
    #expect(first.status == 201)
    #expect(again.status == 201)
    #expect(again.body == first.body)
    for name in ["etag", "location", "rowhouse-revision", "content-type", "cache-control", "vary"] {
      #expect(again.fields[name] == first.fields[name])
      #expect(again.fields.values(name).count <= 1)
    }
    #expect(first.fields["idempotency-replayed"] == nil)
    #expect(again.fields["idempotency-replayed"] == "true")
    #expect(again.fields.values("x-request-id") == ["two"])
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
  }

  @Test(
    "the same request in other words is the same",
    arguments: [
      #"{"to":2,"from":0}"#, " {\"from\" : 0.0, \"to\": 2e0 }", #"{"\u0066rom":0,"to":2}"#,
    ])
  func sameValue(text: String) throws {
    let first = try post(list.path + "/move-row", ["from": 0, "to": 2], key: "k")
    for path in [list.path, list.path.replacing(list.id, with: list.id.uppercased())] {
      for key in ["k", "\"k\""] {
        let again = try service.send(
          .post, path + "/move-row/",
          fields: [
            "Content-Type": "application/json", "Idempotency-Key": key,
          ], bytes: Array(text.utf8))
        #expect(again.body == first.body)
        #expect(again.fields["idempotency-replayed"] == "true")
      }
    }
    #expect(try service.titles(of: list) == ["b", "c", "a"])
  }

  @Test func `another body or query under the key is refused`() throws {
    let path = list.path + "/move-row"
    _ = try post(path, ["from": 0, "to": 2], key: "k")
    let others: [(target: String, body: JSONValue)] = [
      (path, ["from": 0, "to": 1]), (path + "?strict=true", ["from": 0, "to": 2]),
    ]
    for (target, body) in others {
      let answer = try post(target, body, key: "k")
      #expect(answer.status == 422)
      #expect(answer.code == "idempotency_key_reused")
    }
    #expect(try service.titles(of: list) == ["b", "c", "a"])
  }

  @Test func `elsewhere, by another method or by somebody else the key is another`() throws {
    let other = try service.makeList("Other", things: ["x", "y"])
    _ = try post(list.path + "/move-row", ["from": 0, "to": 1], key: "k")
    let there = try post(other.path + "/move-row", ["from": 0, "to": 1], key: "k")
    #expect(there.fields["idempotency-replayed"] == nil)
    let item = "/v1/items/\(list.rows[0])"
    for method in [HTTP.Method.patch, .put] {
      let answer = try service.send(method, item, ["name": "n"], ["Idempotency-Key": "k"])
      #expect(answer.status == 200)
      #expect(answer.fields["idempotency-replayed"] == nil)
    }
    let root = try #require(ListID(text: list.id))
    let scoped = try service.asked(by: .editor, root: root)
    let theirs = try scoped.send(
      .post, list.path + "/move-row", ["from": 0, "to": 1], ["Idempotency-Key": "k"])
    #expect(theirs.fields["idempotency-replayed"] == nil)
  }

  @Test func `a deletion that is sent again is answered as the first was`() throws {
    let path = "/v1/rows/\(list.rows[1])"
    let first = try service.send(.delete, path, fields: ["Idempotency-Key": "k"])
    let again = try service.send(.delete, path, fields: ["Idempotency-Key": "k"])
    #expect(first.status == 200)
    #expect(again.status == 200)
    #expect(again.body == first.body)
    #expect(try service.send(.delete, path, fields: ["Idempotency-Key": "l"]).status == 410)
  }

  @Test func `it is looked up before If-Match, which the first may have made stale`() throws {
    let tag = try #require(try service.get(list.path).fields["etag"])
    let body: JSONValue = ["from": 0, "to": 2]
    let first = try post(list.path + "/move-row", body, key: "k", ["If-Match": tag])
    let again = try post(list.path + "/move-row", body, key: "k", ["If-Match": tag])
    #expect(first.status == 200)
    #expect(again.status == 200)
    #expect(again.body == first.body)
  }

  @Test func `it is looked up before anything is demanded that the first had`() throws {
    let strict = try Service(store: service.store, requiresPreconditions: true)
    let tag = try #require(try service.get(list.path).fields["etag"])
    let lines: [(HTTP.Method, String, JSONValue?)] = [
      (.post, list.path + "/move-row", ["from": 0, "to": 2]),
      (.post, list.path + "/items", ["name": "d", "position": ["index": 0]]),
      (.delete, list.path + "/rows/0", nil),
    ]
    for (number, (method, path, body)) in lines.enumerated() {
      func send(_ more: Fields) throws -> Answer {
        var fields = more
        fields.append("Idempotency-Key", "k\(number)")
        return try body.map { try strict.send(method, path, $0, fields) }
          ?? strict.send(method, path, fields: fields)
      }
      #expect(try send([:]).code == "precondition_required")
      let first = try send(["If-Match": number == 0 ? tag : "*"])
      #expect(first.status < 300)
      let again = try send([:])
      #expect(again.status == first.status)
      #expect(again.fields["idempotency-replayed"] == "true")
      #expect(again.body == first.body)
    }
  }

  @Test func `what changes nothing is kept too, and so is an empty answer`() throws {
    let body: JSONValue = ["from": 0, "to": 0]
    let first = try post(list.path + "/move-row", body, key: "k", ["Prefer": "return=minimal"])
    try service.send(.post, list.path + "/move-row", ["from": 0, "to": 1])
    let again = try post(list.path + "/move-row", body, key: "k")
    #expect(first.status == 204)
    #expect(again.status == 204)
    #expect(again.body.isEmpty)
    #expect(again.fields["rowhouse-revision"] == first.fields["rowhouse-revision"])
    #expect(again.fields["idempotency-replayed"] == "true")
  }

  @Test func `what is refused is not kept`() throws {
    #expect(try post(list.path + "/move-row", ["from": 9, "to": 0], key: "k").status == 422)
    #expect(try post(list.path + "/move-row", ["from": -1, "to": 0], key: "k").status == 422)
    let answer = try post(list.path + "/move-row", ["from": 0, "to": 1], key: "k")
    #expect(answer.status == 200)
    #expect(answer.fields["idempotency-replayed"] == nil)
  }

  @Test(
    "a key is a string of 1 to 255 visible characters",
    arguments: [
      "", "\"\"", "a b", "\"a", "a\"", "\"a\\b\"", "\"a\"b\"", "é", "\"a\";p=1",
      String(repeating: "k", count: 256),
    ])
  func malformed(key: String) throws {
    let answer = try post(list.path + "/move-row", ["from": 0, "to": 1], key: key)
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_header")
    #expect(try service.titles(of: list) == ["a", "b", "c"])
  }

  @Test func `a replayed response is logged with its caller, too`() throws {
    let token = try service.makeToken().id
    let service = try Service(store: service.store) {
      $0.defaultCaller = Caller(role: .owner, name: "Sam", token: token)
      $0.isOpen = true
    }
    for isAgain in [false, true] {
      let answer = try service.send(
        .post, list.path + "/items", ["name": "d"], ["Idempotency-Key": "k"])
      #expect((answer.fields["idempotency-replayed"] == "true") == isAgain)
      #expect(answer.token?.high == token.uuid.halves.high)
      #expect(answer.token?.low == token.uuid.halves.low)
    }
  }

  @Test func `a key belongs to its token, and another token gets no stored response`() throws {
    let root = try #require(ListID(text: list.id))
    let callers = [
      Caller(role: .owner, name: "Sam", token: try service.makeToken().id),
      Caller(role: .owner, name: "Kim", token: try service.makeToken().id),
      Caller(root: root, role: .owner, name: "Kim", token: try service.makeToken().id),
    ]
    var made: Set<String> = []
    for caller in callers {
      let service = try Service(store: service.store) {
        $0.defaultCaller = caller
        $0.isOpen = true
      }
      for isAgain in [false, true] {
        let answer = try service.send(
          .post, "/v1/lists/root/items", ["name": "d"], ["Idempotency-Key": "k"])
        #expect(answer.status == 201)
        #expect((answer.fields["idempotency-replayed"] == "true") == isAgain)
        made.insert(try #require(answer.text("/id")))
      }
    }
    #expect(made.count == callers.count)
  }

  @Test func `two keys are none`() throws {
    let fields: Fields = ["Idempotency-Key": "a", "idempotency-key": "b"]
    let answer = try service.send(.post, list.path + "/move-row", ["from": 0, "to": 1], fields)
    #expect(answer.status == 400)
  }

  @Test(arguments: ["k", "\"k k\"", "\"a\\\"\\\\\"", String(repeating: "k", count: 255)])
  func `other strings are keys`(key: String) throws {
    #expect(try post(list.path + "/move-row", ["from": 0, "to": 1], key: key).status == 200)
  }

  @Test func `reads take no notice of it`() throws {
    for key in ["k", "", "a b"] {
      let answer = try service.get(list.path, ["Idempotency-Key": key])
      #expect(answer.status == 200)
      #expect(answer.fields["idempotency-replayed"] == nil)
    }
  }
}
