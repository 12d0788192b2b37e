import FoundationEssentials
import HTTP
import JSON
import Testing

@testable import API

@Suite("Problems")
struct ProblemTests {
  let service: Service
  init() throws { service = try Service() }

  @Test func `a problem has the members of RFC 9457, a code and its request's id`() throws {
    let answer = try service.send(
      .get, "/v1/lists/root?x=1",
      fields: ["X-Request-Id": "0198C0DE-0000-7000-8000-000000000001"])
    #expect(answer.fields["content-type"] == "application/problem+json")
    #expect(
      answer.keys() == ["type", "title", "status", "detail", "instance", "code", "dir", "errors"])
    #expect(answer["/type"] == "/problems/invalid")
    #expect(answer["/status"] == 422)
    #expect(answer["/instance"] == "urn:uuid:0198C0DE-0000-7000-8000-000000000001")
    #expect(answer.keys("/errors/0") == ["parameter", "detail"])
    let plain = try service.send(.get, "/v1/lists/7", fields: ["X-Request-Id": "abc.1"])
    #expect(plain["/instance"] == "abc.1")
    #expect(plain.keys() == ["type", "title", "status", "detail", "instance", "code", "dir"])
  }

  @Test("each code leads to a page for a person", arguments: ProblemCode.allCases)
  func pages(code: ProblemCode) throws {
    let page = try service.get("/problems/\(code.rawValue)")
    #expect(page.status == 200)
    #expect(page.fields["content-type"] == "text/html; charset=utf-8")
    #expect(page.fields["x-content-type-options"] == "nosniff")
    #expect(page.fields["content-security-policy"]?.hasPrefix("default-src 'none';") == true)
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.contains("<h1>\(Language.english.texts.title(code))</h1>"))
    #expect(code.rawValue.allSatisfy { $0 == "_" || ("a"..."z").contains($0) })
    #expect((400...599).contains(code.status))
  }

  @Test("what the server itself refuses has a page too", arguments: RequestFault.allCases)
  func faultPages(fault: RequestFault) throws {
    #expect(try service.get("/problems/\(fault.code)").status == 200)
    #expect(ProblemCode(rawValue: fault.code) == nil)
  }

  @Test func `all problems are listed`() throws {
    let page = try service.get("/problems")
    #expect(page.status == 200)
    let text = String(decoding: page.body, as: UTF8.self)
    for code in ProblemCode.allCases.map(\.rawValue) + RequestFault.allCases.map(\.code) {
      #expect(text.contains("<a href=\"/problems/\(code)\">"))
    }
    #expect(try service.get("/problems/nothing").status == 404)
  }

  @Test func `the server's own refusals look like all others`() throws {
    let handler = try APIHandler(
      store: service.store, configuration: Configuration(version: "1"))
    let answer = Answer(handler.refusal(.headerTooLarge, to: nil))
    #expect(answer.status == 431)
    #expect(answer["/type"] == "/problems/header_too_large")
    #expect(answer["/title"] == "Header too large")
    #expect(answer["/code"] == "header_too_large")
    #expect(answer.fields["x-request-id"] != nil)
  }

  @Test func `an id of the client's is repeated if it is short and harmless`() throws {
    for id in ["a", "A-1_b.c:d/e+f=g@h", String(repeating: "x", count: 128)] {
      let answer = try service.get("/v1/about", ["X-Request-Id": id])
      #expect(answer.fields["x-request-id"] == id)
    }
    for id in ["", "a b", "é", "<x>", String(repeating: "x", count: 129)] {
      let answer = try service.get("/v1/about", ["X-Request-Id": id])
      let made = try #require(answer.fields["x-request-id"])
      #expect(made != id)
      #expect(UUID(uuidString: made) != nil)
    }
  }

  @Test func `every answer has an id, and each its own version 7 UUID`() throws {
    var ids: Set<String> = []
    for path in ["/healthz", "/readyz", "/v1/lists", "/nothing", "/problems", "/v1/lists/root"] {
      for method in [HTTP.Method.get, .options, .delete] {
        let id = try #require(try service.send(method, path).fields["x-request-id"])
        #expect(id.utf8.count == 36)
        #expect(Array(id.utf8)[14] == UInt8(ascii: "7"))
        #expect(["8", "9", "a", "b"].contains(Array(id)[19]))
        #expect(ids.insert(id).inserted)
      }
    }
  }
}
