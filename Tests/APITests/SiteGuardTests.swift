import HTTP
import Testing

@testable import API

@Suite struct `What other sites may do` {
  private static let guarded = SiteGuard(allowedHosts: ["home.example"])

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
      (["Host": "localhost:8080", "Sec-Fetch-Site": "same-origin"], nil),
    ] as [(Fields, ProblemCode?)])
  func `changes are for pages of the same host`(fields: Fields, expected: ProblemCode?) throws {
    for method in [Method.post, .put, .patch, .delete] {
      #expect(try code(method, fields) == expected)
    }
    #expect(try code(.get, fields) == nil)
    #expect(try code(.head, fields) == nil)
  }
}
