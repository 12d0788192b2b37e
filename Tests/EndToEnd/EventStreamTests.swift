import Foundation
import JSON
import Support
import Testing

@Suite("Streams of events")
struct EventStreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ arguments: String...) throws -> RunningServer {
    try RunningServer(database: folder.database, arguments)
  }

  @Test func `send each change when it is made, with the receipt's deltas`() throws {
    let server = try start()
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    for name in ["a", "b", "c"] { try client.makeThing(name, in: list) }
    let readers = try ["/v1/events", "/v1/lists/\(list)/events"].map {
      try EventReader(try server.connect(), $0)
    }
    for reader in readers {
      #expect(reader.head.status == 200)
      #expect(reader.head["content-type"] == "text/event-stream")
      let opening = try #require(try reader.nextBlock())
      #expect(
        opening
          == EventReader.Event(name: "position", id: 4, data: ["revision": 4], retry: 2000))
    }
    let receipt = try client.moveRow(of: list, from: 2, to: 0)
    for reader in readers {
      let event = try #require(try reader.next())
      #expect(event.name == "change")
      #expect(event.id == 5)
      #expect(event.at("/fromRevision") == 4)
      #expect(event.at("/requestId") == receipt.at("/requestId"))
      #expect(event.at("/deltas") == receipt.at("/deltas"))
    }
  }

  @Test(arguments: [true, false])
  func `continue after a restart from the last event of their readers`(byHeader: Bool) throws {
    var server = try start()
    var client = try server.connect()
    let list = try client.makeList("Shelf")
    for name in ["a", "b"] { try client.makeThing(name, in: list) }
    try client.makeThing("c", in: list)
    try server.kill()
    server = try start()
    client = try server.connect()
    try client.makeThing("d", in: list)
    let path = "/v1/lists/\(list)/events"
    let reader = try EventReader(
      try server.connect(), byHeader ? path : path + "?since=3", after: byHeader ? 3 : nil)
    let event = try #require(try reader.next())
    #expect(event.id == 5)
    #expect(event.at("/fromRevision") == 3)
    #expect(event.at("/deltas/0/countBefore") == 2)
    #expect(event.at("/deltas/0/countAfter") == 4)
    // No second time.
    try client.makeThing("e", in: list)
    #expect(try reader.next()?.at("/fromRevision") == 5)
  }

  @Test func `send all missed changes as one event`() throws {
    let server = try start()
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    for number in 0..<600 { try client.makeThing("Thing \(number)", in: list) }
    let readers = try (0..<4).map { _ in
      try EventReader(try server.connect(), "/v1/lists/\(list)/events", after: 1)
    }
    try client.makeThing("Last", in: list)
    for reader in readers {
      var count = 0
      while count < 601 {
        let event = try #require(try reader.next())
        #expect(event.number("/deltas/0/countBefore") == count)
        count = try #require(event.number("/deltas/0/countAfter"))
      }
    }
  }

  @Test func `send a resync if a reader has to read again, and continue`() throws {
    let server = try start()
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let reader = try EventReader(try server.connect(), "/v1/lists/\(list)/events", after: 99)
    let event = try #require(try reader.next())
    #expect(event.name == "resync")
    #expect(event.id == 1)
    #expect(event.data == ["revision": 1])
    try client.makeThing("a", in: list)
    #expect(try reader.next()?.at("/fromRevision") == 1)
  }

  @Test func `end when their list is deleted, and their connection stays open`() throws {
    let server = try start()
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let inner = try client.makeList("Inner", in: list)
    let reader = try EventReader(try server.connect(), "/v1/lists/\(inner)/events")
    #expect(try client.send("DELETE", "/v1/lists/\(list)?recursive=true").status == 200)
    let event = try #require(try reader.next())
    #expect(event.name == "gone")
    #expect(event.at("/listId") == .string(inner))
    #expect(try reader.next() == nil)
    #expect(try reader.client.get("/v1/lists/\(inner)/events").status == 410)
    #expect(try reader.client.get("/healthz").status == 200)
  }

  @Test func `send comments while nothing happens`() throws {
    let server = try start("--event-heartbeat", "50ms")
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let reader = try EventReader(try server.connect(), "/v1/lists/\(list)/events")
    _ = try reader.nextBlock()
    for _ in 0..<3 {
      #expect(try reader.nextBlock() == EventReader.Event(isComment: true))
    }
    // A change elsewhere moves the position of this list's readers too.
    try client.makeThing("a", in: "root")
    let moved = try poll("the new position") { () -> EventReader.Event? in
      let block = try reader.nextBlock()
      return block?.id == 2 ? block : nil
    }
    #expect(moved == EventReader.Event(name: "position", id: 2, data: ["revision": 2]))
    // It is said once.
    #expect(try reader.nextBlock() == EventReader.Event(isComment: true))
  }

  @Test func `are refused beyond the option's limit`() throws {
    let server = try start("--event-streams", "2")
    let client = try server.connect()
    var readers = try (0..<2).map { _ in try EventReader(try server.connect(), "/v1/events") }
    #expect(readers.map(\.head.status) == [200, 200])
    let refused = try client.get("/v1/events")
    #expect(refused.status == 503)
    #expect(refused.text("/code") == "too_many_streams")
    #expect(refused["retry-after"] != nil)
    readers.removeLast()
    let reader = try poll("a place to come free") { () -> EventReader? in
      let reader = try EventReader(try server.connect(), "/v1/events")
      return reader.head.status == 200 ? reader : nil
    }
    try client.makeThing("a", in: "root")
    #expect(try reader.next()?.id == 1)
  }

  @Test func `end with the connection for clients of HTTP 1.0`() throws {
    let server = try start()
    let client = try server.connect()
    let reader = try EventReader(try server.connect(), "/v1/events", version: "1.0")
    #expect(reader.head["transfer-encoding"] == nil)
    #expect(reader.head["connection"] == "close")
    try client.makeThing("a", in: "root")
    #expect(try reader.next()?.id == 1)
    #expect(try server.stop() == .exit(0))
    #expect(try reader.next() == nil)
  }

  @Test func `have a head of their own for HEAD`() throws {
    let server = try start()
    let client = try server.connect()
    let head = try client.send("HEAD", "/v1/events")
    #expect(head.status == 200)
    #expect(head["content-type"] == "text/event-stream")
    #expect(head["rowhouse-revision"] == "0")
    #expect(try client.get("/healthz").status == 200)
  }

  @Test func `end completely when the server stops`() throws {
    let server = try start()
    let readers = try (0..<5).map { _ in try EventReader(try server.connect(), "/v1/events") }
    #expect(try server.stop() == .exit(0))
    for reader in readers { #expect(try reader.next() == nil) }
  }

  @Test func `combine unread changes into one event, without effect on other readers`() throws {
    let server = try RunningServer(database: ":memory:")
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let path = "/v1/lists/\(list)/events"
    let stuck = try EventReader(try server.connect(), path)
    _ = try stuck.nextBlock()
    let quick = try EventReader(try server.connect(), path)
    var writes = 0
    /// Two make changes at once; returns when the quick reader has heard of all of them.
    func write(_ count: Int) throws {
      writes += count
      _ = try onThreads(2) { _ in
        let client = try server.connect()
        for _ in 0..<(count / 2) { try Self.makeThings(50, in: list, client) }
      } meanwhile: {
        var revision = 0
        while revision < writes + 1 { revision = try #require(try quick.next()?.id) }
      }
    }
    // How much the kernel takes for a reader is its to say. Who is stuck for half a minute is dropped, so that there
    // is no more of it than it takes: the server keeps one or two events, and makes one of the rest.
    while try Self.waitingOutput(client) == 0 { try write(10) }
    try write(8)
    // It has missed nothing, nor was anything said twice.
    var revision = 1
    var count = 0
    var events = 0
    while revision < writes + 1 {
      let event = try #require(try stuck.next())
      #expect(event.name == "change")
      #expect(event.number("/fromRevision") == revision)
      #expect(event.number("/deltas/0/countBefore") == count)
      revision = try #require(event.id)
      count = try #require(event.number("/deltas/0/countAfter"))
      events += 1
    }
    #expect(count == 50 * writes)
    #expect(events < writes)
  }

  /// Puts things with long names on top of a list, as one change.
  private static func makeThings(_ count: Int, in list: String, _ client: Client) throws {
    let name = JSONValue.string(String(repeating: "x", count: 500))
    let inserts = (0..<count).map { index -> JSONValue in
      ["index": .init(index), "item": ["name": name]]
    }
    let answer = try client.send("POST", "/v1/lists/\(list)/batch", ["inserts": .array(inserts)])
    try #require(answer.status == 200)
  }

  /// Bytes that the server would send if somebody read them.
  private static func waitingOutput(_ client: Client) throws -> Double {
    let text = String(decoding: try client.get("/metrics").body, as: UTF8.self)
    return try #require(try MetricsText(text)["rowhouse_http_waiting_output_bytes"])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] != nil))
  func `drop a reader that has stopped for good, who resumes`() throws {
    let server = try start()
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let path = "/v1/lists/\(list)/events"
    let stuck = try EventReader(try server.connect(), path)
    _ = try stuck.nextBlock()
    let name = String(repeating: "x", count: 500)
    var revision = 1
    let end = ContinuousClock.now + .seconds(45)
    while ContinuousClock.now < end {
      let answer = try client.send("POST", "/v1/lists/\(list)/items", ["name": .string(name)])
      revision = try #require(answer.number("/receipt/revision"))
    }
    var last = 1
    #expect(throws: (any Error).self) {
      while let event = try stuck.next() { last = event.id ?? last }
    }
    #expect(last < revision)
    let resumed = try EventReader(try server.connect(), path, after: last)
    let event = try #require(try resumed.next())
    #expect(["change", "resync"].contains(event.name))
    #expect(event.id == revision)
  }
}
