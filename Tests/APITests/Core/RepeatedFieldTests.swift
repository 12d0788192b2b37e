import HTTP
import JSON
import Testing

@Suite("Repeated header fields and members")
struct RepeatedFieldTests {
  let service: Service
  init() throws { service = try Service() }

  @Test(arguments: [
    "Authorization", "Origin", "Content-Type", "Idempotency-Key", "Sec-Fetch-Site",
    "Rowhouse-Inventory", "Range", "If-Range", "Last-Event-ID",
  ])
  func `a field that is no list is refused, though both say the same`(name: String) throws {
    let fields = Fields([(name, "a"), ("Accept", "*/*"), (name.lowercased(), "a")])
    for method in [HTTP.Method.get, .post] {
      let answer = try service.send(method, "/v1/lists", fields: fields)
      #expect(answer.status == 400)
      #expect(answer.code == "malformed_header")
      #expect(answer.text("/detail") == "Send \(name) only once.")
    }
    #expect(try service.get("/v1/lists")["/count"] == 0)
  }

  @Test func `of two origins neither lets a page in`() throws {
    let fields = Fields([("Origin", "http://localhost"), ("Origin", "https://evil.example")])
    #expect(try service.send(.post, "/v1/lists", ["title": "x"], fields).status == 400)
    #expect(try service.get("/v1/lists")["/count"] == 0)
  }

  @Test func `lists in several lines are one list`() throws {
    let list = try service.makeList(things: ["a", "b"])
    let tag = try #require(try service.get(list.path).fields["etag"])
    let fields = Fields([("If-Match", "\"9999\""), ("If-Match", tag)])
    #expect(
      try service.send(.post, list.path + "/move-row", ["from": 0, "to": 1], fields).status == 200)
    let languages = Fields([("Accept-Language", "fr"), ("Accept-Language", "ar")])
    #expect(try service.get(list.path, languages).fields["content-language"] == "ar")
    let codings = Fields([("Content-Encoding", "identity"), ("Content-Encoding", "gzip")])
    #expect(try service.send(.patch, list.path, ["title": "x"], codings).status == 415)
  }
}

extension Fields {
  fileprivate init(_ lines: [(String, String)]) {
    self.init()
    for (name, value) in lines { append(name, value) }
  }
}
