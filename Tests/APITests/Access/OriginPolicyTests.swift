import HTTP
import Testing

@testable import API

@Suite struct `What other sites may do` {
  private static let guarded = OriginPolicy(allowedHosts: ["home.example"])

  private func code(
    _ method: Method, _ fields: Fields, _ peer: Peer? = nil
  ) throws -> ProblemCode? {
    let head = try RequestHead(method: method, target: "/v1/lists", fields: fields, peer: peer)
    return Self.guarded.problem(with: head)?.code
  }

  @Test(arguments: [
    "localhost", "localhost:8080", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "127.8.9.10:80",
    "[::1]", "[::1]:8080", "home.example", "Home.Example:443",
  ])
  func `hosts of loopback and those that are allowed may be named`(host: String) throws {
    #expect(try code(.get, ["Host": host]) == nil)
    #expect(try code(.post, ["Host": host]) == nil)
  }

  @Test(arguments: [
    "evil.example", "127.0.0.1.evil.example", "127.0.0.256", "128.0.0.1", "localhost.evil.example",
    "[::2]:8080", "0.0.0.0", "192.168.1.2:8080", "home.example.evil",
  ])
  func `other hosts may not`(host: String) throws {
    #expect(try code(.get, ["Host": host]) == .hostForbidden)
  }

  @Test func `a proxy on a Unix socket may name any host`() throws {
    #expect(try code(.get, ["Host": "evil.example"], Peer(family: .unix)) == nil)
  }

  @Test(
    arguments: [
      (["Host": "localhost:8080", "Origin": "http://localhost:8080"], nil),
      (["Host": "home.example", "Origin": "https://home.example"], nil),
      (["Host": "localhost:8080", "Origin": "http://localhost:3000"], .originForbidden),
      (["Host": "localhost:8080", "Origin": "https://evil.example"], .originForbidden),
      (["Host": "localhost:8080", "Origin": "null"], .originForbidden),
      (["Host": "localhost:8080", "Origin": ""], .originForbidden),
      (["Host": "localhost:8080", "Sec-Fetch-Site": "cross-site"], .originForbidden),
      (["Host": "localhost:8080", "Sec-Fetch-Site": "same-site"], .originForbidden),
      (["Host": "localhost:8080", "Sec-Fetch-Site": "same-origin"], nil),
    ] as [(Fields, ProblemCode?)])
  func `changes and private reads are for pages of the same host`(
    fields: Fields, expected: ProblemCode?
  ) throws {
    for method in [Method.post, .put, .patch, .delete] {
      #expect(try code(method, fields) == expected)
    }
    // The handshake of a WebSocket is a GET with an origin alone.
    #expect(try code(.get, fields) == expected)
    #expect(try code(.head, fields) == expected)
  }

  @Test func `no origin is the server's own if the request names no host`() throws {
    for origin in ["null", "", "x", "https://evil.example"] {
      let bytes = Array("POST /v1/lists HTTP/1.0\r\nOrigin: \(origin)\r\n\r\n".utf8)
      var parser = RequestParser()
      var offset = 0
      guard case .head(let head) = parser.next(bytes.span, from: &offset) else {
        Issue.record("It was not read.")
        continue
      }
      #expect(Self.guarded.problem(with: head)?.code == .originForbidden, "\(origin)")
    }
  }

  @Test(
    arguments: ["cross-site", "same-site"],
    [
      ("/v1/resolve?path=/X", false), ("/v1/lists/root", false), ("/v1", false),
      ("/%76%31/lists/root", false), ("/metrics", false), ("/", true), ("/docs", true),
      ("/problems/cycle", true), ("/openapi.json", true), ("/healthz", true), ("/v10", true),
    ])
  func `a foreign page learns nothing of what is stored, and may be left by a link`(
    site: String, line: (target: String, isOpen: Bool)
  ) throws {
    for mode in ["navigate", "no-cors", "cors"] {
      let fields: Fields = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode]
      let head = try RequestHead(method: .get, target: line.target, fields: fields)
      #expect(
        Self.guarded.problem(with: head)?.code == (line.isOpen ? nil : .originForbidden),
        "\(line.target), \(mode)")
    }
    for site in ["same-origin", "none"] {
      let head = try RequestHead(
        method: .get, target: line.target, fields: ["Sec-Fetch-Site": site])
      #expect(Self.guarded.problem(with: head)?.code == nil)
    }
  }
}
