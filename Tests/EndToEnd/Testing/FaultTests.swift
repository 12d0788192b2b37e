import Foundation
import JSON
import Support
import Testing

@Suite("A server in test mode fails on purpose")
struct FaultTests {
  private let server: RunningServer

  init() throws {
    server = try RunningServer(
      database: ":memory:", ["--test-mode", "--loops", "1", "--event-heartbeat", "24h"])
  }

  private func fail(_ rules: JSONValue..., seed: Int64 = 0) throws {
    let answer = try server.connect().send(
      "POST", "/v1/test/faults", ["seed": .number(JSONNumber(seed)), "rules": .array(rules)])
    try #require(answer.status == 200)
  }

  /// The counts of the rules, `matched` and `hits`.
  private func counts() throws -> [[Int?]] {
    let rules = try server.connect().get("/v1/test/faults").at("/rules")?.elements ?? []
    return rules.map { [$0["matched"]?.number, $0["hits"]?.number] }
  }

  private let saw: JSONValue = ["name": "Saw"]

  @Test func `by a problem instead of an answer, for the nth request only`() throws {
    try fail(["route": "/v1/lists/{listId}/rows", "nth": 2, "effect": "refuse", "status": 503])
    let client = try server.connect()
    #expect(try client.get("/v1/lists/root/rows").status == 200)
    let refused = try client.get("/v1/lists/root/rows")
    #expect(refused.status == 503)
    #expect(refused.text("/code") == "overloaded")
    #expect(refused["content-type"] == "application/problem+json")
    #expect(refused["retry-after"] == "1")
    #expect(try client.get("/v1/lists/root/rows").status == 200)
    #expect(try client.get("/v1/me").status == 200)
    #expect(try counts() == [[3, 1]])
  }

  @Test(arguments: [
    (401, "unauthenticated"), (404, "not_found"), (409, "path_ambiguous"),
    (422, "idempotency_key_reused"),
    (429, "overloaded"), (451, "invalid"), (500, "internal_error"), (507, "storage_full"),
    (599, "internal_error"),
  ])
  func `with any status of a failure, and a code that fits`(status: Int64, code: String) throws {
    try fail(["effect": "refuse", "status": .number(JSONNumber(status))])
    let client = try server.connect()
    let answer = try client.send("POST", "/v1/lists/root/items", saw)
    #expect(Int64(answer.status) == status)
    #expect(answer.at("/status") == .number(JSONNumber(status)))
    #expect(answer.text("/code") == code)
    // The body was read, so the connection goes on.
    #expect(try client.get("/v1/test/faults").status == 200)
  }

