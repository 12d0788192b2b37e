import Inventory
import JSON
import Testing

@Suite("The log of changes")
struct LogTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c", "d"])
  }

  private func move(_ from: Int, _ to: Int) throws -> Answer {
    try service.send(.post, list.path + "/move-row", ["from": .init(from), "to": .init(to)])
  }

  /// What the latest changes were about, the latest first.
  private func subjects(of count: Int) throws -> [JSONValue?] {
    try service.get("/v1/changes?limit=\(count)").all("/changes", "subjects")
  }

  private func titles(ofLatest count: Int = 1) throws -> [String] {
    try service.get("/v1/changes?limit=\(count)").texts("/changes/0/subjects", "title")
  }

  private func item(_ id: String, _ title: String) -> JSONValue {
    .object(JSONObject([("id", .string(id)), ("title", .string(title)), ("type", "item")]))
  }

  private func list(_ id: String, _ title: String) -> JSONValue {
    .object(JSONObject([("id", .string(id)), ("title", .string(title)), ("type", "list")]))
  }

  @Test func `the log has the actor and action of each change, the latest first`() throws {
    let moved = try service.send(
      .post, list.path + "/move-row", ["from": 0, "to": 1], ["X-Request-Id": "mine"])
    let log = try service.get("/v1/changes?limit=2")
    #expect(log.status == 200)
    #expect(log["/changes/0/revision"] == moved["/revision"])
    #expect(
      log.keys("/changes/0") == [
        "revision", "at", "actor", "requestId", "action", "lists", "subjects", "undo",
      ])
    #expect(log["/changes/0/actor"] == "test")
    #expect(log["/changes/0/requestId"] == "mine")
    #expect(log["/changes/0/action"] == "move row")
    #expect(log["/changes/0/lists"] == [.string(list.id)])
    #expect(log["/changes/0/undo"] == moved["/undo"])
    #expect(log["/count"] == moved["/revision"])
    let next = try #require(log.link("next"))
    #expect(try service.get(next)["/changes/0/action"] == "create item")
    let path = try #require(moved.text("/undo")).dropLast("/undo".count)
    #expect(try service.get(String(path)).json == log["/changes/0"])
  }

  @Test func `each change names what it was about, as that is called now`() throws {
    let other = try service.makeList("Other", things: ["x"])
    let (moved, purged) = (list.rows[0], list.rows[1])
    _ = try move(0, 2)
    _ = try service.send(.post, "/v1/rows/\(purged)/move", ["listId": .string(other.id)])
    _ = try service.send(.patch, "/v1/items/\(moved)", ["name": "renamed"])
    _ = try service.send(.patch, other.path, ["title": "Elsewhere"])
    _ = try service.send(.post, list.path + "/reorder", ["sort": "-title"])
    let deleted = try service.send(.delete, "/v1/rows/\(moved)")
    _ = try service.send(.post, try #require(deleted.text("/undo")))
    _ = try service.send(.delete, "/v1/rows/\(purged)")
    _ = try service.send(.delete, "/v1/trash/\(purged)")
    let named: JSONValue = .array([item(moved, "renamed")])
    #expect(
      try subjects(of: 8) == [
        [], named, named, .array([list(list.id, "Shelf")]),
        .array([list(other.id, "Elsewhere")]), named, [], named,
      ])
  }

  @Test func `ten of a change's rows are named, by their ids`() throws {
    let many = try service.makeList("Many", things: (0..<12).map(String.init))
    _ = try service.send(
      .post, list.path + "/move-rows",
      ["ids": .array(many.rows.reversed().map { .string($0) }), "position": "first"])
    #expect(try titles() == (0..<10).map(String.init))
  }

  @Test func `of a tree that came at once its top is named`() throws {
    let source = try Service()
    let tree = try source.makeList("Tree", things: ["leaf"])
    _ = try source.makeList("Branch", in: tree.id, things: ["leaf"])
    let file = try source.download("/v1/export?listId=\(tree.id)")
    let imported = try service.send(
      .post, "/v1/import", text: String(decoding: file.body, as: UTF8.self),
      type: "application/x-ndjson")
    try #require(imported.status == 200)
    #expect(try titles() == ["Tree"])
  }

  @Test func `what is out of a caller's sight by now is not named`() throws {
    let scoped = try service.asked(by: .reader, root: ListID(text: list.id))
    let other = try service.makeList("Elsewhere")
    _ = try service.send(
      .post, other.path + "/move-rows", ["ids": .array(list.rows.map { .string($0) })])
    let log = try scoped.get("/v1/changes?limit=2")
    #expect(log.all("/changes", "subjects") == [[], []])
    // Nor is a way offered to undo what an undo of theirs would not find.
    let sight = try service.asked(by: .editor, root: ListID(text: list.id))
    let undos = try sight.get("/v1/changes?limit=2").all("/changes", "undo")
    #expect(undos.map { $0 == .null } == [true, false])
  }

  @Test func `who may change nothing is given no way to undo`() throws {
    _ = try move(0, 1)
    for role in [Role.reader, .editor] {
      let log = try service.asked(by: role).get("/v1/changes?limit=1")
      #expect((log["/changes/0/undo"] == .null) == (role == .reader))
      let revision = try #require(log.number("/changes/0/revision"))
      let change = try service.asked(by: role).get("/v1/changes/\(revision)")
      #expect(change["/undo"] == log["/changes/0/undo"])
    }
  }

  @Test func `the log since a revision holds what came after it`() throws {
    guard case .number(let revision) = try move(0, 1)["/revision"] else { return }
    #expect(try service.get("/v1/changes?since=\(revision.text)")["/count"] == 0)
    _ = try move(0, 1)
    #expect(try service.get("/v1/changes?since=\(revision.text)")["/count"] == 1)
    let gone = try service.get("/v1/changes?since=999999")
    #expect(gone.status == 410)
    #expect(gone.code == "history_gone")
    #expect(gone["/revision"] == (try service.get("/v1/changes?limit=1"))["/changes/0/revision"])
    #expect(try service.get("/v1/changes?since=x").status == 422)
    #expect(try service.get("/v1/changes?after=\(list.id)").status == 422)
  }

  @Test
  func
    `a scoped caller goes on by the revision that a page ends at, also behind a page without changes`()
    throws
  {
    let scoped = try service.asked(by: .reader, root: ListID(text: list.id))
    let other = try service.makeList("Elsewhere", things: ["x", "y"])
    for _ in 0..<Limits.changesOnPage {
      _ = try service.send(.post, other.path + "/move-row", ["from": 0, "to": 1])
    }
    let first = try scoped.get("/v1/changes?limit=2")
    #expect(first["/changes"] == [])
    #expect(first["/count"] == .null)
    let end = try #require(first.number("/nextBefore"))
    #expect(first.fields["link"]?.contains("before=\(end)>; rel=\"next\"") == true)
    let second = try scoped.get("/v1/changes?limit=2&before=\(end)")
    #expect(second.texts("/changes", "action") == ["create item", "create item"])
    let next = try #require(second.number("/nextBefore"))
    let third = try scoped.get("/v1/changes?before=\(next)")
    #expect(third.texts("/changes", "action") == ["create item", "create item", "create list"])
    #expect(third["/nextBefore"] == .null)
    #expect(third["/count"] == 3)
  }

  @Test func `a scoped caller sees its own part of the log`() throws {
    let scoped = try service.asked(by: .reader, root: ListID(text: list.id))
    _ = try service.makeList("Elsewhere", things: ["x"])
    // Its making and its four things.
    let log = try scoped.get("/v1/changes")
    #expect(log["/count"] == 5)
    #expect(log.all("/changes", "lists") == Array(repeating: [.string(list.id)], count: 5))
  }
}
