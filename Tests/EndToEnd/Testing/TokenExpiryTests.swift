import Foundation
import JSON
import SQL
import Support
import Testing

@Suite("Tokens expire, and tell when they were last used")
struct TokenExpiryTests {
  private let server: RunningServer
  private let client: Client
  private static let start = "2026-01-01T00:00:00Z"

  init() throws {
    server = try RunningServer(
      database: ":memory:", ["--test-mode", "--clock", "fixed", "--ids", "sequential"])
    client = try server.connect()
  }

  private func makeToken(
    _ name: String, until expiry: String? = nil, role: String = "owner",
    as bearer: [String: String] = [:]
  ) throws -> Answer {
    var body = JSONObject([("name", .string(name)), ("role", .string(role))])
    if let expiry { body.set("expiresAt", to: .string(expiry)) }
    return try client.send("POST", "/v1/tokens", .object(body), bearer)
  }

  private func bearer(_ answer: Answer) throws -> [String: String] {
    ["Authorization": "Bearer \(try #require(answer.text("/token")))"]
  }

  private func advance(_ seconds: Int) throws {
    #expect(
      try client.send("POST", "/v1/test/clock", ["advance": JSONValue(seconds)]).status == 200)
  }

  @Test func `an expired token is refused like a revoked one`() throws {
    let admin = try bearer(try makeToken("Admin", role: "admin"))
    let made = try makeToken("Guest", until: "2026-01-01T01:00:00+00:30", as: admin)
    #expect(made.text("/expiresAt") == "2026-01-01T00:30:00Z")
    let guest = try bearer(made)
    try advance(1_799)
    #expect(try client.get("/v1/me", guest).status == 200)
    let stream = try server.connect()
    try stream.write(
      Array(
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(guest["Authorization"] ?? "")\r\n\r\n"
          .utf8))
    #expect(try stream.readAnswer().status == 200)
    try advance(1)
    let refused = try client.get("/v1/me", guest)
    #expect(refused.status == 401)
    #expect(refused["www-authenticate"]?.contains("invalid_token") == true)
    #expect(
      refused.text("/detail") == "The token is unknown, has expired or has been revoked.")
    #expect(
      try client.send("POST", "/v1/lists", ["title": "Late"], guest).status == 401)
    // Its event stream ends with the next change.
    _ = try client.send("POST", "/v1/lists", ["title": "Next"], admin)
    var text = ""
    while !text.contains("event: gone"), let piece = try stream.readSome() {
      text += String(decoding: piece, as: UTF8.self)
    }
    #expect(text.contains("event: gone"))
    #expect(!text.contains("Next"))
    // It is still listed, until it is revoked.
    #expect(try client.get("/v1/tokens", admin).number("/count") == 2)
  }

  @Test func `nobody makes a token that outlives the own one`() throws {
    let owner = try bearer(try makeToken("Owner", until: "2026-02-01T00:00:00Z"))
    let later = try makeToken("Later", until: "2026-02-01T00:00:01Z", as: owner)
    #expect(later.status == 422)
    #expect(later.text("/errors/0/pointer") == "/expiresAt")
    #expect(later.text("/detail")?.contains("2026-02-01T00:00:00Z") == true)
    #expect(try makeToken("Same", as: owner).text("/expiresAt") == "2026-02-01T00:00:00Z")
    #expect(
      try makeToken("Earlier", until: "2026-01-15T00:00:00Z", as: owner).status == 201)
    for past in [Self.start, "2025-12-31T23:59:59Z", "soon"] {
      #expect(try makeToken("Past", until: past, as: owner).status == 422, "\(past)")
    }
  }

  @Test func `the last use has the hour, at once`() throws {
    let made = try makeToken("Owner", role: "admin")
    #expect(made.at("/lastUsedAt") == .null)
    let owner = try bearer(made)
    let path = "/v1/tokens/\(try #require(made.text("/id")))"
    #expect(try client.get(path, owner).text("/lastUsedAt") == Self.start)
    try advance(3_599)
    #expect(try client.get(path, owner).text("/lastUsedAt") == Self.start)
    try advance(5_400)
    #expect(try client.get(path, owner).text("/lastUsedAt") == "2026-01-01T02:00:00Z")
    #expect(
      try client.get("/v1/tokens", owner).text("/tokens/0/lastUsedAt") == "2026-01-01T02:00:00Z")
    // A reset forgets it with the token, also for a new token with the same id.
    #expect(try client.send("POST", "/v1/test/reset").status == 204)
    let again = try makeToken("Owner", role: "admin")
    #expect(again.text("/id") == made.text("/id"))
    let other = try bearer(try makeToken("Other", role: "admin", as: try bearer(again)))
    #expect(try client.get(path, other).text("/lastUsedAt") == Self.start)
  }

  @Test func `a restart knows it, and the commands show it`() throws {
    let folder = try TemporaryFolder()
    let created = try Rowhouse.run(
      "token", "create", "--create", "--db", folder.database, "--name", "Sam", "--expires",
      "2100-01-01T00:00:00Z")
    #expect(created.ending == .exit(0), "\(created.errors)")
    let token = created.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let server = try RunningServer(database: folder.database)
    #expect(
      try server.connect().get("/v1/me", ["Authorization": "Bearer \(token)"]).status == 200)
    // Background work writes it.
    let db = try Connection(path: folder.database, mode: .readOnly)
    _ = try poll("the last use in the table") {
      try db.prepare("SELECT last_used_at FROM token").first { $0.int64OrNil(0) } ?? nil
    }
    try server.stop()
    let list = try Rowhouse.run("token", "list", "--db", folder.database).output
    #expect(list.contains("\tuntil 2100-01-01T00:00:00Z\tused 20"))
    let refused = try Rowhouse.run(
      "token", "create", "--db", folder.database, "--name", "Sam", "--expires", "yesterday")
    #expect(refused.ending == .exit(64))
    #expect(refused.errors.contains("--expires"))
  }
}
