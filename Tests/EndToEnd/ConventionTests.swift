import Foundation
import JSON
import Support
import Testing

@Suite("The conventions of the contract, over the wire")
struct ConventionTests {
  private let folder: TemporaryFolder
  private let server: RunningServer
  private let client: Client
  private let list: String
  private let item: String

  init() throws {
    folder = try TemporaryFolder()
    server = try RunningServer(database: folder.database)
    client = try server.connect()
    list = try client.makeList("Shelf")
    item = try client.makeThing("Lamp", in: list)
    try client.makeThing("Globe", in: list)
  }

  @Test(arguments: ["/v1/lists/LIST", "/v1/lists/LIST/rows?limit=1", "/v1/items/ITEM"])
  func `an ETag gives 304 until something changes`(target: String) throws {
    let target = filled(target)
    let first = try client.get(target)
    let tag = try #require(first["etag"])
    #expect(tag == "\"\(first.number("/revision") ?? 0)-en\"")
    #expect(first["cache-control"] == "private, no-cache")
    let again = try client.get(target, ["If-None-Match": "W/\"1\", \(tag)"])
    #expect(again.status == 304)
    #expect(again["etag"] == tag)
    #expect(again.body.isEmpty)
    let edit = try client.send("PATCH", "/v1/items/\(item)", ["name": "Lantern"])
    #expect(edit.status == 200)
    #expect(try client.get(target, ["If-None-Match": tag]).status == 200)
  }

  @Test func `a stale If-Match is 412 with what has changed since`() throws {
    let tag = try #require(try client.get("/v1/lists/\(list)/rows")["etag"])
    _ = try client.moveRow(of: list, from: 0, to: 1)
    let stale = try client.send(
      "POST", "/v1/lists/\(list)/move-row", ["from": 0, "to": 1], ["If-Match": tag])
    #expect(stale.status == 412)
    #expect(stale.text("/code") == "precondition_failed")
    #expect(stale.text("/delta/listId") == list)
    #expect(stale.at("/delta/moves") == [["from": 0, "to": 1]])
    #expect(try client.titles(of: list) == ["Globe", "Lamp"])

    let of = try #require(try client.get("/v1/items/\(item)")["etag"])
    _ = try client.send("PATCH", "/v1/items/\(item)", ["quantity": 2], ["If-Match": of])
    let late = try client.send("PATCH", "/v1/items/\(item)", ["quantity": 3], ["If-Match": of])
    #expect(late.status == 412)
    #expect(late.number("/current/quantity") == 2)
  }

  /// What is refused, with its status and code.
  static let refusals: [(String, String, String, String?, Int, String)] = [
    ("POST", "/v1/lists", "{\"title\":\"x\"}", "text/plain", 415, "unsupported_media_type"),
    ("POST", "/v1/lists", "{\"title\":\"x\"}", nil, 415, "unsupported_media_type"),
    ("POST", "/v1/lists", "{\"title\":", "application/json", 400, "malformed_json"),
    ("POST", "/v1/lists", "{\"title\":1,\"title\":2}", "application/json", 400, "malformed_json"),
    ("POST", "/v1/lists", "{\"titel\":\"x\"}", "application/json", 422, "invalid"),
    ("POST", "/v1/lists?colour=red", "{\"title\":\"x\"}", "application/json", 422, "invalid"),
    (
      "POST", "/v1/lists/LIST/move-row", "{\"from\":1.5,\"to\":0}", "application/json", 422,
      "invalid"
    ),
    (
      "POST", "/v1/lists/LIST/move-row", "{\"from\":9,\"to\":0}", "application/json", 422, "invalid"
    ),
    (
      "POST", "/v1/lists/LIST/move-row", "{\"from\":2,\"to\":0}", "application/json", 409,
      "sentinel_immovable"
    ),
    ("PUT", "/v1/items/LIST", "{\"name\":\"x\"}", "application/json", 404, "not_found"),
    ("GET", "/v1/lists/00000000-0000-4000-8000-000000000000", "", nil, 404, "not_found"),
    ("GET", "/v1/lists/not-an-id", "", nil, 404, "not_found"),
    ("GET", "/v1/nowhere", "", nil, 404, "not_found"),
    ("GET", "/v1/lists/LIST/rows?limit=1001", "", nil, 422, "invalid"),
    ("DELETE", "/v1/lists/root", "", nil, 409, "root_list"),
    ("DELETE", "/v1/lists/LIST/rows/0", "", nil, 428, "precondition_required"),
    ("POST", "/healthz", "", nil, 405, "method_not_allowed"),
    ("DELETE", "/v1/lists", "", nil, 405, "method_not_allowed"),
  ]

