import Foundation
import JSON
import Support
import Testing

@Suite("Pages of other sites, over the wire")
struct CrossOriginTests {
  private static let app = ["Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"]

  @Test func `an origin that the command line names may ask, write, follow, and read refusals`()
    throws
  {
    let server = try RunningServer(
      database: ":memory:", ["--cors-origin", "https://app.example", "--json-body", "1KiB"])
    let client = try server.connect()
    let asking = Self.app.merging(["Access-Control-Request-Method": "POST"]) { old, _ in old }
    let preflight = try client.send("OPTIONS", "/v1/lists", nil, asking)
    #expect(preflight.status == 204)
    #expect(preflight["access-control-allow-origin"] == "https://app.example")
    #expect(try client.send("POST", "/v1/lists", ["title": "x"], Self.app).status == 201)
    let long = JSONValue.string(String(repeating: "x", count: 2_000))
    let large = try client.send("POST", "/v1/lists", ["title": long], Self.app)
    #expect(large.status == 413)
    #expect(large["access-control-allow-origin"] == "https://app.example")
    let reader = try server.connect()
    try reader.write(
      Array(
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\n\r\n".utf8))
    let stream = try reader.readAnswer(hasBody: false)
    #expect(stream["content-type"] == "text/event-stream")
    #expect(stream["access-control-allow-origin"] == "https://app.example")
    let other = ["Origin": "https://evil.example"]
    #expect(try client.send("POST", "/v1/lists", ["title": "x"], other).status == 403)
  }

  @Test(arguments: ["*", "null", "app.example", "https://app.example/"])
  func `what names no one site is refused with what to write`(text: String) throws {
    let result = try Rowhouse.run(
      "serve", "--db", ":memory:", "--listen", "127.0.0.1:0", "--cors-origin", text)
    #expect(result.ending == .exit(64))
    #expect(result.errors.contains("--cors-origin"))
    #expect(result.output.isEmpty)
  }
}
