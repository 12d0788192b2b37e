import Foundation
import Support
import Testing

@Suite("Slow and idle clients harm no other", .serialized)
struct HostileClientTests {
  private static let isThorough =
    ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] == "1"
  private static let slowClients = isThorough ? 500 : 100
  private static let slowSeconds = isThorough ? 12 : 3
  private static let idleClients = isThorough ? 10_000 : 2_000

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func server(_ options: String...) throws -> RunningServer {
    try RunningServer(
      database: ":memory:", ["--connections", "11000", "--log-format", "none"] + options)
  }

  /// Resident memory of a process in bytes.
  private func residentMemory(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return try #require(kilobytes) << 10
  }

  /// Reads and writes as a client would that has no part in what the others do.
  private func ask(_ client: Client) throws {
    let list = try client.makeList("Shelf")
    #expect(try client.get("/v1/lists/\(list)").status == 200)
    #expect(try client.get("/healthz").status == 200)
  }

  @Test(
    .enabled(if: Crowd.isPermitted(slowClients)),
    arguments: [
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
      "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
      "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    ])
  func `many that send a byte a second leave the others answered`(beginning: String) throws {
    // What has begun is waited for at the end, which these would not finish.
    let server = try server("--shutdown-time", "500ms")
    let client = try server.connect()
    try ask(client)
    let crowd = try Crowd(Self.slowClients, port: server.port)
    #expect(crowd.send(beginning.utf8) == Self.slowClients)
    for _ in 0..<Self.slowSeconds {
      _ = crowd.send("x".utf8)
      for _ in 0..<20 {
        try ask(client)
        usleep(50_000)
      }
    }
    try ask(server.connect())
    #expect(try server.stop() == .exit(0))
  }

  @Test(.enabled(if: Crowd.isPermitted(slowClients)))
  func `those that send a byte a second are refused in the end`() throws {
    let server = try server("--header-time", "1s")
    let crowd = try Crowd(Self.slowClients, port: server.port)
    #expect(crowd.send("GET / HTTP/1.1\r\nX: ".utf8) == Self.slowClients)
    for _ in 0..<3 {
      usleep(500_000)
      _ = crowd.send("x".utf8)
    }
    #expect(crowd.answers(408) == Self.slowClients)
  }

  @Test(.enabled(if: Crowd.isPermitted(idleClients)))
  func `idle connections take little memory, and the others are answered`() throws {
    // Longer than it takes to ask them all.
    let server = try server("--idle-time", "3600s")
    let client = try server.connect()
    try ask(client)
    let before = try residentMemory(of: server.process.pid)
    let crowd = try Crowd(Self.idleClients, port: server.port)
    #expect(
      crowd.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) == Self.idleClients)
    #expect(crowd.answers(200) == Self.idleClients)
    try ask(client)
    try ask(server.connect())
    // At most 60 MB for 10,000, and some for what the server has by then not asked for before.
    let growth = try residentMemory(of: server.process.pid) - before
    #expect(growth < Self.idleClients * 6_000 + 8_000_000, "\(growth) bytes")
    // They are all there still.
    #expect(
      crowd.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) == Self.idleClients)
    #expect(crowd.answers(200) == Self.idleClients)
  }
}