  @Test(arguments: refusals)
  func `an error is answered as a problem, and nothing changes`(
    method: String, target: String, body: String, type: String?, status: Int, code: String
  ) throws {
    let before = try client.get("/v1/lists/\(list)/rows")
    let answer =
      body.isEmpty
      ? try client.send(method, filled(target))
      : try client.send(method, filled(target), text: body, type: type)
    #expect(answer.status == status)
    #expect(answer["content-type"] == "application/problem+json")
    #expect(answer.number("/status") == status)
    #expect(answer.text("/code") == code)
    #expect(answer.text("/type") == "/problems/\(code)")
    #expect(answer.text("/title")?.isEmpty == false)
    #expect(answer.text("/detail")?.isEmpty == false)
    #expect(answer.text("/instance") == "urn:uuid:\(answer["x-request-id"] ?? "")")
    let page = try client.get("/problems/\(code)")
    #expect(page.status == 200)
    #expect(page["content-type"] == "text/html; charset=utf-8")
    #expect(try client.get("/v1/lists/\(list)/rows").body == before.body)
  }

  @Test func `all errors are reported at once, each with its pointer`() throws {
    let answer = try client.send(
      "POST", "/v1/lists/\(list)/items",
      ["name": 1, "quantity": -1, "tags": ["a", 2], "colour": "red", "position": "middle"])
    #expect(answer.status == 422)
    let pointers = Set(answer.at("/errors")?.elements.compactMap { $0["pointer"]?.text } ?? [])
    #expect(pointers == ["/name", "/quantity", "/tags/1", "/colour", "/position"])
    let query = try client.get("/v1/lists/\(list)/rows?limit=0&offset=x&order=title")
    let names = Set(query.at("/errors")?.elements.compactMap { $0["parameter"]?.text } ?? [])
    #expect(names == ["limit", "offset", "order"])
  }

  @Test(
    arguments: [
      ("/healthz", "GET, HEAD, OPTIONS", "PUT"),
      ("/v1/lists", "GET, HEAD, POST, OPTIONS", "DELETE"),
      ("/v1/lists/LIST/move-row", "POST, OPTIONS", "GET"),
      ("/v1/items/ITEM", "GET, HEAD, PATCH, PUT, DELETE, OPTIONS", "POST"),
    ])
  func `OPTIONS and 405 name what a path allows`(
    target: String, allowed: String, method: String
  ) throws {
    let options = try client.send("OPTIONS", filled(target))
    #expect(options.status == 204)
    #expect(options["allow"] == allowed)
    #expect(options["content-length"] == nil)
    let refused = try client.send(method, filled(target))
    #expect(refused.status == 405)
    #expect(refused["allow"] == allowed)
  }

  @Test(arguments: ["/healthz", "/v1/lists/LIST/rows", "/v1/items/ITEM", "/v1/nowhere"])
  func `HEAD answers as GET does, without the body`(target: String) throws {
    let whole = try client.get(filled(target), ["X-Request-Id": "same"])
    let head = try client.send("HEAD", filled(target), nil, ["X-Request-Id": "same"])
    #expect(head.status == whole.status)
    #expect(head.fields.map(\.name) == whole.fields.map(\.name))
    #expect(head["content-length"] == String(whole.body.count))
    #expect(head["etag"] == whole["etag"])
    #expect(try client.get("/healthz").status == 200)
  }

  @Test func `what is made answers 201 with its Location, and again 200`() throws {
    let id = newID()
    let body: JSONValue = ["id": .string(id.uppercased()), "name": "Clock", "valueInDollars": 12]
    let made = try client.send("POST", "/v1/lists/\(list)/items", body)
    #expect(made.status == 201)
    #expect(made["location"] == "/v1/items/\(id)")
    #expect(made.number("/index") == 2)
    #expect(made["rowhouse-revision"] == made.number("/receipt/revision").map(String.init))
    let found = try client.get(made["location"] ?? "")
    #expect(found.text("/name") == "Clock")
    #expect(found["etag"] == made["etag"])
    let again = try client.send("POST", "/v1/lists/\(list)/items", body)
    #expect(again.status == 200)
    #expect(again.at("/receipt/changed") == false)
    let minimal = try client.send(
      "PATCH", "/v1/items/\(id)", ["name": "Watch"], ["Prefer": "return=minimal"])
    #expect(minimal.status == 204)
    #expect(minimal.body.isEmpty)
  }

  @Test func `requests that come in one packet are answered in their order`() throws {
    let requests = ["/healthz", "/v1/lists/\(list)", "/v1/nowhere", "/v1/items/\(item)"]
      .map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
    try client.write(Array(requests.utf8))
    let answers = try (0..<4).map { _ in try client.readAnswer() }
    #expect(answers.map(\.status) == [200, 200, 404, 200])
    #expect(answers[1].text("/id") == list)
    #expect(answers[3].text("/id") == item)
  }

  @Test(
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "POST /v1/lists HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST /v1/lists HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
      "POST /v1/lists HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
      "GET /healthz HTTP/1.1\nHost: a\n\n",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: b\r\n c\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", "NONSENSE\r\n\r\n",
    ])
  func `what can be read in two ways is 400, and the connection closes`(bytes: String) throws {
    let client = try server.connect()
    try client.write(Array(bytes.utf8))
    let answer = try client.readAnswer()
    #expect(answer.status == 400)
    #expect(answer["connection"] == "close")
    #expect(answer["content-type"] == "application/problem+json")
    #expect(try client.isClosed())
  }

  private func filled(_ target: String) -> String {
    target.replacingOccurrences(of: "LIST", with: list)
      .replacingOccurrences(of: "ITEM", with: item)
  }
}
