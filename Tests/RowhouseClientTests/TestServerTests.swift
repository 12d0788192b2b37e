import Foundation
import RowhouseClient
import RowhouseTesting
import Support
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TestServerTests {
  @Test func `The same calls get the same answers in each run`() async throws {
    func run() async throws -> [Data] {
      let server = try makeServer()
      defer { server.stop() }
      let list = try await server.rowhouse.createList(ListDraft(title: "Garage"))
      let item = try await server.rowhouse.createItem(
        ItemDraft(name: "Saw"), in: list.resource.id)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return [
        try encoder.encode(list.resource), try encoder.encode(list.receipt),
        try encoder.encode(item.resource), try encoder.encode(item.receipt),
        try encoder.encode(try await server.rowhouse.rows()),
      ]
    }
    let first = try await run()
    #expect(try await run() == first)
  }

  @Test func `Whole answers are the same in each run, made-up items and tokens too`() async throws {
    func run() async throws -> [String] {
      let server = try makeServer()
      defer { server.stop() }
      var token = ""
      var answers: [String] = []
      for (path, body) in [
        ("v1/lists/root/items/random", "{}"), ("v1/lists/root/items/random", "{}"),
        ("v1/tokens", #"{"name": "App", "role": "admin"}"#), ("v1/lists/root/items/random", "{}"),
      ] {
        var request = URLRequest(url: server.url.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if !token.isEmpty {
          request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.statusCode == 201)
        let text = String(decoding: data, as: UTF8.self)
        if path == "v1/tokens" {
          token = try #require(text.firstMatch(of: /rh_[0-9a-f_]+/)).output.description
        }
        let fields = http.allHeaderFields.map { "\($0): \($1)" }.sorted()
        #expect(http.value(forHTTPHeaderField: "Date") == "Thu, 01 Jan 2026 00:00:00 GMT")
        let id = try #require(http.value(forHTTPHeaderField: "X-Request-Id"))
        #expect(id == id.lowercased())
        answers.append((fields + [text]).joined(separator: "\n"))
      }
      return answers
    }
    let first = try await run()
    #expect(try await run() == first)
    #expect(Set(first).count == first.count)
  }

  @Test func `A token that the tests have made does not lock them out`() async throws {
    let server = try makeServer()
    try await server.rowhouse.createItem(ItemDraft(name: "Saw"))
    _ = try await server.rowhouse.createToken(for: "App", role: .reader)
    let refusal = await #expect(throws: RowhouseError.self) { try await server.rowhouse.rows() }
    #expect(refusal?.code == .unauthenticated)
    try await server.snapshot("locked")
    try await server.reset()
    #expect(try await server.rowhouse.rows().count == 0)
    try await server.restore("locked")
    let again = await #expect(throws: RowhouseError.self) { try await server.rowhouse.rows() }
    #expect(again?.code == .unauthenticated)
    try await server.reset()
    #expect(try await server.rowhouse.rows().count == 0)
  }

  @Test func `The clock stands still`() async throws {
    let server = try makeServer("--clock", "2001-02-03T04:05:06Z")
    let item = try await server.rowhouse.createItem(ItemDraft(name: "Saw")).resource
    #expect(item.createdAt == Date(timeIntervalSince1970: 981_173_106))
  }

  @Test func `A reset brings back the start, ids and all`() async throws {
    let server = try makeServer()
    let rowhouse = server.rowhouse
    let start = try await rowhouse.list()
    let first = try await rowhouse.createItem(ItemDraft(name: "Saw"))
    _ = try await rowhouse.rows()
    try await server.reset()
    #expect(try await rowhouse.list() == start)
    #expect(try await rowhouse.rows().rows.map(\.title) == ["No more items!"])
    let again = try await rowhouse.createItem(ItemDraft(name: "Axe"))
    #expect(again.resource.id == first.resource.id)
    // The same list at the same revision shows other rows now.
    #expect(try await rowhouse.rows().rows.map(\.title) == ["Axe", "No more items!"])
    #expect(try await rowhouse.search("Saw").count == 0)
    #expect(try await rowhouse.search("Axe").count == 1)
  }

  @Test func `Snapshots are kept by name`() async throws {
    let server = try makeServer()
    let rowhouse = server.rowhouse
    try await rowhouse.createItem(ItemDraft(name: "One"))
    try await server.snapshot("one")
    try await rowhouse.createItem(ItemDraft(name: "Two"))
    try await server.snapshot("two")
    try await server.restore("one")
    #expect(try await rowhouse.rows().rows.map(\.title) == ["One", "No more items!"])
    try await server.restore("two")
    #expect(try await rowhouse.rows().rows.map(\.title) == ["One", "Two", "No more items!"])
    let missing = await #expect(throws: RowhouseError.self) { try await server.restore("three") }
    #expect(missing?.code == .notFound)
    let bad = await #expect(throws: RowhouseError.self) { try await server.snapshot("a/b") }
    #expect(bad?.code == .invalid)
  }

  @Test func `Tokens go with the state that they were made in`() async throws {
    let server = try makeServer()
    let made = try await server.rowhouse.createToken(for: "App", role: .admin)
    let app = Rowhouse(at: server.url, token: made.token)
    try await app.resetForTests()
    #expect(try await server.rowhouse.rows().count == 0)
    let refusal = await #expect(throws: RowhouseError.self) { try await app.me() }
    #expect(refusal?.code == .unauthenticated)
  }

  @Test func `A server ends with the process that started it`() throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFD, 0)
    let process = try ChildProcess(
      "/bin/bash",
      [
        "-c", "exec \"$0\" \"$@\" <&\(ends[0])", executable.path, "serve", "--db", ":memory:",
        "--listen", "127.0.0.1:0", "--print-url", "--end-with-stdin", "--log-format", "none",
      ], handedDown: ends[0])
    close(ends[0])
    _ = try poll("its URL") { process.output.wholeLine ?? process.endingIfAny().map { "\($0)" } }
    #expect(process.endingIfAny() == nil)
    // What the system does for one that crashes.
    close(ends[1])
    #expect(try process.waitForEnd() == .exit(0))
  }

  @Test func `A program that never serves is ended`() throws {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: script) }
    // Not written by this process: whatever it is just starting elsewhere has its descriptors for a moment, and what
    // somebody may write to is not run (ETXTBSY, execve(2)).
    let writer = try ChildProcess(
      "/bin/sh",
      ["-c", #"printf '#!/bin/sh\nexec sleep 600\n' > "$0" && chmod 700 "$0""#, script.path])
    try #require(try writer.waitForEnd() == .exit(0))
    let failure = #expect(throws: RowhouseTestServer.Failure.self) {
      _ = try RowhouseTestServer(executable: script, within: .milliseconds(200))
    }
    guard case .tookTooLong = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `A program that ends before it serves is reported with its status`() throws {
    let failure = #expect(throws: RowhouseTestServer.Failure.self) {
      _ = try makeServer("--nonsense")
    }
    guard case .didNotStart(status: 64) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `A missing program is reported`() {
    let nowhere = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    #expect(throws: (any Error).self) { _ = try RowhouseTestServer(executable: nowhere) }
  }

  @Test(arguments: [["--test-mode"], ["--ids", "sequential"]])
  func `A database that stays is refused`(arguments: [String]) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let process = try ChildProcess(
      executable.path, ["serve", "--db", path, "--listen", "127.0.0.1:0"] + arguments)
    #expect(try process.waitForEnd() == .exit(64))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A lost answer does nothing twice`() async throws {
    let server = try makeServer()
    try await server.fail(FaultRule(.loseAnswer, method: "POST", nth: 1))
    try await server.rowhouse.createItem(ItemDraft(name: "Bicycle"))
    #expect(try await server.rowhouse.rows().count == 1)
    let rule = try #require(try await server.rowhouse.faults().first)
    #expect(rule.effect == .loseAnswer)
    #expect(rule.matched == 2)
    #expect(rule.hits == 1)
    let requests = try await server.rowhouse.recordedRequests()
    #expect(requests.prefix(2).map(\.effect) == [.loseAnswer, nil])
    #expect(requests.prefix(2).map(\.status) == [201, 201])
    try await server.rowhouse.forgetRequests()
    #expect(try await server.rowhouse.recordedRequests().isEmpty)
    try await server.reset()
    #expect(try await server.rowhouse.faults().isEmpty)
  }

  @Test func `A refusal, a delay and a share of a list's requests`() async throws {
    let server = try makeServer()
    let list = try await server.rowhouse.createList(ListDraft(title: "Garage")).resource.id
    try await server.fail(
      FaultRule(.refuse, listID: list, share: 1, delay: 5, status: 404), seed: 3)
    let refusal = await #expect(throws: RowhouseError.self) {
      try await server.rowhouse.rows(of: list)
    }
    #expect(refusal?.code == .notFound)
    #expect(try await server.rowhouse.rows().count == 1)
    try await server.fail()
    #expect(try await server.rowhouse.rows(of: list).count == 0)
  }

  @Test func `The clock goes on as it is told`() async throws {
    let server = try makeServer()
    let item = try await server.rowhouse.createItem(ItemDraft(name: "Saw")).resource
    try await server.rowhouse.delete(Row.ID(item.id))
    #expect(try await server.rowhouse.trash().count == 1)
    try await server.rowhouse.advanceClock(seconds: 31 * 86_400)
    #expect(try await server.rowhouse.trash().count == 0)
    let time = Date(timeIntervalSince1970: 2_000_000_000)
    try await server.rowhouse.setClock(to: time)
    #expect(try await server.rowhouse.createItem(ItemDraft(name: "Axe")).resource.createdAt == time)
  }

  @Test func `A server begins with the contents that it is given`() async throws {
    let server = try RowhouseTestServer(executable: executable, seed: "demo")
    #expect(
      try await server.rowhouse.rows().rows.map(\.title) == ["Home", "Garage", "No more items!"])
  }

  @Test func `A token expires`() async throws {
    let server = try makeServer()
    let time = Date(timeIntervalSince1970: 4_000_000_000)
    let made = try await server.rowhouse.createToken(for: "App", role: .admin, expiresAt: time)
    #expect(made.expiresAt == time)
    #expect(made.lastUsedAt == nil)
    let app = Rowhouse(at: server.url, token: made.token)
    #expect(try await app.tokens().first?.lastUsedAt != nil)
    try await app.setClock(to: time)
    let refusal = await #expect(throws: RowhouseError.self) { try await app.me() }
    #expect(refusal?.code == .unauthenticated)
  }

  @Test func `Only test mode has these calls`() async throws {
    let server = try makeServer("--test-mode=no")
    let refusal = await #expect(throws: RowhouseError.self) { try await server.reset() }
    #expect(refusal?.code == .notFound)
  }
}
