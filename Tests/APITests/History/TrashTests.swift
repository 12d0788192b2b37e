import HTTP
import Inventory
import JSON
import Testing

@Suite("Listing, restoring and purging the trash")
struct TrashTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c", "d"])
  }

  private func delete(_ index: Int) throws {
    try #require(try service.send(.delete, "/v1/rows/\(list.rows[index])").status == 200)
  }

  private func restore(_ index: Int, _ body: JSONValue? = nil, query: String = "") throws
    -> Answer
  {
    let path = "/v1/trash/\(list.rows[index])/restore" + query
    return if let body { try service.send(.post, path, body) } else {
      try service.send(.post, path)
    }
  }

  @Test func `what is deleted is listed with where it stood, the latest first`() throws {
    try delete(1)
    try delete(3)
    let sublist = try service.makeList("Sub", in: list.id)
    try service.send(.delete, sublist.path)
    let trash = try service.get("/v1/trash")
    #expect(trash["/count"] == 3)
    #expect(trash.texts("/trash", "title") == ["Sub", "d", "b"])
    #expect(
      trash.keys("/trash/0") == [
        "id", "type", "kind", "title", "listId", "index", "revision", "deletedAt", "deletedBy",
        "purgeAt",
      ])
    #expect(trash["/trash/0/type"] == "list")
    #expect(trash["/trash/0/kind"] == .null)
    #expect(trash["/trash/1/type"] == "item")
    #expect(trash["/trash/1/kind"] == "thing")
    #expect(trash["/trash/2/index"] == 1)
    #expect(trash["/trash/2/listId"] == .string(list.id))
    #expect(trash["/trash/2/deletedBy"] == "test")
    let deleted = try #require(Timestamp(rfc3339: trash.text("/trash/2/deletedAt") ?? ""))
    let purged = try #require(Timestamp(rfc3339: trash.text("/trash/2/purgeAt") ?? ""))
    #expect(purged.seconds - deleted.seconds == 30 * 86_400)
  }

  @Test func `pages of the trash follow each other`() throws {
    for index in 0..<4 { try delete(index) }
    let first = try service.get("/v1/trash?limit=3")
    #expect(first.texts("/trash", "title") == ["d", "c", "b"])
    let last = try service.get(try #require(first.link("next")))
    #expect(last.texts("/trash", "title") == ["a"])
    #expect(last.link("next") == nil)
    let after = try service.get("/v1/trash?limit=1&after=\(list.rows[2])")
    #expect(after.texts("/trash", "title") == ["b"])
    #expect(try service.get("/v1/trash?after=\(list.id)").code == "anchor_gone")
  }

  @Test(
    "a row comes back beside its old neighbours",
    arguments: [
      ([1], 1, ["a", "b", "c", "d"]), ([1, 0], 1, ["b", "c", "d"]),
      ([1, 0, 2], 1, ["d", "b"]), ([3, 2], 3, ["a", "b", "d"]), ([0, 1], 0, ["a", "c", "d"]),
      ([0, 1, 2, 3], 2, ["c"]),
    ])
  func neighbours(deleted: [Int], back: Int, expected: [String]) throws {
    for index in deleted { try delete(index) }
    let answer = try restore(back)
    #expect(answer.status == 200)
    #expect(answer["/changed"] == true)
    #expect(try service.titles(of: list) == expected)
  }

  @Test(
    "or at the place that the request names",
    arguments: [
      (["position": "first"], ["b", "a", "c", "d"]), (["position": "last"], ["a", "c", "d", "b"]),
      (["position": ["index": 2]], ["a", "c", "b", "d"]),
      (["position": ["index": 9]], ["a", "c", "d", "b"]),
    ] as [(JSONValue, [String])])
  func told(body: JSONValue, expected: [String]) throws {
    try delete(1)
    let answer = try restore(1, body)
    #expect(answer["/retargeted"] == .bool(body == ["position": ["index": 9]]))
    #expect(try service.titles(of: list) == expected)
  }

  @Test func `another list takes it at its end`() throws {
    let other = try service.makeList("Other", things: ["x"])
    try delete(1)
    #expect(try restore(1, ["listId": .string(other.id)]).status == 200)
    #expect(try service.titles(of: other) == ["x", "b"])
    #expect(try service.get("/v1/items/\(list.rows[1])")["/listId"] == .string(other.id))
  }

  @Test func `its list gone, it needs another`() throws {
    try delete(1)
    try service.send(.delete, list.path + "?recursive=true")
    let refused = try restore(1)
    #expect(refused.status == 409)
    #expect(refused.code == "list_gone")
    #expect(try restore(1, ["listId": "root"]).status == 200)
    let inside = try service.send(.post, "/v1/trash/\(list.rows[0])/restore")
    #expect(inside.status == 410)
    #expect(inside["/trashId"] == .string(list.id))
  }

  @Test func `refusals say what is wrong`() throws {
    #expect(try restore(0).status == 404)
    #expect(try service.send(.post, "/v1/trash/root/restore").status == 404)
    #expect(try service.send(.delete, "/v1/trash/root").status == 404)
    try delete(1)
    #expect(try restore(1, ["position": ["index": -1]]).status == 422)
    #expect(try restore(1, ["where": "here"]).status == 422)
    #expect(
      try restore(1, ["position": ["index": 9]], query: "?strict=true").code == "sentinel_last")
    #expect(try restore(1, ["position": ["after": .string(list.id)]]).code == "anchor_gone")
    let cars = try service.makeList("Cars", ["itemKind": "car"])
    #expect(try restore(1, ["listId": .string(cars.id)]).code == "kind_mismatch")
    try service.permit(["add": false], in: list)
    #expect(try restore(1).code == "list_forbids")
    let reader = try service.asked(by: .reader)
    #expect(try reader.send(.post, "/v1/trash/\(list.rows[1])/restore").code == "role_forbids")
    #expect(try reader.send(.delete, "/v1/trash/\(list.rows[1])").code == "role_forbids")
  }

  @Test func `what is purged is gone, and its id free`() throws {
    let revision = try service.send(.delete, "/v1/rows/\(list.rows[1])").fields[
      "rowhouse-revision"]
    let answer = try service.send(.delete, "/v1/trash/\(list.rows[1])")
    #expect(answer.status == 204)
    #expect(answer.body.isEmpty)
    #expect(answer.fields["rowhouse-revision"] == revision)
    #expect(try service.get("/v1/items/\(list.rows[1])").status == 404)
    #expect(try service.get("/v1/trash")["/count"] == 0)
    #expect(try restore(1).status == 404)
    #expect(try service.send(.delete, "/v1/trash/\(list.rows[1])").status == 404)
    let again = try service.send(
      .post, list.path + "/items", ["id": .string(list.rows[1]), "name": "new"])
    #expect(again.status == 201)
  }

  @Test func `what was deleted from a list that is purged loses it`() throws {
    let inner = try service.makeList("Inner", in: list.id, things: ["x", "y"])
    try service.send(.delete, "/v1/rows/\(inner.rows[0])")
    try service.send(.delete, inner.path + "?recursive=true")
    try service.send(.delete, "/v1/trash/\(inner.id)")
    let trash = try service.get("/v1/trash")
    #expect(trash.texts("/trash", "title") == ["x"])
    #expect(trash["/trash/0/listId"] == .null)
    let path = "/v1/trash/\(inner.rows[0])/restore"
    #expect(try service.send(.post, path).code == "list_gone")
    #expect(try service.send(.post, path, ["listId": .string(list.id)]).status == 200)
    #expect(try service.titles(of: list) == ["a", "b", "c", "d", "x"])
  }

  @Test func `a scoped caller sees what was deleted below its root`() throws {
    let other = try service.makeList("Other", things: ["x"])
    try delete(1)
    try service.send(.delete, "/v1/rows/\(other.rows[0])")
    let scoped = try service.asked(by: .editor, root: ListID(text: list.id))
    #expect(try scoped.get("/v1/trash").texts("/trash", "title") == ["b"])
    #expect(try scoped.send(.post, "/v1/trash/\(other.rows[0])/restore").status == 404)
    #expect(try scoped.send(.delete, "/v1/trash/\(other.rows[0])").status == 404)
    #expect(try scoped.send(.post, "/v1/trash/\(list.rows[1])/restore").status == 200)
  }
}
