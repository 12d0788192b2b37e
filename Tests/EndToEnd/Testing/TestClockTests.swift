import JSON
import Support
import Testing

@Suite("Tests set the clock of a server")
struct TestClockTests {
  private func advance(_ client: Client, _ seconds: Int) throws {
    let answer = try client.send("POST", "/v1/test/clock", ["advance": JSONValue(seconds)])
    try #require(answer.status == 200)
  }

  private static let day = 86_400

  @Test func `and what was deleted is purged in time`() throws {
    let server = try RunningServer(database: ":memory:", ["--test-mode", "--clock", "fixed"])
    let client = try server.connect()
    let saw = try client.makeThing("Saw", in: "root")
    #expect(try client.send("DELETE", "/v1/items/\(saw)").status == 200)
    try advance(client, 30 * Self.day - 1)
    #expect(try client.get("/v1/trash").number("/count") == 1)
    try advance(client, 2)
    #expect(try client.get("/v1/trash").number("/count") == 0)
    #expect(try client.get("/v1/items/\(saw)").status == 404)
    #expect(try client.get("/v1/test/clock").text("/time") == "2026-01-31T00:00:01Z")
    #expect(try client.send("POST", "/v1/test/reset").status == 204)
    #expect(try client.get("/v1/test/clock").text("/time") == "2026-01-01T00:00:00Z")
  }

  @Test func `and idempotency keys expire`() throws {
    let server = try RunningServer(database: ":memory:", ["--test-mode"])
    let client = try server.connect()
    func create(_ name: String) throws -> Answer {
      try client.send(
        "POST", "/v1/lists/root/items", ["name": .string(name)], ["Idempotency-Key": "k"])
    }
    #expect(try create("Saw").status == 201)
    try advance(client, Self.day - 60)
    #expect(try create("Saw")["idempotency-replayed"] == "true")
    #expect(try create("Axe").status == 422)
    try advance(client, 120)
    #expect(try create("Axe").status == 201)
  }

  @Test func `and the log forgets`() throws {
    let server = try RunningServer(
      database: ":memory:", ["--test-mode", "--clock", "fixed", "--history-days", "1"])
    let client = try server.connect()
    try client.makeThing("Saw", in: "root")
    try advance(client, 2 * Self.day)
    #expect(try client.get("/v1/changes").number("/count") == 0)
    #expect(try client.get("/v1/lists/root/changes?since=0").status == 410)
  }

  @Test func `and answers have that time, whether it runs or stands still`() throws {
    for arguments in [[], ["--clock", "fixed"]] {
      let server = try RunningServer(database: ":memory:", ["--test-mode"] + arguments)
      let client = try server.connect()
      let told = try client.send("POST", "/v1/test/clock", ["time": "2031-02-03T04:05:06Z"])
      #expect(try #require(told.text("/time")).hasPrefix("2031-02-03T04:"))
      let made = try client.send("POST", "/v1/lists/root/items", ["name": "Saw"])
      #expect(try #require(made.text("/createdAt")).hasPrefix("2031-02-03T04:"))
      #expect(try #require(made["date"]).hasPrefix("Mon, 03 Feb 2031 04:"))
      // Back in time, too.
      #expect(
        try client.send("POST", "/v1/test/clock", ["time": "1999-12-31T23:00:00Z"]).status == 200)
      #expect(try #require(try client.get("/v1/me")["date"]).hasPrefix("Fri, 31 Dec 1999"))
    }
  }

  @Test(arguments: [
    "{}", #"{"time": "2031-02-03T04:05:06Z", "advance": 1}"#, #"{"advance": -1}"#,
    #"{"advance": 1.5}"#, #"{"advance": "1"}"#, #"{"advance": 9000000000000000000}"#,
    #"{"time": "soon"}"#, #"{"time": "9500-01-01T00:00:00Z"}"#,
    #"{"time": "1969-01-01T00:00:00Z"}"#, #"{"time": null}"#, #"{"hour": 1}"#,
  ])
  func `and nothing else`(body: String) throws {
    let server = try RunningServer(database: ":memory:", ["--test-mode", "--clock", "fixed"])
    let client = try server.connect()
    #expect(try client.send("POST", "/v1/test/clock", text: body).status == 422)
    #expect(try client.get("/v1/test/clock").text("/time") == "2026-01-01T00:00:00Z")
  }
}
