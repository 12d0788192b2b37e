import Foundation
import JSON
import Support
import Testing

@Suite("The log")
struct LogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lines(_ path: String) -> [Substring] {
    (FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test
  func
    `without options there is a line of text on stderr for each request, and when it starts and stops`()
    throws
  {
    let server = try RunningServer(database: ":memory:")
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    _ = try client.get("/v1/lists/\(list)/rows?limit=1", ["X-Request-Id": "mine"])
    try server.stop()
    let lines = server.process.errors.split(separator: "\n").map { $0.split(separator: " ") }
    let requests = lines.filter { $0[2] == "request" }
    #expect(requests.map(\.count) == [12, 12])
    #expect(
      requests.map { $0[4...6] } == [
        ["POST", "/v1/lists", "201"], ["GET", "/v1/lists/{listId}/rows", "200"],
      ])
    #expect(requests.last?[9] == "mine")
    let messages = lines.filter { $0[2] != "request" }.map {
      $0.dropFirst().joined(separator: " ")
    }
    #expect(messages.count == 3)
    #expect(messages.first?.hasPrefix("info server Rowhouse 1.") == true)
    #expect(messages.first?.hasSuffix(" on 127.0.0.1:\(server.port).") == true)
    #expect(
      messages.suffix(2) == [
        "info server SIGTERM: finishing running requests.", "info server Stopped.",
      ])
  }

  private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func `no path, query, field or body is ever written, and of a token its id`() throws {
    let log = folder.file("log")
    let made = try Rowhouse.run(
      "token", "create", "--create", "--name", "hidden", "--db", folder.database)
    let token = made.output.trimmingCharacters(in: .newlines)
    let id = try #require(
      try Rowhouse.run("token", "list", "--db", folder.database).output.split(separator: "\t").first
    )
    let server = try RunningServer(
      database: folder.database, ["--log-format", "json", "--log", log])
    let client = try server.connect()
    let bearer = ["Authorization": "Bearer \(token)"]
    _ = try client.get("/v1/resolve?path=/hidden", ["Authorization": "Bearer hidden"])
    _ = try client.get("/hidden?hidden=hidden", ["Authorization": "Bearer \(token)hidden"])
    _ = try client.get("/problems/hidden")
    _ = try client.send(
      "POST", "/v1/lists/root/items", ["hidden": "hidden"],
      bearer.merging(["traceparent": Self.trace]) { given, _ in given })
    _ = try client.send(
      "POST", "/v1/lists", ["title": "hidden"],
      bearer.merging(["Cookie": "hidden", "traceparent": "hidden"]) { given, _ in given })
    try client.write(Array("GET /hidden%zz HTTP/1.1\r\nhidden: hidden\r\n\r\n".utf8))
    _ = try client.readAnswer()
    try server.stop()
    var requests: [JSONObject] = []
    for line in lines(log) {
      #expect(!line.contains("hidden"))
      #expect(!line.contains(token.suffix(64)))
      guard case .object(let object) = try JSONReader.parse(Array(line.utf8)) else {
        Issue.record("no object")
        continue
      }
      if object["event"] == "request" {
        #expect(object["level"] == "info")
        #expect(
          object.members.map(\.key) == [
            "time", "level", "event", "peer", "method", "route", "status", "bytes", "microseconds",
            "requestId", "token", "traceparent",
          ])
        requests.append(object)
      } else {
        #expect(object.members.map(\.key) == ["time", "level", "event", "message"])
      }
    }
    let known = JSONValue.string(String(id))
    #expect(requests.map { $0["token"] } == [.null, .null, .null, known, known, .null])
    #expect(requests[3]["traceparent"] == .string(Self.trace))
    #expect(requests[4]["traceparent"] == .null)
    #expect(server.process.errors.isEmpty)
  }

  @Test(arguments: [
    ("debug", ["debug", "info", "warning"], 1), ("info", ["info", "warning"], 1),
    ("warning", ["warning"], 0), ("error", [], 0),
  ])
  func `lines below the level are left out`(
    level: String, present: [String], requests: Int
  ) throws {
    let log = folder.file("log")
    let server = try RunningServer(
      database: folder.database, ["--log-level", level, "--log", log],
      environment: ["ROWHOUSE_LITSEN": "x"])
    _ = try server.connect().get("/healthz")
    try server.stop()
    let words = lines(log).map { $0.split(separator: " ", maxSplits: 3).map(String.init) }
    #expect(Set(words.map { $0[1] }) == Set(present))
    #expect(words.count { $0[2] == "request" } == requests)
    let settings = words.filter { $0[1] == "debug" }.map { $0[3] }
    #expect(settings.contains("log-level = debug (command line)") == (level == "debug"))
    #expect(server.process.errors.isEmpty)
  }

  @Test func `a path with a line's end in it stays on one line`() throws {
    let database = folder.file("a\n2026-01-01T00:00:00.000Z error server lies.sqlite")
    let log = folder.file("log")
    let server = try RunningServer(database: database, ["--log", log])
    try server.stop()
    #expect(lines(log).count == 3)
    #expect(lines(log).allSatisfy { $0.split(separator: " ")[1] == "info" })
  }

  @Test func `SIGHUP reopens the file, and stops nothing`() throws {
    let (log, old) = (folder.file("log"), folder.file("log.1"))
    let server = try RunningServer(database: ":memory:", ["--log", log])
    let client = try server.connect()
    _ = try client.get("/healthz")
    _ = try poll("the request's line") {
      lines(log).contains { $0.contains("/healthz") } ? true : nil
    }
    try FileManager.default.moveItem(atPath: log, toPath: old)
    server.process.signal(SIGHUP)
    _ = try poll("the new file") { FileManager.default.fileExists(atPath: log) ? true : nil }
    _ = try client.get("/readyz")
    #expect(try server.stop() == .exit(0))
    func routes(_ path: String) -> [Substring] {
      lines(path).map { $0.split(separator: " ") }.filter { $0[2] == "request" }.map { $0[5] }
    }
    #expect(routes(old) == ["/healthz"])
    #expect(routes(log) == ["/readyz"])
  }

  @Test(arguments: [
    (["--log-format", "xml"], ChildProcess.Ending.exit(64)),
    (["--log-level", "loud"], .exit(64)), (["--log", "/nowhere/at/all"], .exit(73)),
  ])
  func `an invalid format or path is reported at the start`(
    options: [String], ending: ChildProcess.Ending
  ) throws {
    let result = try Rowhouse.run(
      Rowhouse.executable, ["serve", "--db", ":memory:", "--listen", "127.0.0.1:0"] + options)
    #expect(result.ending == ending)
    #expect(result.errors.contains("log"))
  }
}
