import API
import HTTP
import Testing
import WebApp

@Suite("What browsers are given")
struct FileTests {
  let service: Service
  init() throws { service = try Service() }

  @Test(
    "a file comes with its type and validator, and again only if it has changed",
    arguments: WebFile.all.map(\.path))
  func files(path: String) throws {
    let file = try #require(WebFile.all.first { $0.path == path })
    let answer = try service.get(path)
    #expect(answer.status == 200)
    #expect(answer.body == file.bytes)
    #expect(answer.fields["content-type"] == file.mediaType)
    #expect(answer.fields["cache-control"] == "no-cache")
    #expect(answer.fields["x-content-type-options"] == "nosniff")
    let tag = try #require(answer.fields["etag"])
    let again = try service.get(path, ["If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(again.fields["etag"] == tag)
    #expect(try service.get(path, ["If-None-Match": "\"other\""]).status == 200)
  }

  @Test func `files have paths of their own and types that are known`() {
    let paths = WebFile.all.map(\.path)
    #expect(Set(paths).count == paths.count)
    #expect(WebFile.all.allSatisfy { !$0.bytes.isEmpty && !$0.mediaType.hasPrefix("text/plain") })
  }

  @Test(
    "pages run scripts of this server and no inline scripts",
    arguments: WebFile.all.filter(\.isPage).map(\.path))
  func pages(path: String) throws {
    let policy = try #require(try service.get(path).fields["content-security-policy"])
    let directives = policy.split(separator: "; ").map(String.init)
    #expect(directives.contains("default-src 'none'"))
    #expect(directives.contains("script-src 'self'"))
    #expect(directives.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe"))
  }

  @Test func `pages are for everybody, as their readers come without a token`() throws {
    let service = try Service { $0.demandsTokens = true }
    #expect(try service.get("/v1/lists").status == 401)
    #expect(try service.get("/docs").status == 200)
  }
}
