import HTTP
import Inventory
import JSON
import Support
import Testing

@testable import API

@Suite("Which other sites' pages may speak to the server")
struct CrossOriginTests {
  private static let app = "https://app.example"
  private static let local = "http://localhost:3000"

  let service: Service
  let list: Service.MadeList

  init() throws {
    let origins = try [Self.app, Self.local].map { try #require(Origin(text: $0)) }
    service = try Service { $0.allow(origins) }
    list = try service.makeList(things: ["Globe"])
    _ = try service.send(
      .post, "/v1/items/\(list.rows[0])/photos?id=\(Self.photo)", bytes: SampleImage.jpeg())
  }

  private static let photo = "0198c0de-0000-7000-8000-0000000000ab"

  /// A request, and the status of its answer.
  struct Line: Sendable, CustomTestStringConvertible {
    let status: Int
    let method: HTTP.Method
    let target: String
    var fields: Fields = [:]
    var body: JSONValue?
    /// Of an answer to a page of another site that may not read it.
    var foreignStatus: Int {
      switch method {
      case .options: status
      case .get, .head: target.hasPrefix("/v1") ? 403 : status
      default: 403
      }
    }
    var testDescription: String { "\(status) \(method.name) \(target)" }
  }

  // LIST and ITEM stand for ids.
  static let lines = [
    Line(status: 200, method: .get, target: "/healthz"),
    Line(status: 200, method: .get, target: "/healthz?x=1"),
    Line(status: 200, method: .get, target: "/readyz"),
    Line(status: 200, method: .get, target: "/problems"),
    Line(status: 200, method: .get, target: "/v1/lists/LIST/rows"),
    Line(status: 200, method: .head, target: "/v1/lists/LIST"),
    Line(
      status: 304, method: .get, target: "/v1/lists/LIST", fields: ["If-None-Match": "*"]),
    Line(status: 201, method: .post, target: "/v1/lists", body: ["title": "x"]),
    Line(
      status: 201, method: .post, target: "/v1/tokens", body: ["name": "x", "role": "admin"]),
    Line(
      status: 204, method: .patch, target: "/v1/items/ITEM", fields: ["Prefer": "return=minimal"],
      body: ["name": "x"]),
    Line(status: 200, method: .get, target: "/v1/items/ITEM/photos/\(photo)"),
    Line(
      status: 206, method: .get, target: "/v1/items/ITEM/photos/\(photo)",
      fields: ["Range": "bytes=0-1"]),
    Line(
      status: 416, method: .get, target: "/v1/items/ITEM/photos/\(photo)",
      fields: ["Range": "bytes=999999-"]),
    Line(status: 200, method: .get, target: "/v1/events"),
    Line(status: 200, method: .get, target: "/v1/lists/LIST/events"),
    Line(status: 200, method: .get, target: "/v1/export"),
    Line(status: 200, method: .get, target: "/v1/lists/LIST/rows.csv"),
    Line(status: 200, method: .get, target: "/v1/search?q=globe"),
    Line(status: 404, method: .get, target: "/v1/lists/7"),
    Line(status: 405, method: .put, target: "/v1/lists"),
    Line(status: 401, method: .get, target: "/v1/me", fields: ["Authorization": "Bearer x"]),
    Line(status: 400, method: .get, target: "/v1/lists", fields: ["Rowhouse-Inventory": "x"]),
    Line(status: 422, method: .post, target: "/v1/lists", body: ["titel": "x"]),
    Line(
      status: 413, method: .post, target: "/v1/lists",
      body: ["title": .string(String(repeating: "x", count: 1 << 20))]),
    Line(status: 415, method: .post, target: "/v1/lists", fields: ["Content-Type": "a/b"], body: 1),
    Line(status: 204, method: .options, target: "/v1/lists"),
  ]

  private func ask(_ line: Line, from origin: String?, site: String = "cross-site") throws -> Answer
  {
    var fields = line.fields
    if let origin {
      fields.append("Origin", origin)
      fields.append("Sec-Fetch-Site", site)
    }
    let target = line.target.split(separator: "/", omittingEmptySubsequences: false).map {
      $0 == "LIST" ? list.id : $0 == "ITEM" ? list.rows[0] : String($0)
    }.joined(separator: "/")
    var bytes: [UInt8] = []
    if let body = line.body {
      if fields["content-type"] == nil { fields.append("Content-Type", "application/json") }
      var writer = JSONWriter()
      writer.value(body)
      bytes = writer.finish()
    }
    let (answer, source) = try service.exchange(line.method, target, fields: fields, bytes: bytes)
    source?.ended(.clientGone)
    return answer
  }

  private func vary(_ answer: Answer) -> [String] {
    answer.fields.values("vary").flatMap { $0.split(separator: ", ").map { $0.lowercased() } }
  }

  @Test("an origin that is allowed reads every answer", arguments: lines, [app, local])
  func allowed(line: Line, origin: String) throws {
    let answer = try ask(line, from: origin)
    #expect(answer.status == line.status)
    #expect(answer.fields.values("access-control-allow-origin") == [origin])
    #expect(vary(answer).count { $0 == "origin" } == 1)
    let exposed = answer.fields.values("access-control-expose-headers")
    #expect(exposed.count == 1)
    let names = Set(exposed.joined().split(separator: ", ").map { $0.lowercased() })
    #expect(
      names.isSuperset(of: [
        "etag", "link", "location", "content-language", "retry-after", "idempotency-replayed",
        "rowhouse-revision", "x-request-id",
      ]))
    // The token is a field that a page has to know; nothing goes along by itself.
    #expect(answer.fields["access-control-allow-credentials"] == nil)
  }

