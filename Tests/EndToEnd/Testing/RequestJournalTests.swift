import Foundation
import JSON
import Support
import Testing

@Suite("A server in test mode tells what it was asked")
struct RequestJournalTests {
  private let server: RunningServer
  private let client: Client

  init() throws {
    server = try RunningServer(database: ":memory:", ["--test-mode"])
    client = try server.connect()
  }

  private func requests() throws -> [JSONValue] {
    try client.get("/v1/test/requests").at("/requests")?.elements ?? []
  }

  @Test func `method, path, status and body, oldest first`() throws {
    _ = try client.get("/v1/lists?subtree=true")
    _ = try client.send("POST", "/v1/lists/root/items", ["name": "Säge"])
    _ = try client.get("/v1/nowhere")
    let asked = try requests()
    #expect(asked.map { $0["method"]?.text } == ["GET", "POST", "GET"])
    #expect(
      asked.map { $0["path"]?.text }
        == ["/v1/lists?subtree=true", "/v1/lists/root/items", "/v1/nowhere"])
    #expect(asked.map { $0["status"]?.number } == [200, 201, 404])
    #expect(asked.map { $0["body"]?.text } == [nil, #"{"name":"Säge"}"#, nil])
    #expect(asked.map { $0["bodySize"]?.number } == [0, 16, 0])
  }

  @Test func `until they are deleted`() throws {
    _ = try client.get("/v1/me")
    #expect(try client.send("DELETE", "/v1/test/requests").status == 204)
    #expect(try requests().isEmpty)
    _ = try client.get("/v1/about")
    #expect(try requests().map { $0["path"]?.text } == ["/v1/about"])
    // A reset is no deletion.
    _ = try client.send("POST", "/v1/test/reset")
    #expect(try requests().count == 1)
  }

  @Test func `the oldest ones are dropped, and counted`() throws {
    for number in 0..<1_100 { _ = try client.get("/v1/me?\(number)") }
    let answer = try client.get("/v1/test/requests")
    #expect(answer.number("/count") == 1_000)
    #expect(answer.number("/dropped") == 100)
    #expect(answer.text("/requests/0/path") == "/v1/me?100")
  }

  @Test func `the bytes are bounded, too`() throws {
    let notes = String(repeating: "ä", count: 20_000)
    for _ in 0..<400 {
      _ = try client.send("POST", "/v1/lists/root/items", ["name": "a", "notes": .string(notes)])
    }
    let answer = try client.get("/v1/test/requests")
    #expect(try #require(answer.number("/dropped")) > 100)
    #expect(answer.body.count < 3 << 20)
    let last = try #require(answer.at("/requests")?.elements.last)
    #expect(try #require(last["bodySize"]?.number) > 40_000)
    #expect((8_180...8_192).contains(try #require(last["body"]?.text).utf8.count))
  }

  @Test func `streamed bodies are noted, binary ones by their size alone`() throws {
    let item = try client.makeThing("Saw", in: "root")
    _ = try client.send(
      "POST", "/v1/items/\(item)/photos", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0x80],
      type: "image/jpeg")
    _ = try client.send("POST", "/v1/import", bytes: Array("{}".utf8), type: "application/x-ndjson")
    let asked = try requests().dropFirst()
    #expect(asked.map { $0["bodySize"]?.number } == [5, 2])
    #expect(asked.map { $0["body"]?.text } == [nil, "{}"])
  }

  @Test func `no token is among it`() throws {
    let made = try client.send("POST", "/v1/tokens", ["name": "App", "role": "admin"])
    let token = try #require(made.text("/token"))
    let bearer = ["Authorization": "Bearer \(token)"]
    let encoded = token.replacingOccurrences(of: "_", with: "%5F")
    _ = try client.get("/v1/search?q=\(token)", bearer)
    _ = try client.get("/v1/search?q=\(encoded)", bearer)
    _ = try client.get("/v1/lists/\(token)/rows", bearer)
    _ = try client.send("POST", "/v1/lists/root/items", ["name": .string(token)], bearer)
    let answer = try client.get("/v1/test/requests")
    #expect(answer.number("/count") == 5)
    let secret = try #require(token.split(separator: "_").last)
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(!text.contains(secret))
    #expect(!text.lowercased().contains("bearer"))
  }
}
