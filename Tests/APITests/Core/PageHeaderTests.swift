import FoundationEssentials
import HTTP
import Inventory
import Testing

@testable import API

@Suite("What a browser may do with an answer")
struct PageHeaderTests {
  let service: Service
  init() throws { service = try Service() }

  /// The header fields of a page, except the policy, which may name the page's own style.
  private static let fields = [
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
  ]

  private static let policy = [
    "default-src": ["'none'"], "script-src": ["'self'"], "style-src": ["'self'"],
    "img-src": ["'self'", "blob:", "data:"], "connect-src": ["'self'"],
    "manifest-src": ["'self'"], "worker-src": ["'self'"], "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'none'"],
  ]

  /// The directives of a policy with what each allows.
  private func directives(_ text: String) -> [String: [String]] {
    var directives: [String: [String]] = [:]
    for directive in text.split(separator: ";") {
      let words = directive.split(separator: " ").map(String.init)
      directives[words.first ?? ""] = Array(words.dropFirst())
    }
    return directives
  }

  /// The text of a page's only style element; nil without one.
  private func style(_ html: String) throws -> String? {
    let pieces = html.components(separatedBy: "<style>")
    try #require(pieces.count <= 2)
    return pieces.count == 1 ? nil : pieces[1].components(separatedBy: "</style>").first
  }

  @Test func `every page runs only its own scripts and cannot be framed`() throws {
    var pages = 0
    for route in Route.all where route.method == .get {
      let answer = try service.get(Paths.sample(of: route.template))
      guard answer.fields["content-type"]?.hasPrefix("text/html") == true else { continue }
      pages += 1
      for (name, value) in Self.fields { #expect(answer.fields.values(name) == [value]) }
      let policies = answer.fields.values("content-security-policy")
      #expect(policies.count == 1)
      var expected = Self.policy
      let html = String(decoding: answer.body, as: UTF8.self)
      if let style = try style(html) {
        let digest = Data(SHA256.digest(of: Array(style.utf8))).base64EncodedString()
        expected["style-src"]?.append("'sha256-\(digest)'")
      }
      #expect(directives(policies.first ?? "") == expected, "\(route.template)")
      // What the policy would keep from working.
      for attribute in [" style=", " onclick=", "javascript:"] {
        #expect(!html.contains(attribute), "\(route.template)")
      }
    }
    #expect(pages >= 2)
  }

  @Test func `no response is sniffed as another type`() throws {
    for route in Route.all {
      let path = Paths.sample(of: route.template)
      for target in [path, path + "?surprise=1"] {
        let (answer, source) = try service.exchange(route.method, target)
        source?.ended(.clientGone)
        #expect(answer.fields.values("x-content-type-options") == ["nosniff"], "\(target)")
        #expect(
          answer.fields.values("cross-origin-resource-policy") == ["same-origin"], "\(target)")
      }
      #expect(try service.send(.options, path).fields["x-content-type-options"] == "nosniff")
    }
    #expect(try service.get("/nowhere").fields["x-content-type-options"] == "nosniff")
  }
}
