import JSON
import Testing

@Suite("A position with alternatives")
struct PositionTests {
  /// Every call that takes a position, for a row that is not in the list yet or comes from its end.
  private static let calls = [
    "createItem", "createRandomItem", "createList", "move", "move-rows", "restore",
  ]

  private func put(_ call: String, at position: JSONValue, in world: SyncWorld) throws -> (
    Answer, String?
  ) {
    let (service, list) = (world.service, world.list)
    let end = try #require(list.rows.last)
    switch call {
    case "createItem":
      let answer = try service.send(
        .post, "\(list.path)/items", ["name": "x", "position": position])
      return (answer, answer.text("/id"))
    case "createRandomItem":
      let answer = try service.send(.post, "\(list.path)/items/random", ["position": position])
      return (answer, answer.text("/id"))
    case "createList":
      let answer = try service.send(
        .post, "/v1/lists",
        ["title": "x", "parentId": .string(list.id), "position": position])
      return (answer, answer.text("/id"))
    case "move":
      return (try service.send(.post, "/v1/rows/\(end)/move", ["position": position]), end)
    case "move-rows":
      return (
        try service.send(
          .post, "\(list.path)/move-rows", ["ids": [.string(end)], "position": position]),
        end
      )
    default:
      try service.send(.delete, "/v1/rows/\(end)")
      return (try service.send(.post, "/v1/trash/\(end)/restore", ["position": position]), end)
    }
  }

  @Test(arguments: calls, SyncWorld.Backing.allCases)
  func `takes the first anchor that is in the list`(call: String, backing: SyncWorld.Backing) throws
  {
    for (index, retargeted) in [(1, false), (0, true), (2, true), (3, true)] {
      let world = try SyncWorld(backing, things: ["a", "b", "c", "end"])
      let rows = world.list.rows.map(JSONValue.string)
      let gone: JSONValue = .string(SyncWorld.id())
      let position: JSONValue =
        switch index {
        case 1: ["after": rows[0], "else": "last"]
        case 0: ["after": gone, "else": ["before": rows[0], "else": "last"]]
        case 2: ["before": gone, "else": ["after": gone, "else": ["before": rows[2]]]]
        default: ["before": gone, "else": ["index": 3]]
        }
      let (answer, row) = try put(call, at: position, in: world)
      #expect((200...201).contains(answer.status))
      let path = answer["/receipt"] == nil ? "" : "/receipt"
      #expect(answer[path + "/retargeted"] == .bool(retargeted))
      let place = try world.service.get("/v1/rows/\(try #require(row))")
      #expect(place.number("/index") == index, "\(call) at \(position)")
    }
  }

  @Test(arguments: calls)
  func `is refused if none of them is there, or it cannot be read`(call: String) throws {
    let world = try SyncWorld(things: ["a", "end"])
    let gone: JSONValue = .string(SyncWorld.id())
    let refused = try put(call, at: ["after": gone, "else": ["before": gone]], in: world).0
    #expect(refused.code == "anchor_gone")
    func chain(_ length: Int) -> JSONValue {
      length == 1 ? "last" : ["after": gone, "else": chain(length - 1)]
    }
    let pointers: [(JSONValue, String)] = [
      (["after": gone, "else": 7], "/position/else"),
      (["after": gone, "else": ["before": "x"]], "/position/else/before"),
      (["index": 1, "else": "last"], "/position/else"),
      (["else": "last"], "/position"),
      (["after": gone, "before": gone, "else": "last"], "/position"),
      (chain(9), "/position" + String(repeating: "/else", count: 8)),
    ]
    for (position, pointer) in pointers {
      let world = try SyncWorld(things: ["a", "end"])
      let answer = try put(call, at: position, in: world).0
      #expect(answer.status == 422)
      #expect(answer.faults == [pointer], "\(position)")
    }
    let whole = try SyncWorld(things: ["a", "end"])
    #expect((200...201).contains(try put(call, at: chain(8), in: whole).0.status))
  }

  @Test func `by index needs a precondition wherever the index is`() throws {
    let service = try Service(requiresPreconditions: true)
    let list = try service.makeList()
    let gone: JSONValue = .string(SyncWorld.id())
    for position: JSONValue in [["index": 0], ["after": gone, "else": ["index": 0]]] {
      let answer = try service.send(
        .post, "\(list.path)/items", ["name": "x", "position": position])
      #expect(answer.status == 428)
    }
    let answer = try service.send(
      .post, "\(list.path)/items", ["name": "x", "position": ["after": gone, "else": "last"]])
    #expect(answer.status == 201)
  }
}
