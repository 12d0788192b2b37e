import Foundation
import JSON
import Support
import Testing

@Suite("The access log")
struct LogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lines(_ path: String) -> [Substring] {
    (FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test func `without options there is a line of text on stderr for each request`() throws {
    let server = try RunningServer(database: ":memory:")
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    _ = try client.get("/v1/lists/\(list)/rows?limit=1", ["X-Request-Id": "mine"])
    try server.stop()
    let lines = server.process.errors.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map(\.count) == [8, 8])
    #expect(
      lines.map { $0[2...4] } == [
        ["POST", "/v1/lists", "201"], ["GET", "/v1/lists/{listId}/rows", "200"],
      ])
    #expect(lines.last?.last == "mine")
  }

  @Test func `no path, query, field or body is ever written`() throws {
    let log = folder.file("log")
    let server = try RunningServer(
      database: ":memory:", ["--log-format", "json", "--log", log])
    let client = try server.connect()
    _ = try client.get("/v1/resolve?path=/hidden", ["Authorization": "Bearer hidden"])
    _ = try client.get("/hidden?hidden=hidden")
    _ = try client.get("/problems/hidden")
    _ = try client.send("POST", "/v1/lists/hidden/items", ["hidden": "hidden"])
    _ = try client.send("POST", "/v1/lists", ["title": "hidden"], ["Cookie": "hidden"])
    try client.write(Array("GET /hidden%zz HTTP/1.1\r\nhidden: hidden\r\n\r\n".utf8))
    _ = try client.readAnswer()
    try server.stop()
    let lines = lines(log)
    #expect(lines.count == 6)
    for line in lines {
      #expect(!line.contains("hidden"))
      guard case .object(let object) = try JSONReader.parse(Array(line.utf8)) else {
        Issue.record("no object")
        continue
      }
      #expect(
        object.members.map(\.key) == [
          "time", "peer", "method", "route", "status", "bytes", "microseconds", "requestId",
        ])
    }
    #expect(server.process.errors.isEmpty)
  }

  @Test func `a hang-up opens the file anew, and stops nothing`() throws {
    let (log, old) = (folder.file("log"), folder.file("log.1"))
    let server = try RunningServer(database: ":memory:", ["--log", log])
    let client = try server.connect()
    _ = try client.get("/healthz")
    _ = try poll("the first line") { lines(log).isEmpty ? nil : true }
    try FileManager.default.moveItem(atPath: log, toPath: old)
    server.process.signal(SIGHUP)
    _ = try poll("the new file") { FileManager.default.fileExists(atPath: log) ? true : nil }
    _ = try client.get("/readyz")
    #expect(try server.stop() == .exit(0))
    #expect(lines(old).count == 1)
    #expect(lines(log).count == 1)
  }

  @Test(arguments: [
    (["--log-format", "xml"], ChildProcess.Ending.exit(64)),
    (["--log", "/nowhere/at/all"], .exit(73)),
  ])
  func `a format or a path that cannot be is told at once`(
    options: [String], ending: ChildProcess.Ending
  ) throws {
    let result = try Rowhouse.run(
      Rowhouse.executable, ["serve", "--db", ":memory:", "--listen", "127.0.0.1:0"] + options)
    #expect(result.ending == ending)
    #expect(result.errors.contains("log"))
  }
}
