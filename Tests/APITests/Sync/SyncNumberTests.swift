import API
import HTTP
import Inventory
import JSON
import Support
import Synchronization
import Testing

@Suite("Numbers of a client's commands")
struct SyncNumberTests {
  typealias Backing = SyncWorld.Backing

  @Test(arguments: Backing.allCases)
  func `let a client whose answer was lost send its batch again`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let rows = world.list.rows
    let batch = [
      world.create("d", id: SyncWorld.id(), at: "first"),
      world.edit(rows[0], ["name": "mine"], from: ["name": "other"]),
      world.delete(SyncWorld.id()),
      world.move([rows[2]], to: "first"),
    ]
    let first = try world.sync(batch)
    #expect(first.outcomes == ["done", "overwrote", "refused", "done"])
    try world.service.send(.post, "\(world.list.path)/reorder", ["sort": "title"])
    let titles = try world.titles()
    #expect(try world.sync(batch)["/outcomes"] == first["/outcomes"])
    // What the person has done meanwhile comes along.
    let longer = try world.sync(batch + [world.delete(rows[1])])
    #expect(longer.outcomes == first.outcomes + ["done"])
    // A batch that begins later says that the client knows the outcomes before.
    let last = try world.sync([world.delete(rows[1]), world.create("e")], from: 5)
    #expect(last.outcomes == ["done", "done"])
    #expect(
      try world.sync(batch + [world.delete(rows[1])]).outcomes
        == ["repeated", "repeated", "repeated", "repeated", "done"])
    #expect(try world.titles() == titles.filter { $0 != "b" } + ["e"])
  }

  @Test(arguments: Backing.allCases)
  func `that leave a gap are refused, and nothing is done`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let unknown = try world.sync([world.create("x")], from: 2)
    #expect(unknown.status == 409)
    #expect(unknown.code == "sequence_gap")
    #expect(unknown.number("/lastSequence") == 0)
    try world.sync([world.create("d"), world.create("e")])
    let gap = try world.sync([world.create("x"), world.create("y")], from: 4)
    #expect(gap.number("/lastSequence") == 2)
    #expect(try world.sync([world.create("f")], from: 3).outcomes == ["done"])
    #expect(try world.titles() == ["a", "b", "c", "d", "e", "f"])
  }

  @Test(arguments: Backing.allCases)
  func `that another command has are refused, behind the outcomes of the same commands`(
    backing: Backing
  ) throws {
    let world = try SyncWorld(backing)
    let (d, e) = (world.create("d"), world.create("e"))
    let first = try world.sync([d, e])
    let other = try world.sync([world.create("f"), e])
    #expect(other.status == 409)
    #expect(other.code == "sequence_gap")
    #expect(other.number("/lastSequence") == 2)
    let ahead = try world.sync((0..<20).map { world.create("\($0)") })
    #expect(ahead.number("/lastSequence") == 2)
    let half = try world.sync([d, world.create("f"), world.create("g"), world.create("h")])
    #expect(half.outcomes == ["done"])
    #expect(half["/problem/code"] == "sequence_gap")
    // The order of members does not matter.
    var turned = JSONObject()
    for member in d.object?.members.reversed() ?? [] { turned[member.key] = member.value }
    #expect(try world.sync([.object(turned), e])["/outcomes"] == first["/outcomes"])
    #expect(try world.titles() == ["a", "b", "c", "d", "e"])
  }

  @Test(arguments: Backing.allCases)
  func `count for each client, token and inventory`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let made = try world.service.send(.post, "/v1/tokens", ["name": "Sam", "role": "editor"])
    let token: Fields = ["Authorization": "Bearer \(try #require(made.text("/token")))"]
    let other = "c0000000-0000-4000-8000-000000000002"
    #expect(try world.sync([world.create("d")]).outcomes == ["done"])
    #expect(try world.sync([world.create("e")], client: other).outcomes == ["done"])
    #expect(try world.sync([world.create("f")], token).outcomes == ["done"])
    #expect(try world.sync([world.create("g")], from: 3, token).number("/lastSequence") == 1)
    if backing == .database {
      let inventory = try world.service.send(.post, "/v1/inventories", ["title": "Shop"])
      let fields: Fields = ["Rowhouse-Inventory": try #require(inventory.text("/id"))]
      let answer = try world.sync([world.create("h")], fields)
      #expect(answer.refusals == ["not_found"])
    }
    #expect(try world.titles() == ["a", "b", "c", "d", "e", "f"])
  }

  @Test(arguments: Backing.allCases)
  func `are kept for a limited number of clients`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let (row, limit) = (world.list.rows[0], Limits.syncClients)
    for _ in 0..<limit {
      try world.sync([world.move([row], to: "first")], client: SyncWorld.id())
    }
    let refused = try world.sync([world.create("d")])
    #expect(refused.status == 409)
    #expect(refused.code == "too_many_sync_clients")
    #expect(refused.number("/limit") == limit)
    #expect(try world.titles() == ["a", "b", "c"])
  }

  @Test func `out of order, and commands that cannot be read, refuse the batch`() throws {
    let world = try SyncWorld()
    let row: JSONValue = .string(world.list.rows[0])
    func faults(_ commands: JSONValue, client: JSONValue = .string(SyncWorld.client)) throws
      -> Set<String>
    {
      let answer = try world.service.send(
        .post, "/v1/sync", ["clientId": client, "commands": commands])
      #expect(answer.status == 422)
      return Set(answer.faults)
    }
    let delete: JSONValue = ["sequence": 1, "type": "delete", "id": row]
    #expect(try faults([], client: "x") == ["/clientId", "/commands"])
    #expect(try faults(.null) == ["/commands"])
    #expect(
      try faults([delete, ["sequence": 3, "type": "delete", "id": row]]) == ["/commands/1/sequence"]
    )
    #expect(try faults([delete, delete]) == ["/commands/1/sequence"])
    #expect(
      try faults([
        ["type": "delete", "id": row], delete, ["sequence": 3, "type": "delete", "id": row],
      ])
        == ["/commands/0/sequence", "/commands/2/sequence"])
    #expect(
      try faults([
        ["sequence": 0, "type": "delete", "id": row],
        ["sequence": .decimal("9007199254740992"), "type": "delete", "id": row],
        ["sequence": "1", "type": "delete", "id": row],
      ]) == ["/commands/0/sequence", "/commands/1/sequence", "/commands/2/sequence"])
    #expect(
      try faults([["sequence": 1, "type": "remove", "id": row], ["sequence": 2]])
        == ["/commands/0/type", "/commands/1/type"])
    #expect(
      try faults([
        ["sequence": 1, "type": "delete", "id": "x", "recursive": 1, "ids": []],
        ["sequence": 2, "type": "moveRows", "ids": [row, row], "position": ["index": 1]],
        ["sequence": 3, "type": "createItem", "listId": "root", "item": ["name": "x"]],
        ["sequence": 4, "type": "createList", "list": ["id": row]],
        ["sequence": 5, "type": "editItem", "id": row, "patch": 1],
        ["sequence": 6, "type": "restore"],
        ["sequence": 7, "type": "moveRows", "listId": "root", "ids": []],
      ]) == [
        "/commands/0/id", "/commands/0/recursive", "/commands/0/ids", "/commands/1/ids/1",
        "/commands/1/listId", "/commands/1/position/index", "/commands/2/item/id",
        "/commands/3/listId", "/commands/4/patch", "/commands/4/from",
        "/commands/5/id", "/commands/6/ids",
      ])
    #expect(
      try faults(
        .array((1...201).map { ["sequence": JSONValue($0), "type": "delete", "id": row] }))
        == ["/commands"])
    #expect(try world.titles() == ["a", "b", "c"])
    // None of them has used a number.
    #expect(try world.sync([delete]).outcomes == ["done"])
  }

  @Test(arguments: Backing.allCases)
  func `stay when the stored outcomes are too long`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let text = String(repeating: "x", count: 50_000)
    let row = world.list.rows[0]
    var batch: [JSONValue] = []
    for number in 0..<8 {
      batch.append(
        world.edit(row, ["notes": .string("\(number)\(text)")], from: ["notes": "never"]))
    }
    try world.service.send(.patch, "/v1/items/\(row)", ["notes": .string(text)])
    let first = try world.sync(batch)
    #expect(first.outcomes == Array(repeating: "overwrote", count: 8))
    let again = try world.sync(batch)
    #expect(again.outcomes == ["overwrote", "overwrote"] + Array(repeating: "repeated", count: 6))
    #expect(again["/outcomes/1"] == first["/outcomes/1"])
    // Short outcomes are stored again.
    let next = [world.create("d")]
    #expect(try world.sync(next, from: 9).outcomes == ["done"])
    #expect(try world.sync(next, from: 9).outcomes == ["done"])
  }

  @Test(arguments: Backing.allCases)
  func `go on where an answer of more than a megabyte ended`(backing: Backing) throws {
    let world = try SyncWorld(backing, things: (0..<40).map(String.init))
    let text = JSONValue.string(String(repeating: "x", count: 60_000))
    for row in world.list.rows {
      try world.service.send(.patch, "/v1/items/\(row)", ["notes": text])
    }
    let batch = world.list.rows.map {
      world.edit($0, ["notes": .null], from: ["notes": "shorter"])
    }
    var done: [Int] = []
    while done.reduce(0, +) < 40 {
      let start = done.reduce(0, +)
      let answer = try world.sync(Array(batch[start...]), from: start + 1)
      #expect(answer.outcomes.allSatisfy { $0 == "overwrote" })
      #expect(answer["/problem"] == .null)
      done.append(answer.outcomes.count)
      try #require(done.last != 0)
    }
    #expect((18..<40).contains(done[0]))
  }

  /// Fails every write from one on, until it is told to go on.
  private final class FullStore: StoreInFront {
    let store = ArrayStore()
    private let left = Mutex<Int?>(nil)
    private let error: InventoryError

    init(_ error: InventoryError) { self.error = error }

    func fail(after writes: Int?) { left.withLock { $0 = writes } }

    func submit(
      _ command: Command, _ context: WriteContext,
      completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
    ) {
      let isFull = left.withLock { left in
        guard let present = left else { return false }
        left = max(0, present - 1)
        return present == 0
      }
      guard !isFull else { return completion(.failure(error)) }
      store.submit(command, context, completion: completion)
    }
  }

  @Test(arguments: [
    (InventoryError.storageFull, 507), (.overloaded, 503), (.shuttingDown, 503),
    (.outcomeUnknown, 503), (.tokenRevoked, 401), (.storageFailed("x"), 500),
  ])
  func `go on after the last done when the server could not`(error: InventoryError, status: Int)
    throws
  {
    let store = FullStore(error)
    let service = try Service(store: store.store, asking: store)
    let list = try service.makeList("Shelf", things: ["a"])
    func create(_ name: String) -> JSONValue {
      [
        "type": "createItem", "listId": .string(list.id),
        "item": ["id": .string(SyncWorld.id()), "name": .string(name)],
      ]
    }
    let batch = SyncWorld.batch(["b", "c", "d", "e"].map(create))
    store.fail(after: 0)
    let none = try service.send(.post, "/v1/sync", batch)
    #expect(none.status == status)
    store.fail(after: 2)
    let half = try service.send(.post, "/v1/sync", batch)
    #expect(half.status == 200)
    #expect(half.outcomes == ["done", "done"])
    #expect(half.number("/problem/status") == status)
    store.fail(after: nil)
    let all = try service.send(.post, "/v1/sync", batch)
    #expect(all.outcomes == ["done", "done", "done", "done"])
    #expect(all["/outcomes/1"] == half["/outcomes/1"])
    #expect(try service.titles(of: list) == ["a", "b", "c", "d", "e"])
  }

  @Test func `let the same batch arrive several times at once`() throws {
    let world = try SyncWorld(.database)
    let batch = SyncWorld.batch((0..<200).map { world.create("\($0)") })
    var bytes = JSONWriter()
    bytes.value(batch)
    let body = bytes.finish()
    let inboxes = try (0..<4).map { _ in
      let inbox = Inbox()
      let head = try RequestHead(
        method: .post, target: "/v1/sync",
        fields: ["Content-Type": "application/json", "Content-Length": String(body.count)])
      guard case .buffer(_, let answer) = world.service.handler.begin(head) else {
        throw Service.Unanswered()
      }
      let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: inbox)
      _ = answer(body, responder)
      return inbox
    }
    for inbox in inboxes {
      let answer = Answer(try inbox.wait())
      #expect(answer.outcomes == Array(repeating: "done", count: 200))
    }
    #expect(try world.titles() == ["a", "b", "c"] + (0..<200).map(String.init))
  }
}
