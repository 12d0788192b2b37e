import HTTP
import Inventory
import JSON
import Support
import Testing

@testable import API

@Suite("Followers of events")
struct EventTests {
  static let answersLater = [false, true]

  private func makeService(_ isLater: Bool, eventStreams: Int = 10) throws -> Service {
    let store = ArrayStore()
    return try Service(
      store: store, asking: isLater ? LaterStore(store) : nil, eventStreams: eventStreams)
  }

  @Test(arguments: answersLater)
  func `start with the position`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    for path in ["/v1/events", list.path + "/events", "/v1/lists/root/events"] {
      let stream = try service.follow(path)
      #expect(stream.head.status == 200)
      #expect(stream.head.fields["content-type"] == "text/event-stream")
      #expect(stream.head.fields["cache-control"] == "no-store")
      #expect(stream.head.fields["x-accel-buffering"] == "no")
      #expect(stream.head.fields["rowhouse-revision"] == "3")
      let blocks = stream.blocks()
      #expect(blocks.count == 1)
      #expect(blocks.first?.id == "3")
      #expect(blocks.first?.retry == "2000")
      #expect(blocks.first?.event == "position")
      #expect(blocks.first?.data == ["revision": 3])
    }
  }

  @Test(arguments: answersLater)
  func `send events after a failed read once reads work again, without another change`(
    isLater: Bool
  ) throws {
    let store = ArrayStore()
    let failing = FailingReadStore(store, isLater: isLater)
    let service = try Service(store: store, asking: failing)
    let list = try service.makeList(things: ["a"])
    let stream = try service.follow(list.path + "/events")
    #expect(stream.events().isEmpty)
    try service.makeThing("b", in: list.id)
    failing.setFails(true)
    #expect(stream.events().isEmpty)
    failing.setFails(false)
    #expect(stream.events().map(\.event) == ["change"])
  }

  private func snapshot(of service: Service) throws -> any Snapshot {
    // Arrays are copied, so the snapshot stays as it is. Only this thread uses it.
    nonisolated(unsafe) var snapshot: (any Snapshot)?
    _ = try service.store.makeSession().read(
      .bounded, as: .local, { snapshot = $0 }, later: { _ in })
    return try #require(snapshot)
  }

  /// A pass ends when its time is over, also if it only looks at the log.
  @Test func `count in a pass although it has nothing for them`() throws {
    let service = try makeService(false)
    let list = try service.makeList()
    let other = try service.makeList("Other")
    let stream = try service.follow(list.path + "/events")
    #expect(stream.events().isEmpty)
    let followed = try #require(stream.source as? EventStream)
    let position = try #require(followed.position(isCatchingUp: false))
    try service.makeThing("b", in: other.id)
    var batcher = EventBatcher(try snapshot(of: service), limit: 100) { _ in true }
    guard case .next(let next) = batcher.find(for: followed, since: position) else {
      Issue.record("The log was not read.")
      return
    }
    #expect(next.bytes.isEmpty)
    #expect(batcher.count == 1)
  }

  /// A pass may run beside a long read, and have an older snapshot.
  @Test func `need not resync for a snapshot from before their position`() throws {
    let service = try makeService(false)
    let list = try service.makeList(things: ["a"])
    let stream = try service.follow(list.path + "/events")
    #expect(stream.events().isEmpty)
    let old = try snapshot(of: service)
    try service.makeThing("b", in: list.id)
    #expect(stream.events().map(\.event) == ["change"])
    var batcher = EventBatcher(old, limit: 100) { _ in true }
    let followed = try #require(stream.source as? EventStream)
    let position = try #require(followed.position(isCatchingUp: false))
    guard case .nothing = batcher.find(for: followed, since: position) else {
      Issue.record("The stream gets an event.")
      return
    }
    followed.losePosition()
    guard case .next(let next) = batcher.find(for: followed, since: Revision(.max)) else {
      Issue.record("The stream gets no event after it has lost its position.")
      return
    }
    #expect(String(decoding: next.bytes, as: UTF8.self).contains("event: resync"))
  }

  @Test(arguments: answersLater)
  func `of a list get its delta, and nothing of other lists`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b", "c"])
    let other = try service.makeList("Other")
    let stream = try service.follow(list.path + "/events")
    #expect(stream.events().isEmpty)
    try service.makeThing("d", in: other.id)
    #expect(stream.events().isEmpty)
    let receipt = try service.send(.post, list.path + "/move-row", ["from": 2, "to": 0])
    let events = stream.events()
    try #require(events.count == 1)
    let event = events[0]
    #expect(event.event == "change")
    #expect(event.id == "7")
    #expect(
      event.keys == ["fromRevision", "revision", "requestId", "deltas", "lists", "items"])
    #expect(event.number("/fromRevision") == 6)
    #expect(event.number("/revision") == 7)
    #expect(event["/requestId"] == receipt["/requestId"])
    #expect(event["/deltas"] == receipt["/deltas"])
    #expect(event.number("/deltas/0/fromRevision") == 4)
    #expect(event.texts("/lists") == [list.id])
    #expect(event.texts("/items") == [])
  }

  @Test(arguments: answersLater)
  func `of a list include changes of its items that no row shows`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    let other = try service.makeList("Other", things: ["c"])
    let stream = try service.follow(list.path + "/events")
    let all = try service.follow("/v1/events")
    _ = (stream.events(), all.events())
    try service.send(.patch, "/v1/items/\(other.rows[0])", ["notes": "Lent"])
    #expect(stream.events().isEmpty)
    #expect(all.events().map { $0.texts("/items") } == [other.rows])
    try service.send(.patch, "/v1/items/\(list.rows[0])", ["notes": "Lent"])
    let events = stream.events()
    #expect(events.map { $0.texts("/items") } == [[list.rows[0]]])
    #expect(events.map { $0.id } == all.events().map { $0.id })
  }

  @Test(arguments: answersLater)
  func `of the inventory get all that a change did, in one event`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    let other = try service.makeList("Other")
    let stream = try service.follow("/v1/events")
    _ = stream.events()
    let receipt = try service.send(
      .post, "/v1/rows/\(list.rows[0])/move", ["listId": .string(other.id)])
    let events = stream.events()
    try #require(events.count == 1)
    let deltas = deltasByList(events[0]["/deltas"])
    #expect(deltas.count == 3)
    #expect(deltas == deltasByList(receipt["/deltas"]))
    #expect(Set(events[0].texts("/lists")) == Set(deltas.keys))
    #expect(events[0].texts("/items") == [list.rows[0]])
  }

  @Test(arguments: answersLater, ["", "?since=3"])
  func `that were away get one event for all that they missed`(isLater: Bool, query: String) throws
  {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    for name in ["c", "d"] { try service.makeThing(name, in: list.id) }
    try service.send(.post, list.path + "/move-row", ["from": 3, "to": 0])
    for path in ["/v1/events", list.path + "/events"] {
      // What the client itself remembers is newer than the address that it was given.
      let stream = try service.follow(
        path + (query.isEmpty ? "" : "?since=1"), ["Last-Event-ID": "3"])
      let blocks = stream.blocks()
      #expect(blocks.first?.event == "position")
      #expect(blocks.first?.id == "3")
      let events = Array(blocks.dropFirst())
      #expect(events.map(\.id) == ["6"])
      #expect(events.first?.number("/fromRevision") == 3)
      #expect(events.first?["/requestId"] == .null)
      let delta = deltasByList(events.first?["/deltas"])[list.id] ?? .null
      #expect(JSONPointer(tokens: ["countBefore"]).evaluate(delta) == 2)
      #expect(JSONPointer(tokens: ["countAfter"]).evaluate(delta) == 4)
      #expect(stream.events().isEmpty)
    }
    let stream = try service.follow(list.path + "/events?since=5")
    #expect(stream.events().map { $0["/deltas/0/moves"] } == [[["from": 3, "to": 0]]])
  }

  @Test(arguments: answersLater)
  func `that were away for long get it all the same`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList()
    for number in 0..<550 { try service.makeThing("thing \(number)", in: list.id) }
    let stream = try service.follow(list.path + "/events?since=1")
    let events = stream.events()
    #expect(events.map { $0.number("/fromRevision") } == [1])
    #expect(events.map { $0.number("/revision") } == [551])
    #expect(events.first?.number("/deltas/0/countAfter") == 550)
    try service.makeThing("last", in: list.id)
    #expect(stream.events().map { $0.number("/fromRevision") } == [551])
  }

  @Test(arguments: answersLater)
  func `that do not read get what happens meanwhile as one event`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList()
    let stream = try service.follow(list.path + "/events")
    _ = stream.events()
    for number in 0..<5 {
      try service.makeThing("thing \(number)", in: list.id)
      // The loop runs, but no client reads the stream.
      service.endWakeUp()
    }
    let events = stream.events()
    #expect(events.map { $0.number("/fromRevision") } == [1, 2])
    #expect(events.map { $0.number("/revision") } == [2, 6])
    #expect(events.map { $0.number("/deltas/0/fromRevision") } == [1, 2])
  }

  @Test(arguments: answersLater, ["9", "1"])
  func `from an unknown or too old revision get a resync`(
    isLater: Bool, since: String
  ) throws {
    let service = try makeService(isLater)
    let list = try service.makeList()
    let id = try #require(ListID(text: list.id))
    let items = (0...Delta.maximumEntries).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Thing \(number)"))
    }
    let context = WriteContext(caller: .local, requestID: "bulk")
    _ = try service.store.perform(.appendItems(items, to: .id(id)), context).get()
    for path in ["/v1/events", list.path + "/events"] {
      let stream = try service.follow(path, ["Last-Event-ID": since])
      let events = stream.events()
      #expect(events.map(\.event) == ["resync"])
      #expect(events.map(\.id) == ["2"])
      #expect(events.first?.data == ["revision": 2])
    }
    // The stream goes on from there.
    let stream = try service.follow(list.path + "/events?since=\(since)")
    _ = stream.events()
    try service.makeThing("last", in: list.id)
    #expect(stream.events().map(\.event) == ["change"])
  }

  @Test(arguments: answersLater)
  func `of a deleted list get gone, and the stream ends`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList()
    let inner = try service.makeList("Inner", in: list.id)
    let stays = try service.makeList("Stays")
    let streams = try [inner, stays].map { try service.follow($0.path + "/events") }
    for stream in streams { #expect(stream.events().isEmpty) }
    try service.send(.delete, list.path + "?recursive=true")
    let events = streams[0].events()
    #expect(events.map(\.event) == ["gone"])
    #expect(
      events.first?.data
        == ["listId": .string(inner.id), "revision": 4, "trashId": .string(list.id)])
    #expect(streams[0].isAtEnd)
    #expect(streams[1].events().isEmpty)
    #expect(!streams[1].isAtEnd)
    #expect(try service.get(inner.path + "/events").status == 410)
  }

  @Test func `below a root of their own see nothing else`() throws {
    let service = try makeService(false)
    let list = try service.makeList(things: ["a"])
    let other = try service.makeList("Other", things: ["b"])
    let scoped = try service.asked(by: .reader, root: ListID(text: list.id))
    let stream = try scoped.follow("/v1/events")
    _ = stream.events()
    #expect(try scoped.get(other.path + "/events").status == 404)
    try service.makeThing("c", in: other.id)
    #expect(stream.events().isEmpty)
    try service.makeThing("d", in: list.id)
    let events = stream.events()
    #expect(events.map { $0.texts("/lists") } == [[list.id]])
    #expect(events.first?["/deltas/0/inserts/0/row/canEdit"] == false)
    // Out of the root, it is gone.
    try service.send(
      .post, "/v1/rows/\(list.rows[0])/move", ["listId": .string(other.id)])
    #expect(stream.events().map { $0.texts("/items") } == [[list.rows[0]]])
    try service.send(.delete, list.path + "?recursive=true")
    #expect(stream.events().map(\.event) == ["gone"])
    #expect(stream.isAtEnd)
  }

  @Test(arguments: answersLater)
  func `from a future revision keep their id until they get a resync`(
    isLater: Bool
  ) throws {
    let service = try makeService(isLater)
    let list = try service.makeList()
    let blocks = try service.follow(list.path + "/events?since=9").blocks()
    #expect(blocks.map(\.event) == [nil, "resync"])
    #expect(blocks.map(\.id) == [nil, "1"])
    #expect(blocks.first?.hasComment == true)
  }

  @Test(arguments: answersLater)
  func `from a future revision get a resync though changes reach it before the first look`(
    isLater: Bool
  ) throws {
    let service = try makeService(isLater)
    let list = try service.makeList()
    let stream = try service.follow(list.path + "/events?since=2")
    for name in ["a", "b"] { try service.makeThing(name, in: list.id) }
    #expect(stream.events().map(\.event) == ["resync"])
  }

  @Test func `get a comment regularly, or the position from which they can continue`() throws {
    let service = try makeService(false)
    let list = try service.makeList()
    let other = try service.makeList("Other")
    let stream = try service.follow(list.path + "/events")
    _ = stream.blocks()
    try service.makeThing("a", in: other.id)
    #expect(stream.blocks().isEmpty)
    service.endWakeUp(after: 15_000)
    let blocks = stream.blocks()
    #expect(blocks.map(\.event) == ["position"])
    #expect(blocks.map(\.id) == ["3"])
    #expect(blocks.first?.data == ["revision": 3])
    service.endWakeUp(after: 30_000)
    let next = stream.blocks()
    #expect(next.map(\.hasComment) == [true])
    #expect(next.map(\.event) == [nil])
    #expect(next.map(\.id) == [nil])
  }

  @Test func `get gone once their token has expired, without another change`() throws {
    let clock = SetClock()
    let service = try Service(store: ArrayStore(clock: { clock.now }))
    let (credential, text) = Credential.random()
    service.store.administer(
      .createToken(
        NewToken(
          credential: credential, name: "Sam", role: .reader,
          expiresAt: Timestamp(seconds: clock.now.seconds + 60))),
      as: .local
    ) { _ in }
    let stream = try service.follow("/v1/events", ["Authorization": "Bearer \(text)"])
    #expect(stream.events().isEmpty)
    clock.set(Timestamp(seconds: clock.now.seconds + 61))
    service.endWakeUp(after: 60_000)
    #expect(stream.events().map(\.event) == ["gone"])
    #expect(stream.isAtEnd)
  }

  @Test func `are refused beyond the limit`() throws {
    let service = try makeService(false, eventStreams: 2)
    var streams = try (0..<2).map { _ in try service.follow("/v1/events") }
    let refused = try service.get("/v1/events")
    #expect(refused.status == 503)
    #expect(refused.code == "too_many_streams")
    #expect(refused.fields["retry-after"] != nil)
    // What is not there comes first.
    #expect(try service.get("/v1/lists/\(ListID(.version7()))/events").status == 404)
    streams.removeLast()
    streams.append(try service.follow("/v1/events"))
    #expect(streams.last?.head.status == 200)
    // A head, or a refusal, takes no place.
    streams.removeAll()
    for _ in 0..<5 {
      #expect(try service.send(.head, "/v1/events").status == 200)
      #expect(try service.get("/v1/lists/\(ListID(.version7()))/events").status == 404)
    }
    #expect(try service.follow("/v1/events").head.status == 200)
  }

  @Test(
    "say no nonsense of what they know",
    arguments: ["?since=-1", "?since=x", "?since=9223372036854775808", "?till=1"])
  func query(query: String) throws {
    let service = try makeService(false)
    for path in ["/v1/events", "/v1/lists/root/events"] {
      #expect(try service.get(path + query).status == 422)
      #expect(try service.get(path, ["Last-Event-ID": "x"]).faults == ["Last-Event-ID"])
    }
  }

  private func deltasByList(_ deltas: JSONValue?) -> [String: JSONValue] {
    guard case .array(let deltas)? = deltas else { return [:] }
    var found: [String: JSONValue] = [:]
    for delta in deltas {
      if case .string(let list)? = JSONPointer(tokens: ["listId"]).evaluate(delta) {
        found[list] = delta
      }
    }
    return found
  }
}
