import Foundation
import JSON
import Support
import Testing

@Suite("A token stays between its holder and the server")
struct TokenSecrecyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeToken() throws -> String {
    let result = try Rowhouse.run(
      "token", "create", "--create", "--name", "Sam", "--role", "owner", "--db",
      folder.database)
    try #require(result.ending == .exit(0))
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// Requests as sent, with TOKEN in the place of the client's token.
  static let requests = [
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: TOKEN\r\n\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic TOKEN\r\n\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN0\r\n\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN TOKEN\r\n\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nAuthorization: x\r\n\r\n",
    "GET /v1/me?token=TOKEN HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /healthz?access_token=TOKEN HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /healthz?TOKEN HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /healthz?TOKEN=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n",
    "GET /TOKEN HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /problems/TOKEN HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /v1/lists/TOKEN/rows HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TOKEN /v1/lists HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: TOKEN\r\n\r\n",
    "GET http://TOKEN@localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: TOKEN\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: Bearer:TOKEN\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\ntraceparent: TOKEN\r\nCookie: TOKEN\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nTOKEN: x\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nTOKEN\r\n\r\n",
    "GET /healthz HTTP/TOKEN\r\n\r\n",
    "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nOrigin: TOKEN\r\n\r\n",
    "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nOrigin: http://TOKEN\r\n\r\n",
    "GET /v1/lists HTTP/1.1\r\nHost: localhost\r\nRowhouse-Inventory: TOKEN\r\nAuthorization: Bearer TOKEN\r\n\r\n",
    "GET /v1/lists?limit=TOKEN HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n",
    "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Type: TOKEN\r\nContent-Length: 2\r\n\r\n{}",
    "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nIdempotency-Key: TOKEN\r\nIf-Match: TOKEN\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 106\r\n\r\n{\"TOKEN\":1}",
    "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 106\r\n\r\n{\"TOKEN\" 1}",
  ]

  @Test(arguments: ["text", "json"])
  func `no answer and no line of the log repeats one, wherever it was put`(format: String) throws {
    let token = try makeToken()
    let log = folder.file("log")
    let server = try RunningServer(
      database: folder.database, ["--log-format", format, "--log", log])
    // Any stretch of the secret would tell too much.
    let secret = token.suffix(64)
    let stretches = stride(from: 0, to: 48, by: 8).map { String(secret.dropFirst($0).prefix(16)) }
    var statuses: [Int] = []
    for request in Self.requests {
      let client = try server.connect()
      try client.write(Array(request.replacing("TOKEN", with: token).utf8))
      let answer = try client.readAnswer()
      statuses.append(answer.status)
      let text =
        answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        + String(decoding: answer.body, as: UTF8.self)
      for stretch in stretches {
        #expect(!text.lowercased().contains(stretch), "\(request)")
      }
    }
    try server.stop()
    #expect(statuses.first == 200)
    #expect(statuses.count { $0 >= 400 } > 20)
    let lines = try String(contentsOfFile: log, encoding: .utf8)
    let requests = lines.split(separator: "\n").count {
      $0.contains(" request ") || $0.contains(#""event":"request""#)
    }
    #expect(requests == Self.requests.count)
    for text in [lines, server.process.output, server.process.errors] {
      for stretch in stretches { #expect(!text.lowercased().contains(stretch)) }
      #expect(!text.contains("rh_"))
    }
  }

  @Test func `in a query it is refused, because queries end up in histories and logs`() throws {
    let token = try makeToken()
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    for name in ["token", "access_token", "authorization"] {
      #expect(try client.get("/v1/me?\(name)=\(token)").status == 401)
      let both = try client.get("/v1/me?\(name)=\(token)", ["Authorization": "Bearer \(token)"])
      #expect(both.status == 422)
    }
  }

  @Test func `what is kept is for its owner's eyes, whatever the umask`() throws {
    let server = try ChildProcess(
      "/bin/bash",
      ["-c", "umask 000 && exec \"$0\" \"$@\"", Rowhouse.executable, "serve"]
        + ["--db", folder.database, "--listen", "127.0.0.1:0"])
    let client = try Client(port: try RunningServer.waitForPort(of: server))
    #expect(try client.send("POST", "/v1/lists", ["title": "x"]).status == 201)
    for suffix in ["", "-wal", "-shm", ".lock", ".socket"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.database + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
    server.signal(SIGTERM)
    #expect(try server.waitForEnd() == .exit(0))
  }

  @Test func `the database holds no secret`() throws {
    let token = try makeToken()
    let secret = token.suffix(64)
    let bytes = (0..<32).map { number in
      UInt8(secret.dropFirst(2 * number).prefix(2), radix: 16) ?? 0
    }
    let file = try #require(FileManager.default.contents(atPath: folder.database))
    #expect(file.firstRange(of: Data(bytes)) == nil)
    #expect(file.firstRange(of: Data(secret.utf8)) == nil)
  }
}
