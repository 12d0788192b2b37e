import HTTP
import Testing
import WebApp

@testable import API

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
    let forEver = "public, max-age=31536000, immutable"
    #expect(answer.fields["cache-control"] == (path.hasPrefix("/app-") ? forEver : "no-cache"))
    #expect(answer.fields["vary"] == "Accept-Encoding")
    #expect(answer.fields["content-encoding"] == nil)
    #expect(answer.fields["x-content-type-options"] == "nosniff")
    let tag = try #require(answer.fields["etag"])
    let again = try service.get(path, ["If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(again.fields["etag"] == tag)
    #expect(try service.get(path, ["If-None-Match": "\"other\""]).status == 200)
  }

  /// A large file, which every build compresses.
  private static let style = WebFile.all.first { $0.path == "/style.css" }

  @Test(
    "a file comes in the coding that the client prefers",
    arguments: [
      ("gzip", "gzip"), ("x-gzip", "gzip"), ("GZIP;q=0.5", "gzip"), ("gzip, deflate", "gzip"),
      ("br;q=0.1, gzip;q=0.2", "gzip"), ("gzip;q=0.2, identity;q=0.1", "gzip"),
      ("gzip, identity", "gzip"), ("*;q=0.5, br;q=0", "gzip"), ("", nil), ("gzip;q=0", nil),
      ("gzip;q=0.0, identity", nil), ("gzip;q=0.1, identity;q=0.9", nil), ("deflate, zstd", nil),
      ("*;q=0", nil), ("identity;q=0", nil), ("gzip;q=2", nil),
    ] as [(String, String?)])
  func codings(accepted: String, coding: String?) throws {
    let file = try #require(Self.style)
    let form = try #require(file.forms.first { $0.coding == coding })
    let answer = try service.get(file.path, ["Accept-Encoding": accepted])
    #expect(answer.status == 200)
    #expect(answer.fields["content-encoding"] == coding)
    #expect(answer.fields["vary"] == "Accept-Encoding")
    #expect(answer.body == form.bytes)
    #expect(answer.fields["etag"] == "\"\(form.tag)\"")
  }

  @Test func `each coding has an entity tag of its own`() throws {
    let file = try #require(Self.style)
    #expect(Set(file.forms.map(\.tag)).count == file.forms.count)
    let zipped = try service.get(file.path, ["Accept-Encoding": "gzip"])
    let tag = try #require(zipped.fields["etag"])
    let again = try service.get(file.path, ["Accept-Encoding": "gzip", "If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again.fields["vary"] == "Accept-Encoding")
    #expect(try service.get(file.path, ["If-None-Match": tag]).status == 200)
    let head = try service.send(.head, file.path, fields: ["Accept-Encoding": "gzip"])
    #expect(head.fields["etag"] == tag)
    #expect(head.fields["content-encoding"] == "gzip")
  }

  @Test func `the app's page loads a bundle whose address changes with it`() throws {
    let page = String(decoding: try service.get("/").body, as: UTF8.self)
    let script = try #require(page.firstMatch(of: /src="(\/app-[0-9a-f]+\/)app\.js"/))
    #expect(page.contains("href=\"\(script.1)style.css\""))
    #expect(page.contains("src=\"\(script.1)theme.js\""))
    for name in ["app.js", "later.js", "style.css", "later.css", "theme.js"] {
      #expect(try service.get("\(script.1)\(name)").status == 200)
    }
    let app = String(decoding: try service.get("\(script.1)app.js").body, as: UTF8.self)
    // A stack trace leads to the name of a module.
    #expect(app.contains("\n{ // modules/main.js\n"))
    #expect(!app.contains("\nimport "))
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

  private static let id = "0198c0de-0000-7000-8000-000000000001"

  @Test(
    "the address of a screen is the app's page, also with parameters that it does not know",
    arguments: ["/l/root", "/l/\(id)", "/i/\(id)", "/i/\(id)/photos/2", "/about"])
  func screens(path: String) throws {
    let page = try #require(WebFile.all.first { $0.path == "/" })
    for query in ["", "?sort=-value&q=tea%20pot", "?utm_source=letter", "?q=%FF"] {
      let answer = try service.get(path + query)
      #expect(answer.status == 200)
      #expect(answer.body == page.bytes)
    }
    #expect(try service.send(.post, path, text: "{}").code == "method_not_allowed")
  }

  @Test(
    "an unknown address is a page for browsers, and a problem for programs",
    arguments: ["/nowhere", "/l/7", "/l", "/i/root", "/i/\(id)/photos", "/problems/nothing/x"])
  func nowhere(path: String) throws {
    let browser: Fields = [
      "Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "ar",
    ]
    let page = try service.get(path, browser)
    #expect(page.status == 404)
    #expect(page.fields["content-type"] == "text/html; charset=utf-8")
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains("<h1>\(Language.arabic.texts.title(.notFound))</h1>"))
    #expect(html.contains("href=\"/\""))
    #expect(page.fields["content-security-policy"]?.contains("default-src 'none'") == true)
    #expect(try service.get(path).code == "not_found")
    #expect(try service.get(path, ["Accept": "application/json"]).code == "not_found")
  }

  @Test func `below v1, nothing is a page`() throws {
    for path in ["/v1", "/v1/nothing", "/%76%31/nothing", "/v1/lists/7"] {
      #expect(try service.get(path, ["Accept": "text/html"]).code == "not_found")
    }
  }

  @Test func `pages are for everybody, as their readers come without a token`() throws {
    let service = try Service { $0.demandsTokens = true }
    #expect(try service.get("/v1/lists").status == 401)
    #expect(try service.get("/docs").status == 200)
  }
}