  @Test func `by ending the connection before anything is done`() throws {
    try fail(["method": "POST", "nth": 1, "effect": "disconnect"])
    let client = try server.connect()
    #expect(throws: Client.Fault.self) {
      try client.send("POST", "/v1/lists/root/items", saw)
    }
    #expect(try server.connect().rows(of: "root").isEmpty)
    try server.connect().makeThing("Saw", in: "root")
    #expect(try server.connect().rows(of: "root").count == 1)
  }

  @Test func `and earlier answers of the connection still come`() throws {
    try fail(["path": "/v1/me", "effect": "disconnect"])
    let client = try server.connect()
    let requests = ["/v1/about", "/v1/me", "/v1/about"].map {
      "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    }
    try client.write(Array(requests.joined().utf8))
    #expect(try client.readAnswer().status == 200)
    #expect(throws: Client.Fault.self) { try client.readAnswer() }
  }

  @Test func `by losing an answer after the commit, and a key gets it on the second try`() throws {
    try fail(["path": "/v1/lists/*/items", "nth": 1, "effect": "loseAnswer"])
    let key = ["Idempotency-Key": "k"]
    #expect(throws: Client.Fault.self) {
      try server.connect().send("POST", "/v1/lists/root/items", saw, key)
    }
    #expect(try server.connect().rows(of: "root").count == 1)
    let again = try server.connect().send("POST", "/v1/lists/root/items", saw, key)
    #expect(again.status == 201)
    #expect(again["idempotency-replayed"] == "true")
    #expect(try server.connect().rows(of: "root").count == 1)
  }

  @Test func `of several rules the first one that decides hits, and all count`() throws {
    try fail(
      ["nth": 2, "effect": "refuse", "status": 500], ["effect": "refuse", "status": 503],
      ["effect": "refuse", "status": 404])
    let client = try server.connect()
    #expect(try (0..<3).map { _ in try client.get("/v1/me").status } == [503, 500, 503])
    #expect(try counts() == [[3, 1], [3, 2], [3, 0]])
  }

  @Test(arguments: [0, 1, 20, 100_000])
  func `by an answer that is cut`(count: Int) throws {
    let client = try server.connect()
    for _ in 0..<300 { _ = try client.send("POST", "/v1/lists/root/items/random", [:]) }
    let target = "/v1/lists/root/rows?limit=1000"
    let whole = try client.get(target)
    try fail([
      "route": "/v1/lists/{listId}/rows", "effect": "cutAnswer",
      "bytes": .number(JSONNumber(Int64(count))),
    ])
    try client.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    var bytes: [UInt8] = []
    if count < whole.body.count {
      while let piece = try client.readSome() { bytes += piece }
      let end = try #require(Answer.headEnd(in: bytes))
      #expect(try Answer(head: Array(bytes[..<end]))["content-length"] == "\(whole.body.count)")
      #expect(bytes[end...].elementsEqual(whole.body.prefix(count)))
    } else {
      #expect(try client.readAnswer().body == whole.body)
    }
  }

  @Test func `an export can be cut, too`() throws {
    let client = try server.connect()
    for _ in 0..<300 { _ = try client.send("POST", "/v1/lists/root/items/random", [:]) }
    try fail(["path": "/v1/export", "effect": "cutAnswer", "bytes": 10_000])
    try client.write(Array("GET /v1/export HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    var bytes: [UInt8] = []
    while let piece = try client.readSome() { bytes += piece }
    let end = try #require(Answer.headEnd(in: bytes))
    #expect(bytes[end...].count >= 10_000)
    #expect(bytes[end...].count < 10_100)
  }

  @Test func `by answering late, while others are answered`() throws {
    try fail(["path": "/v1/me", "delay": 1_000])
    let late = try server.connect()
    try late.write(Array("GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    // The only loop goes on.
    let start = ContinuousClock.now
    for _ in 0..<10 { #expect(try server.connect().get("/v1/about").status == 200) }
    #expect(try late.readAnswer().status == 200)
    #expect(start.duration(to: .now) >= .milliseconds(900))
    #expect(try counts() == [[1, 1]])
  }

  @Test func `refusals and streamed bodies are late, too`() throws {
    try fail(["delay": 300])
    let client = try server.connect()
    let start = ContinuousClock.now
    #expect(try client.get("/v1/nowhere").status == 404)
    let line = #"{"format":"rowhouse","version":1}"#
    let imported = try client.send(
      "POST", "/v1/import", bytes: Array(line.utf8), type: "application/x-ndjson")
    #expect(imported.status != 404)
    #expect(start.duration(to: .now) >= .milliseconds(500))
  }

  @Test func `a share is decided by the seed`() throws {
    func statuses(seed: Int64) throws -> [Int] {
      try fail(["share": 0.3.json, "effect": "refuse", "status": 503], seed: seed)
      let client = try server.connect()
      return try (0..<200).map { _ in try client.get("/v1/me").status }
    }
    let first = try statuses(seed: 1)
    #expect(try statuses(seed: 1) == first)
    #expect(try statuses(seed: 2) != first)
    let refused = first.count { $0 == 503 }
    #expect((30...90).contains(refused))
    #expect(refused + first.count { $0 == 200 } == 200)
  }

  @Test(arguments: [true, false])
  func `by an event stream that ends or stalls after so many events`(stalls: Bool) throws {
    try fail([
      "path": "/v1/events", "events": 2, "effect": stalls ? "stallEvents" : "cutEvents",
    ])
    let reader = try server.connect()
    try reader.write(Array("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    var text = ""
    func read(until events: Int) throws {
      while text.components(separatedBy: "event: change\n").count - 1 < events,
        let piece = try reader.readSome()
      {
        text += String(decoding: piece, as: UTF8.self)
      }
    }
    let client = try server.connect()
    while !text.contains("event: position") {
      text += String(decoding: try #require(try reader.readSome()), as: UTF8.self)
    }
    for number in 1...4 {
      _ = try client.send("POST", "/v1/lists/root/items", saw)
      if number <= 2 { try read(until: number) }
    }
    if stalls {
      // The end of the server ends the stream, and nothing has come before.
      try server.stop()
    }
    while let piece = try reader.readSome() { text += String(decoding: piece, as: UTF8.self) }
    #expect(text.components(separatedBy: "event: change\n").count - 1 == 2)
  }

  @Test func `by an event stream that ends after so many milliseconds`() throws {
    try fail(["path": "/v1/lists/*/events", "milliseconds": 100, "effect": "cutEvents"])
    let reader = try server.connect()
    try reader.write(Array("GET /v1/lists/root/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    var text = ""
    while let piece = try reader.readSome() { text += String(decoding: piece, as: UTF8.self) }
    #expect(text.contains("event: position"))
    // Another stream of the inventory is not hit.
    #expect(try counts() == [[1, 1]])
  }

  @Test func `for one list only`() throws {
    let client = try server.connect()
    let shed = try client.makeList("Shed")
    try fail(["listId": .string(shed), "effect": "refuse", "status": 500])
    #expect(try client.get("/v1/lists/root/rows").status == 200)
    #expect(try client.get("/v1/lists/\(shed.uppercased())/rows").status == 500)
    #expect(try client.get("/v1/rows/\(shed)").status == 200)
  }

  @Test func `never for the calls of the test suite, and a reset ends it all`() throws {
    try fail(["path": "/**", "effect": "disconnect"])
    let client = try server.connect()
    #expect(try client.get("/v1/test/clock").status == 200)
    #expect(try client.get("/v1/%74est/requests").status == 200)
    #expect(try client.send("POST", "/v1/test/reset").status == 204)
    #expect(try client.get("/v1/me").status == 200)
    #expect(try counts().isEmpty)
    try fail(["path": "/**", "effect": "disconnect"])
    #expect(try client.send("DELETE", "/v1/test/faults").status == 204)
    #expect(try client.get("/v1/me").status == 200)
  }
}

extension Double {
  fileprivate var json: JSONValue { JSONNumber(text: "\(self)").map(JSONValue.number) ?? .null }
}
