import HTTP
import Inventory
import JSON
import Testing

@Suite("What undo turns round and refuses")
struct UndoTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c", "d"])
  }

  private func move(_ from: Int, _ to: Int) throws -> Answer {
    try service.send(.post, list.path + "/move-row", ["from": .init(from), "to": .init(to)])
  }

  private func undo(_ answer: Answer, pointer: String = "/undo") throws -> Answer {
    try service.send(.post, try #require(answer.text(pointer)))
  }

  @Test func `a move is undone, and the undo too`() throws {
    let undone = try undo(try move(0, 3))
    #expect(undone.status == 200)
    #expect(undone["/changed"] == true)
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
    let redone = try undo(undone)
    #expect(redone.status == 200)
    #expect(try service.titles(of: list) == ["b", "c", "d", "a"])
  }

  @Test func `a creation is undone into the trash, and back`() throws {
    let made = try service.send(.post, list.path + "/items", ["name": "e", "position": "first"])
    let undone = try undo(made, pointer: "/receipt/undo")
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
    #expect(try service.get("/v1/trash").texts("/trash", "title") == ["e"])
    _ = try undo(undone)
    #expect(try service.titles(of: list) == ["e", "a", "b", "c", "d"])
    #expect(try service.get("/v1/trash")["/count"] == 0)
  }

  @Test func `an edit is undone field by field`() throws {
    let item = "/v1/items/\(list.rows[0])"
    let edited = try service.send(.patch, item, ["serialNumber": "1", "valueInDollars": 5])
    try service.send(.patch, item, ["notes": "later"])
    #expect(try undo(edited, pointer: "/receipt/undo").status == 200)
    let now = try service.get(item)
    #expect(now["/serialNumber"] == .null)
    #expect(now["/valueInDollars"] == .null)
    #expect(now["/notes"] == "later")
  }

  @Test func `a list's own fields are undone too`() throws {
    let edited = try service.send(
      .patch, list.path,
      ["title": "Other", "deleteLabel": "Sell", "glyph": "🔧", "colour": "red"])
    #expect(try undo(edited, pointer: "/receipt/undo").status == 200)
    let now = try service.get(list.path)
    #expect(now["/title"] == "Shelf")
    #expect(now["/deleteLabel"] == "Remove")
    #expect(now["/glyph"] == .null)
    #expect(now["/colour"] == .null)
  }

  @Test func `a reorder is undone while the list stays as it left it`() throws {
    let reordered = try service.send(.post, list.path + "/reorder", ["sort": "-title"])
    #expect(try service.titles(of: list) == ["d", "c", "b", "a"])
    let moved = try move(0, 1)
    let refused = try undo(reordered)
    #expect(refused.status == 409)
    #expect(refused.code == "undo_conflict")
    #expect(
      refused["/conflicts"] == [["id": .string(list.id), "reason": "reordered"]])
    _ = try undo(moved)
    #expect(try undo(reordered).status == 200)
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
  }

  @Test func `each row that is not as it was left is named`() throws {
    let other = try service.makeList("Other")
    let moved = try service.send(
      .post, other.path + "/move-rows", ["ids": .array(list.rows.map { .string($0) })])
    try service.send(.delete, "/v1/rows/\(list.rows[0])")
    try service.send(.post, "/v1/rows/\(list.rows[1])/move", ["position": "last"])
    let refused = try undo(moved)
    #expect(refused.status == 409)
    let expected: [String: JSONValue] = [list.rows[0]: "gone", list.rows[1]: "moved"]
    let ids = refused.texts("/conflicts", "id")
    #expect(Set(ids) == Set(expected.keys))
    #expect(refused.all("/conflicts", "reason") == ids.map { expected[$0] })
    #expect(try service.titles(of: other) == ["c", "d", "b"])
  }

  @Test func `an added row that has been edited stays`() throws {
    let made = try service.send(.post, list.path + "/items", ["name": "e"])
    let id = try #require(made.text("/id"))
    try service.send(.patch, "/v1/items/\(id)", ["name": "f"])
    let refused = try undo(made, pointer: "/receipt/undo")
    #expect(refused["/conflicts"] == [["id": .string(id), "reason": "edited"]])
  }

  @Test func `a field that has been edited again stays`() throws {
    let item = "/v1/items/\(list.rows[0])"
    let edited = try service.send(.patch, item, ["serialNumber": "1"])
    try service.send(.patch, item, ["serialNumber": "2"])
    let refused = try undo(edited, pointer: "/receipt/undo")
    #expect(refused["/conflicts"] == [["id": .string(list.rows[0]), "reason": "edited"]])
  }

  @Test func `contents once made stay`() throws {
    let made = try service.send(.post, "/v1/items/\(list.rows[0])/contents")
    #expect(made["/receipt/undo"] == .null)
    guard case .number(let revision) = made["/receipt/revision"] else {
      Issue.record("no revision")
      return
    }
    let refused = try service.send(.post, "/v1/changes/\(revision.text)/undo")
    #expect(refused.status == 409)
    #expect(refused.code == "not_undoable")
  }

  @Test func `a no-op has nothing to undo`() throws {
    #expect(try move(1, 1)["/undo"] == .null)
  }

  @Test(
    "a revision that never was is not found",
    arguments: ["0", "-1", "999999", "9223372036854775807", "9223372036854775808", "1.5", "x"])
  func unknown(_ revision: String) throws {
    #expect(try service.send(.post, "/v1/changes/\(revision)/undo").status == 404)
    #expect(try service.get("/v1/changes/\(revision)").status == 404)
  }

  @Test func `what the inverse needs must be permitted`() throws {
    let moved = try move(0, 3)
    try service.permit(["move": false], in: list)
    let refused = try undo(moved)
    #expect(refused.status == 403)
    #expect(refused.code == "list_forbids")
    let reader = try service.asked(by: .reader)
    let path = try #require(moved.text("/undo"))
    #expect(try reader.send(.post, path).code == "role_forbids")
  }

  @Test func `permissions are an owner's to put back`() throws {
    let edited = try service.send(.patch, list.path, ["permissions": ["move": false]])
    let path = try #require(edited.text("/receipt/undo"))
    #expect(try service.asked(by: .editor).send(.post, path).code == "role_forbids")
    #expect(try undo(edited, pointer: "/receipt/undo").status == 200)
    #expect(try service.get(list.path)["/permissions/move"] == true)
  }

  @Test func `a scoped caller undoes only what happened below its root`() throws {
    let scoped = try service.asked(by: .editor, root: ListID(text: list.id))
    let outside = try service.makeList("Elsewhere", things: ["x"])
    let made = try service.send(.post, outside.path + "/items", ["name": "y"])
    let path = try #require(made.text("/receipt/undo"))
    #expect(try scoped.send(.post, path).status == 404)
    #expect(try scoped.get(String(path.dropLast("/undo".count))).status == 404)
    let own = try scoped.send(.delete, "/v1/rows/\(list.rows[1])")
    #expect(try scoped.send(.post, try #require(own.text("/undo"))).status == 200)
    #expect(try service.titles(of: list) == ["a", "b", "c", "d"])
    let across = try service.send(
      .post, "/v1/rows/\(list.rows[0])/move", ["listId": .string(outside.id)])
    #expect(try scoped.send(.post, try #require(across.text("/undo"))).status == 404)
  }

  @Test func `a body is not looked at, and parameters are refused`() throws {
    let path = try #require(try move(0, 1).text("/undo"))
    #expect(try service.send(.post, path + "?x=1").status == 422)
    #expect(try service.send(.post, path, text: "{").status == 200)
  }
}
