import HTTP
import Inventory
import JSON
import Testing

@Suite("What lists and roles permit")
struct PermissionTests {
  let service: Service
  let list: Service.MadeList
  let other: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList("Here", things: ["b", "a"])
    other = try service.makeList("There", things: ["c"])
  }

  /// A write, and the permission that it needs of the list `Here`.
  struct Attempt: Sendable, CustomTestStringConvertible {
    let needed: String
    let method: HTTP.Method
    let path: String
    var body: JSONValue?
    var testDescription: String { "\(needed): \(method.name) \(path)" }
  }

  // HERE, THERE, ROW and OTHER stand for the lists' ids and for a row's id of each.
  static let attempts = [
    Attempt(needed: "add", method: .post, path: "/v1/lists/HERE/items", body: ["name": "x"]),
    Attempt(needed: "add", method: .post, path: "/v1/lists/HERE/items/random"),
    Attempt(
      needed: "add", method: .post, path: "/v1/lists", body: ["title": "x", "parentId": "HERE"]),
    Attempt(needed: "add", method: .post, path: "/v1/rows/OTHER/move", body: ["listId": "HERE"]),
    Attempt(
      needed: "add", method: .post, path: "/v1/lists/HERE/move-rows", body: ["ids": ["OTHER"]]),
    Attempt(needed: "edit", method: .patch, path: "/v1/items/ROW", body: ["name": "x"]),
    Attempt(needed: "edit", method: .put, path: "/v1/items/ROW", body: ["name": "x"]),
    Attempt(needed: "edit", method: .post, path: "/v1/items/ROW/contents"),
    Attempt(
      needed: "move", method: .post, path: "/v1/lists/HERE/move-row", body: ["from": 0, "to": 1]),
    Attempt(needed: "move", method: .post, path: "/v1/lists/HERE/reorder", body: ["sort": "title"]),
    Attempt(needed: "move", method: .post, path: "/v1/rows/ROW/move", body: ["position": "last"]),
    Attempt(needed: "move", method: .post, path: "/v1/rows/ROW/move", body: ["listId": "THERE"]),
    Attempt(
      needed: "move", method: .post, path: "/v1/lists/THERE/move-rows", body: ["ids": ["ROW"]]),
    Attempt(needed: "delete", method: .delete, path: "/v1/items/ROW"),
    Attempt(needed: "delete", method: .delete, path: "/v1/rows/ROW"),
    Attempt(needed: "delete", method: .delete, path: "/v1/lists/HERE/rows/0?id=ROW"),
  ]

  private func send(_ attempt: Attempt, as service: Service) throws -> Answer {
    let names = [
      "THERE": other.id, "HERE": list.id, "ROW": list.rows[0], "OTHER": other.rows[0],
    ]
    func filled(_ text: String) -> String {
      names.sorted { $0.key.count > $1.key.count }.reduce(text) { text, name in
        text.split(separator: name.key, omittingEmptySubsequences: false)
          .joined(separator: name.value)
      }
    }
    guard let body = attempt.body else {
      return try service.send(attempt.method, filled(attempt.path))
    }
    var writer = JSONWriter()
    writer.value(body)
    return try service.send(
      attempt.method, filled(attempt.path),
      text: filled(String(decoding: writer.finish(), as: UTF8.self)))
  }

  @Test("a list keeps out what it does not permit, and only that", arguments: attempts)
  func list(attempt: Attempt) throws {
    try service.permit(.object(JSONObject([(attempt.needed, false)])), in: list)
    let before = try service.get("/v1/lists?subtree=true").body
    let refused = try send(attempt, as: service)
    #expect(refused.status == 403)
    #expect(refused.code == "list_forbids")
    #expect(refused["/listId"] == .string(list.id))
    #expect(try service.get("/v1/lists?subtree=true").body == before)

    let others = ["add", "edit", "move", "delete"].map {
      ($0, JSONValue.bool($0 == attempt.needed))
    }
    try service.permit(.object(JSONObject(others.map { (key: $0.0, value: $0.1) })), in: list)
    let done = try send(attempt, as: service)
    #expect((200...201).contains(done.status))
  }

  @Test("a reader changes nothing", arguments: attempts)
  func reader(attempt: Attempt) throws {
    let reader = try service.asked(by: .reader)
    let answer = try send(attempt, as: reader)
    #expect(answer.status == 403)
    #expect(answer.code == "role_forbids")
  }

  @Test func `what a caller can do is the list's permissions as far as the role goes`() throws {
    try service.permit(["move": false], in: list)
    let stored: JSONValue = ["add": true, "edit": true, "move": false, "delete": true]
    let mine = try service.get(list.path)
    #expect(mine["/permissions"] == stored)
    #expect(mine["/can"] == stored)
    let read = try service.asked(by: .reader).get(list.path)
    #expect(read["/permissions"] == stored)
    #expect(read["/can"] == ["add": false, "edit": false, "move": false, "delete": false])
  }

  @Test func `permissions are an owner's, who is never locked out of them`() throws {
    let editor = try service.asked(by: .editor)
    let patch: JSONValue = ["permissions": ["add": false]]
    #expect(try editor.send(.patch, list.path, patch).code == "role_forbids")
    #expect(try editor.send(.patch, list.path, ["deleteLabel": "Sell"]).status == 200)
    try service.permit(["add": false, "edit": false, "move": false, "delete": false], in: list)
    #expect(try service.send(.patch, list.path, ["permissions": .null]).status == 200)
    #expect(try service.get(list.path)["/can/add"] == true)
  }

  @Test func `a sublist's title is its parent's to permit`() throws {
    let box = try service.makeList("Box", in: list.id)
    try service.permit(["edit": false], in: list)
    #expect(try service.send(.patch, box.path, ["title": "x"]).code == "list_forbids")
    #expect(try service.send(.patch, box.path, ["deleteLabel": "x"]).status == 200)
  }

  @Test func `who sees a part of the tree sees nothing above or beside it`() throws {
    let id = try #require(ListID(text: list.id))
    let scoped = try service.asked(by: .owner, root: id)
    let root = try scoped.get("/v1/lists/root")
    #expect(root["/id"] == .string(list.id))
    #expect(root["/parentId"] == .null)
    #expect(try scoped.get(other.path).status == 404)
    #expect(try scoped.get("/v1/rows/\(other.rows[0])").status == 404)
    #expect(try scoped.get(list.path + "/path")["/count"] == 1)
    #expect(try scoped.send(.delete, list.path).code == "root_list")
  }
}
