import JSON
import Testing

@Suite("Event streams beside a test suite")
struct RewindTests {
  /// The new revisions are soon those that the stream has reached.
  @Test(arguments: ["reset", "restore"])
  func `get a resync after the state was brought back`(call: String) throws {
    let server = try RunningServer(database: ":memory:", ["--test-mode"])
    let client = try server.connect()
    let snapshot: JSONValue = ["name": "empty"]
    #expect(try client.send("POST", "/v1/test/snapshot", snapshot).status == 204)
    for round in 0..<20 {
      let events = try EventReader(try server.connect(), "/v1/events")
      _ = try client.makeList("Before \(round)")
      #expect(try events.next()?.name == "change")
      let body: JSONValue? = call == "restore" ? .some(snapshot) : .none
      #expect(try client.send("POST", "/v1/test/\(call)", body).status == 204)
      _ = try client.makeList("After \(round)")
      #expect(try events.next()?.name == "resync")
      #expect(try client.send("POST", "/v1/test/\(call)", body).status == 204)
    }
  }
}
