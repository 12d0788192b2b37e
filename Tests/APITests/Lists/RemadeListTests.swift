import HTTP
import Inventory
import JSON
import Support
import Testing

/// A list that was purged gives back its id, and the list that gets it then is another.
@Suite struct `A list of an id that another had` {
  private let service: Service
  private let list: Service.MadeList
  /// Of the list before, as it was known last.
  private let known: Int
  private let made: Int

  init() throws {
    service = try Service(store: ArrayStore())
    list = try service.makeList(things: ["a", "b"])
    known = try #require(try service.get(list.path).number("/revision"))
    try service.send(.delete, list.path + "?recursive=true")
    try service.send(.delete, "/v1/trash/\(list.id)")
    _ = try service.makeList("Other")
    let again = try service.send(
      .post, "/v1/lists", ["title": "Again", "id": .string(list.id), "parentId": "root"])
    try #require(again.status == 201)
    made = try #require(again.number("/revision"))
    try service.makeThing("c", in: list.id)
  }

  @Test func `has no changes since a revision before it`() throws {
    for since in [known, made - 1] {
      let answer = try service.get(list.path + "/changes?since=\(since)")
      #expect(answer.status == 410)
      #expect(answer.code == "resync")
      #expect(answer.number("/revision") == made + 1)
    }
    let answer = try service.get(list.path + "/changes?since=\(made)")
    #expect(answer.status == 200)
    #expect(answer["/deltas/0/inserts/0/row/title"] == "c")
  }

  @Test func `has no delta for a write on the rows before`() throws {
    let answer = try service.send(
      .delete, list.path + "/rows/0", fields: ["If-Match": "\"\(known)\""])
    #expect(answer.status == 412)
    #expect(answer["/delta"] == ["listId": .string(list.id), "resync": true])
  }

  @Test func `has its followers read it again`() throws {
    let own = try service.follow(list.path + "/events?since=\(known)").events()
    #expect(own.map(\.event) == ["resync"])
    let all = try service.follow("/v1/events?since=\(known)").events()
    #expect(all.map(\.event) == ["change"])
    #expect(delta(all) == ["listId": .string(list.id), "resync": true])
  }

  @Test func `begins without rows for those who followed until it was made`() throws {
    let events = try service.follow("/v1/events?since=\(made - 1)").events()
    guard case .object(let delta)? = delta(events) else {
      Issue.record("no delta")
      return
    }
    #expect(delta["fromRevision"] == JSONValue(made))
    #expect(delta["countBefore"] == 0)
    #expect(delta["countAfter"] == 1)
  }

  /// No step of the log names the lists below an import's top.
  @Test func `has its followers read it again where a large import brought it`() throws {
    let tree = RandomImports.tree(lists: 1, items: 1)
    let (top, below) = (tree[0].record.id, tree[1].record.id)
    let id = ImportID(.version7())
    func write(_ command: Command) throws -> Int {
      let context = WriteContext(caller: .local, requestID: "test")
      return Int(try service.store.perform(command, context).get().receipt.revision.number)
    }
    let known = try write(.merge(tree, into: .root))
    let deleted = try write(.deleteRow(top, kind: .list, isRecursive: true))
    _ = try write(.purge(top))
    _ = try write(.stage(id, .end(of: .root), tree))
    let made = try write(.finishImport(id))
    func events(_ path: String, since: Int) throws -> [String?] {
      try service.follow("/v1\(path)/events?since=\(since)").events().map(\.event)
    }
    #expect(try events("/lists/\(below)", since: known) == ["resync"])
    #expect(try events("", since: known) == ["resync"])
    // Who was told that they have gone has nothing to read again.
    #expect(try events("", since: deleted) == ["change"])
    #expect(try events("/lists/\(below)", since: made) == [])
    #expect(try events("/lists/\(list.id)", since: known) == [])
  }

  private func delta(_ events: [EventBlock]) -> JSONValue? {
    guard case .array(let deltas)? = events.first?["/deltas"] else { return nil }
    return deltas.first { JSONPointer(tokens: ["listId"]).evaluate($0) == .string(list.id) }
  }
}
