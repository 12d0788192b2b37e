import Foundation
import Support
import Testing

@Suite("Tokens, on the command line and over the wire")
struct TokenTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func rowhouse(_ arguments: String...) throws -> Rowhouse.Result {
    try Rowhouse.run(Rowhouse.executable, arguments + ["--db", folder.database])
  }

  private func makeToken(_ name: String, _ role: String) throws -> String {
    let result = try rowhouse("token", "create", "--create", "--name", name, "--role", role)
    try #require(result.ending == .exit(0))
    return result.output.trimmingCharacters(in: .newlines)
  }

  @Test(arguments: [false, true])
  func `the command line makes, lists and revokes tokens, with a server running or not`(
    isRunning: Bool
  ) throws {
    let server = isRunning ? try RunningServer(database: folder.database) : nil
    let token = try makeToken("Sam", "owner")
    #expect(token.hasPrefix("rh_"))
    let list = try rowhouse("token", "list").output
    let columns = list.trimmingCharacters(in: .newlines).split(separator: "\t").map(String.init)
    try #require(columns.count == 5)
    #expect([columns[1], columns[3], columns[4]] == ["owner", "all lists", "Sam"])
    #expect(!list.contains(token.suffix(64)))

    let live = try server ?? RunningServer(database: folder.database)
    #expect(try live.connect().get("/v1/lists").status == 401)
    let client = try live.connect()
    let me = try client.get("/v1/me", ["Authorization": "Bearer \(token)"])
    #expect(me.status == 200)
    #expect(me.at("/name")?.text == "Sam")

    let revoked = try rowhouse("token", "revoke", "--id", columns[0])
    #expect(revoked.ending == .exit(0))
    #expect(try rowhouse("token", "list").output.isEmpty)
    #expect(
      try client.get("/v1/me", ["Authorization": "Bearer \(token)"]).status == 401)
    #expect(try rowhouse("token", "revoke", "--id", columns[0]).ending == .exit(65))
    #expect(try rowhouse("token", "create", "--name", "x", "--role", "king").ending == .exit(64))
    #expect(try rowhouse("token", "create").ending == .exit(64))
  }

  @Test(arguments: [
    (["--name", String(repeating: "x", count: 201)], "--name: Enter 1 to 200 characters"),
    (["--name", "Kim", "--list", "Groceries"], "--list: Send a list's id"),
  ])
  func `an invalid option of a token is named`(
    options: [String], complaint: String
  ) throws {
    let result = try Rowhouse.run(
      Rowhouse.executable, ["token", "create", "--create", "--db", folder.database] + options)
    #expect(result.ending == .exit(64))
    #expect(result.errors.hasPrefix("error: \(complaint)"))
    #expect(result.output.isEmpty)
  }

  @Test func `a name cannot hide a token from the list by controlling the terminal`() throws {
    let name = "Kim\u{9B}1A\u{9B}2K\u{202E}"
    let token = try makeToken(name, "reader")
    let list = try rowhouse("token", "list").output
    #expect(list.hasSuffix("\tKim\\u{009B}1A\\u{009B}2K\\u{202E}\n"))

    let server = try RunningServer(database: folder.database)
    let me = try server.connect().get("/v1/me", ["Authorization": "Bearer \(token)"])
    #expect(me.at("/name")?.text == name)
  }

  @Test func `with a token it listens beyond loopback, and every request needs one`() throws {
    let token = try makeToken("Sam", "reader")
    let process = try ChildProcess(
      Rowhouse.executable,
      ["serve", "--db", folder.database, "--listen", "127.0.0.1:0", "--listen", "0.0.0.0:0"])
    let port = try RunningServer.waitForPort(of: process)
    let client = try Client(port: port)
    #expect(try client.get("/v1/lists").status == 401)
    let id = try #require(
      try rowhouse("token", "list").output.split(separator: "\t").first.map(String.init))
    _ = try rowhouse("token", "revoke", "--id", id)
    #expect(try client.get("/v1/lists").status == 401)
    #expect(
      try client.get("/v1/me", ["Authorization": "Bearer \(token)"]).status == 401)
    process.signal(SIGTERM)
    #expect(try process.waitForEnd() == .exit(0))
  }

  @Test func `the socket beside the database is its owner's alone, and goes with the server`()
    throws
  {
    let server = try RunningServer(database: folder.database)
    let path = folder.database + ".socket"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    try server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a command whose server ends without an answer says that the outcome is unknown`()
    throws
  {
    _ = try makeToken("Sam", "owner")
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: (folder.database + ".socket").utf8)
    }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 1) == 0)
    Thread.detachNewThread {
      let client = accept(listener, nil, nil)
      var request = [UInt8](repeating: 0, count: 4_096)
      _ = read(client, &request, request.count)
      close(client)
    }
    let result = try Rowhouse.run(
      "token", "create", "--db", folder.database, "--name", "Kim")
    #expect(result.ending == .exit(74))
    #expect(result.errors.contains("unknown whether the change was made"))
  }

  @Test func `tokens are in no line of the log`() throws {
    let token = try makeToken("Sam", "owner")
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    for value in ["Bearer \(token)", "Bearer \(token.dropLast())0"] {
      _ = try client.get("/v1/me", ["Authorization": value])
    }
    try server.stop()
    #expect(server.process.errors.contains("/v1/me"))
    #expect(!server.process.errors.contains(token.suffix(60).dropLast(2)))
  }

  @Test func `an administrator makes inventories that do not know of each other`() throws {
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let made = try client.send("POST", "/v1/inventories", ["title": "Second home"])
    #expect(made.status == 201)
    let id = try #require(made.at("/id")?.text)
    let there = ["Rowhouse-Inventory": id]
    #expect(
      try client.get("/v1/lists/root", there).at("/title")?.text == "Second home")
    let list = try client.send("POST", "/v1/lists", ["title": "Attic"], there)
    #expect(list.status == 201)
    let path = try #require(list["location"])
    #expect(try client.get(path).status == 404)
    #expect(try client.get(path, there).status == 200)
    #expect(try client.get("/v1/inventories").at("/count")?.number == 2)
    try server.stop()
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }
}