  @Test(
    "another reads none, and changes nothing", arguments: lines,
    ["https://evil.example", "https://app.example.evil", "http://app.example", "null"])
  func others(line: Line, origin: String) throws {
    let answer = try ask(line, from: origin)
    #expect(answer.status == line.foreignStatus)
    if line.foreignStatus == 403, line.method != .head {
      #expect(answer.code == "origin_forbidden")
    }
    #expect(answer.fields.all.allSatisfy { !$0.name.lowercased().hasPrefix("access-control") })
    #expect(vary(answer).contains("origin"))
  }

  @Test("without an origin in the request, only Vary is sent", arguments: lines)
  func none(line: Line) throws {
    let answer = try ask(line, from: nil)
    #expect(answer.status == line.status)
    #expect(answer.fields.all.allSatisfy { !$0.name.lowercased().hasPrefix("access-control") })
    #expect(vary(answer).contains("origin"))
  }

  @Test("without configured origins, responses have no CORS fields", arguments: lines)
  func off(line: Line) throws {
    let plain = CrossOriginTests(service: try Service(store: service.store), list: list)
    let answer = try plain.ask(line, from: Self.app)
    #expect(answer.status == line.foreignStatus)
    #expect(answer.fields.all.allSatisfy { !$0.name.lowercased().hasPrefix("access-control") })
    #expect(!vary(answer).contains("origin"))
  }

  private init(service: Service, list: Service.MadeList) {
    self.service = service
    self.list = list
  }

  private func preflight(
    _ target: String, _ method: String, from origin: String = app, asking fields: String = ""
  ) throws -> Answer {
    try service.send(
      .options, target,
      fields: [
        "Origin": origin, "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": fields, "Sec-Fetch-Site": "cross-site",
      ])
  }

  @Test(
    "a preflight allows the methods and headers of every route",
    arguments: Route.all.indices)
  func preflights(position: Int) throws {
    let route = Route.all[position]
    let answer = try preflight(Paths.sample(of: route.template), route.method.name)
    #expect(answer.status == 204)
    #expect(answer.fields.values("access-control-allow-origin") == [Self.app])
    let methods = answer.fields["access-control-allow-methods"]?.split(separator: ", ") ?? []
    #expect(methods.contains { $0 == route.method.name })
    #expect(answer.fields["access-control-max-age"] == "7200")
    #expect(
      Set(vary(answer)).isSuperset(of: [
        "origin", "access-control-request-method", "access-control-request-headers",
      ]))
  }

  @Test(arguments: [
    "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key",
    "Last-Event-ID", "Prefer", "Accept-Language", "X-Request-Id", "traceparent",
    "Rowhouse-Inventory", "Range", "If-Range",
  ])
  func `every field of the contract may be sent`(name: String) throws {
    let answer = try preflight("/v1/lists", "POST", asking: name.lowercased())
    let allowed = answer.fields["access-control-allow-headers"]?.split(separator: ", ") ?? []
    #expect(allowed.contains { $0.lowercased() == name.lowercased() })
  }

  @Test func `a preflight needs no token, and other origins get no CORS fields`() throws {
    let (credential, _) = Credential.random()
    service.store.administer(
      .createToken(NewToken(credential: credential, name: "x", role: .admin)),
      as: Caller(role: .admin, name: "test")
    ) { _ in }
    #expect(try service.get("/v1/lists").status == 401)
    #expect(try preflight("/v1/lists", "POST").status == 204)
    // Its page then reads the 404.
    #expect(try preflight("/v1/lists/7", "GET").status == 204)
    let foreign = try preflight("/v1/lists", "POST", from: "https://evil.example")
    #expect(foreign.fields["access-control-allow-origin"] == nil)
    #expect(foreign.fields["access-control-allow-methods"] == nil)
    #expect(foreign.fields["allow"] != nil)
  }

  @Test func `a stored response goes to the origin of the retry`() throws {
    func send(_ origin: String?) throws -> Answer {
      var fields: Fields = ["Idempotency-Key": "\"k\""]
      if let origin { fields.append("Origin", origin) }
      return try service.send(.post, "/v1/lists", ["title": "once"], fields)
    }
    #expect(try send(Self.app).status == 201)
    for origin in [Self.local, nil, Self.app] {
      let again = try send(origin)
      #expect(again.fields["idempotency-replayed"] == "true")
      #expect(again.fields.values("access-control-allow-origin") == [origin].compactMap(\.self))
      #expect(vary(again).count { $0 == "origin" } == 1)
    }
  }

  @Test(
    arguments: [
      "https://app.example", "http://localhost", "http://localhost:3000", "http://127.0.0.1:65535",
      "http://[::1]:3000", "capacitor://localhost", "https://xn--bcher-kva.example", "http://a:443",
    ])
  func `an origin is as browsers write it`(text: String) {
    #expect(Origin(text: text)?.text == text)
  }

  @Test(arguments: [
    "", "*", "null", "app.example", "https://", "https://app.example/", "https://app.example/x",
    "https://App.example", "HTTPS://app.example", "https://app.example:443", "http://a:80",
    "http://a:080", "http://a:", "http://a:65536", "http://a:x", "https://*.example", "://a",
    "https://a b", "https://user@a", "https://a?b", "http://[::1", "http://[]", "1http://a",
  ])
  func `and nothing else is one`(text: String) {
    #expect(Origin(text: text) == nil)
  }
}
