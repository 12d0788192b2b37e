import Foundation
import RowhouseTesting
import Testing

@testable import RowhouseClient

/// What a stream of events does where it does not come, or breaks off.
@Suite struct EventResumptionTests {
  let server: RowhouseTestServer
  let network: FlakyNetwork
  let rowhouse: Rowhouse

  init() throws {
    server = try makeServer()
    network = try FlakyNetwork(to: server.url)
    rowhouse = Rowhouse(at: network.url, retries: .quick)
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  private func makeItems(_ count: Int) async throws -> Int {
    var revision = 0
    for number in 0..<count {
      revision = try await server.rowhouse.createItem(ItemDraft(name: "Item \(number)")).receipt
        .revision
    }
    return revision
  }

  /// Reads on until a revision, and notes where something is missing or comes twice.
  private func read(
    _ events: inout LiveEvents.Iterator, from first: Int, to last: Int
  ) async throws {
    var seen = first
    while seen < last {
      guard case .change(let change) = try await events.next() else {
        Issue.record("The stream ended, or lost its place.")
        return
      }
      #expect(change.fromRevision == seen)
      seen = change.revision
    }
    #expect(seen == last)
  }

  @Test(arguments: [
    "id: 2\n", "id: 2\nevent: change\ndata: {\"fro", "id: 2\nevent: change\ndata: {}\n",
  ])
  func `An event that broke off comes again`(rest: String) async throws {
    let last = try await makeItems(3)
    network.answer(with: [[Self.head + "retry: 1\nid: 1\n\n" + rest]])
    var events = rowhouse.events(since: 1).makeAsyncIterator()
    try await read(&events, from: 1, to: last)
    #expect(network.answered.count == 1)
  }

  @Test(arguments: [1, 20, 30, 40, 60, 90, 150, 400])
  func `A real stream may break off anywhere`(bytes: Int) async throws {
    let first = try await server.rowhouse.list().revision
    network.cutBody(after: bytes)
    var events = rowhouse.events(since: first).makeAsyncIterator()
    let last = try await makeItems(3)
    try await read(&events, from: first, to: last)
  }

  @Test func `A position is no event to a reader, and is resumed behind`() async throws {
    let last = try await makeItems(3)
    network.answer(with: [
      [Self.head + "retry: 1\nid: 1\nevent: position\ndata: {\"revision\":1}\n\n"]
    ])
    var events = rowhouse.events().makeAsyncIterator()
    try await read(&events, from: 1, to: last)
    #expect(network.answered.count == 1)
  }

  @Test func `A resync has its own revision`() async throws {
    let text = "id: 7\nevent: resync\ndata: {}\n\nid: 9\nevent: gone\ndata: {}\n\n"
    network.answer(with: [[Self.head + text]])
    var events = rowhouse.events().makeAsyncIterator()
    #expect(try await events.next() == .resync(revision: 7))
    #expect(try await events.next() == .gone)
    #expect(try await events.next() == nil)
  }

  static let refusals: [(answer: [String], status: Int)] = [
    (["HTTP/1.1 401 Unauthorized\r\nContent-Type: text/html\r\n\r\n", "<html>Log in</html>"], 401),
    (["HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"], 403),
    (["HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>", "</html>"], 404),
  ]

  @Test(arguments: refusals)
  func `A refusal that is none of the server's ends a stream too`(
    answer: [String], status: Int
  ) async throws {
    network.answer(with: [answer])
    var events = rowhouse.events().makeAsyncIterator()
    let error = await #expect(throws: RowhouseError.self) { _ = try await events.next() }
    guard case .unreadable(status, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await events.next() == nil)
  }

  @Test func `A problem is read whole, in however many pieces it comes`() async throws {
    let problem = #"{"type": "/problems/role_forbids", "title": "No", "status": 403, "#
    network.answer(with: [
      [
        "HTTP/1.1 403 Forbidden\r\nContent-Type: application/problem+json\r\n\r\n", problem,
        #""code": "role_forbids"}"#,
      ]
    ])
    var events = rowhouse.events().makeAsyncIterator()
    let error = await #expect(throws: RowhouseError.self) { _ = try await events.next() }
    #expect(error?.code == .roleForbids)
  }

  @Test func `What passes is waited for`() async throws {
    let last = try await makeItems(2)
    network.answer(with: [
      ["HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>Welcome to our network</html>"],
      ["HTTP/1.1 502 Bad Gateway\r\n\r\n<html>"],
      ["HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n"],
      [],
      [Self.head],
    ])
    var events = rowhouse.events(since: 0).makeAsyncIterator()
    try await read(&events, from: 0, to: last)
    #expect(network.answered.count == 5)
  }

  @Test func `A reader that is slow loses the connection and nothing else`() async throws {
    let first = try await server.rowhouse.list().revision
    var stream = rowhouse.events(since: first)
    stream.limit = 2_000
    var events = stream.makeAsyncIterator()
    let second = try await makeItems(1)
    try await read(&events, from: first, to: second)
    #expect(network.connectionCount == 1)
    let last = try await makeItems(20)
    try await eventually { network.connectionCount == 0 }
    try await read(&events, from: second, to: last)
  }

  @Test func `Streams that end just as their readers leave end nothing else`() async throws {
    let caller = server.rowhouse
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            let nowhere = Rowhouse.List.ID(rawValue: UUID().uuidString)
            var events = caller.events(of: nowhere).makeAsyncIterator()
            let error = await #expect(throws: RowhouseError.self) { _ = try await events.next() }
            #expect(error?.code == .notFound)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `A stream that waits longer than calls leaves them alone`() async throws {
    let seconds = rowhouse.session.configuration.timeoutIntervalForRequest
    var events = rowhouse.events(since: 0).makeAsyncIterator()
    _ = try await makeItems(1)
    _ = try await events.next()
    #expect(rowhouse.session.configuration.timeoutIntervalForRequest == seconds)
    #expect(seconds < 60)
  }

  @Test func `A stream ends with the task that reads it`() async throws {
    let events = rowhouse.events()
    let reader = Task {
      var iterator = events.makeAsyncIterator()
      return try await iterator.next()
    }
    reader.cancel()
    #expect(try await reader.value == nil)
  }
}
