import HTTP
import JSON
import Testing
import WebApp

@testable import API

@Suite("A server below a path of a proxy's")
struct BasePathTests {
  private static let base = "/rowhouse/two"
  let service: Service

  init() throws {
    let base = try #require(BasePath(Self.base))
    service = try Service { $0.basePath = base }
  }

  private func send(
    _ method: HTTP.Method, _ target: String, _ body: JSONValue? = nil
  ) throws -> Answer {
    var writer = JSONWriter()
    if let body { writer.value(body) }
    let fields: Fields = body == nil ? [:] : ["Content-Type": "application/json"]
    return try service.exchange(
      method, target, fields: fields, bytes: body == nil ? [] : writer.finish()
    ).0
  }

  /// No path in an answer is that of a server without a prefix.
  private func expectPaths(in answer: Answer, _ comment: Comment? = nil) {
    let text = String(decoding: answer.body, as: UTF8.self)
    for start in ["\"/v1", "\"/problems", "\"/docs", "\"/icon", "\"/modules", "\"/openapi"] {
      #expect(!text.contains(start), comment)
    }
    for name in ["location", "link"] {
      for path in (answer.fields[name] ?? "").split(whereSeparator: { "<>, ".contains($0) })
      where path.hasPrefix("/") { #expect(path.hasPrefix(Self.base + "/v1/"), comment) }
    }
  }

  @Test("requests come with the prefix or without it, and answers have it", arguments: ["", base])
  func paths(prefix: String) throws {
    let made = try send(.post, prefix + "/v1/lists", ["title": "Shelf"])
    #expect(made.status == 201)
    let id = try #require(made.text("/id"))
    #expect(made.fields["location"] == Self.base + "/v1/lists/\(id)")
    let undo = try #require(made.text("/receipt/undo"))
    #expect(undo == Self.base + "/v1/changes/1/undo")
    for title in ["a", "b"] {
      let item = try send(.post, prefix + "/v1/lists/\(id)/items", ["name": .string(title)])
      expectPaths(in: item)
    }
    let page = try send(.get, prefix + "/v1/lists/\(id)/rows?limit=1")
    let next = try #require(page.link("next"))
    #expect(next.hasPrefix(Self.base + "/v1/lists/\(id)/rows?"))
    #expect(try send(.get, next).texts("/rows", "title").first == "b")
    for path in ["/v1/lists?limit=1", "/v1/changes?limit=1", "/v1/changes/1", "/v1/search?q=a"] {
      let answer = try send(.get, prefix + path)
      #expect(answer.status == 200)
      expectPaths(in: answer, "\(path)")
    }
    let problem = try send(.get, prefix + "/v1/lists/7")
    #expect(problem.text("/type") == Self.base + "/problems/not_found")
    let token = try send(.post, prefix + "/v1/tokens", ["name": "Sam", "role": "owner"])
    #expect(token.fields["location"]?.hasPrefix(Self.base + "/v1/tokens/") == true)
  }

  @Test("an undo is sent to the path that the answer names")
  func undo() throws {
    let made = try send(.post, "/v1/lists", ["title": "Shelf"])
    let undone = try send(.post, try #require(made.text("/receipt/undo")), [:])
    #expect(undone.status == 200)
    #expect(undone.text("/undo") == Self.base + "/v1/changes/2/undo")
  }

  @Test("pages link below the prefix", arguments: ["", base])
  func pages(prefix: String) throws {
    for path in [
      "/", "/l/root", "/about", "/docs", "/problems", "/problems/cycle", "/openapi.json",
    ] {
      let answer = try send(.get, prefix + path)
      #expect(answer.status == 200)
      // The document has paths without the prefix, and names the prefix once, in its server.
      if path != "/openapi.json" { expectPaths(in: answer, "\(path)") }
      let tag = answer.fields["etag"]
      if let tag { #expect(tag != (try Service().get(path).fields["etag"]), "\(path)") }
    }
    #expect(try send(.get, Self.base).body == send(.get, Self.base + "/").body)
    #expect(try send(.get, prefix + "/l/root").body == send(.get, Self.base + "/").body)
    let nowhere = try service.get(prefix + "/nowhere", ["Accept": "text/html"])
    #expect(String(decoding: nowhere.body, as: UTF8.self).contains("href=\"\(Self.base)/\""))
    #expect(try send(.get, prefix + "/openapi.json").text("/servers/0/url") == Self.base)
    #expect(try send(.get, prefix + "/modules/main.js").status == 200)
  }

  @Test func `scripts ask below the path that they were loaded from`() {
    for file in WebFile.all where file.path.hasSuffix(".js") {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(!text.contains(/fetch\(['"`]\//), "\(file.path)")
      #expect(!text.contains(/(href|src): ['"`]\//), "\(file.path)")
      #expect(!text.contains(/from ['"]\//), "\(file.path)")
    }
  }

  @Test func `what only begins like the prefix is another path`() throws {
    for path in [Self.base + "x", Self.base + "x/v1/lists", "/rowhouse/v1/lists"] {
      #expect(try send(.get, path).status == 404)
    }
    let twice = try send(.get, Self.base + Self.base + "/v1/lists")
    #expect(twice.status == 404)
  }

  @Test(arguments: ["/a", "/a/b", "/a-b_c.d~e", "/A1"])
  func `a prefix is a path`(text: String) { #expect(BasePath(text)?.text == text) }

  @Test(arguments: [
    "", "/", "a", "a/", "/a/", "//a", "/a//b", "/a b", "/..", "/a/./b", "/%41", "/ä",
  ])
  func `and nothing else is one`(text: String) { #expect(BasePath(text) == nil) }
}
