import HTTP
import Testing

@Suite struct RequestHeadTests {
  private func head(_ target: String, _ fields: Fields = Fields()) throws -> RequestHead {
    try RequestHead(method: .get, target: target, fields: fields)
  }

  @Test(arguments: [
    ("/", []), ("/a", ["a"]), ("/a/", ["a"]), ("/a/b", ["a", "b"]), ("/a//b", ["a", "", "b"]),
    ("//", [""]), ("/a%20b/%c3%a9", ["a b", "é"]), ("/a%252Fb", ["a%2Fb"]), ("/a+b", ["a+b"]),
    ("/a%3Fb?c", ["a?b"]), ("http://h/x/y", ["x", "y"]), ("http://h", []), ("/%0d%0a", ["\r\n"]),
  ])
  func `a path falls into its segments`(target: String, segments: [String]) throws {
    #expect(try head(target).segments() == segments)
  }

  @Test(arguments: [
    ("/", []), ("/?", []), ("/?a", ["a="]), ("/?a=b&c=d", ["a=b", "c=d"]), ("/?a=b=c", ["a=b=c"]),
    ("/?a+b=%2B", ["a b=+"]), ("/?&a=1&&", ["a=1"]), ("/?=x", ["=x"]), ("/?a=%c3%a9", ["a=é"]),
    ("/?a=%26%3D", ["a=&="]), ("/?a=%2525", ["a=%25"]),
  ])
  func `a query falls into its parameters`(target: String, parameters: [String]) throws {
    #expect(try head(target).query()?.map { "\($0.name)=\($0.value)" } == parameters)
  }

  @Test(arguments: ["/?a=%", "/?a=%4", "/?%zz", "/?a=%00", "/?a=%ff", "/?a=%+1"])
  func `a query that does not decode is none`(target: String) throws {
    #expect(try head(target).query() == nil)
  }

  @Test func `a head whose target is refused is kept for the response`() {
    var parser = RequestParser()
    let bytes = Array("GET /a/%zz?b HTTP/1.1\r\nAccept: text/html\r\n\r\n".utf8)
    var offset = 0
    guard case .fault(.ambiguousPath) = parser.next(bytes.span, from: &offset) else {
      Issue.record("The path is not refused.")
      return
    }
    let head = parser.refusedHead
    #expect(head?.fields["accept"] == "text/html")
    #expect(head?.segments() == ["a", ""])
  }

  @Test func `fields are found by name in any case, in order, without blanks around values`() {
    let head = Reading("GET / HTTP/1.1\r\nhOST: h\r\nA: 1\r\nb:\t2 \r\na:  3\r\n\r\n").heads.first
    #expect(head?.fields["host"] == "h")
    #expect(head?.fields["A"] == "1")
    #expect(head?.fields.values("a") == ["1", "3"])
    #expect(head?.fields["B"] == "2")
    #expect(head?.fields["c"] == nil)
  }

  @Test func `names that only look alike in Unicode are not the same`() {
    let fields: Fields = ["Keep": "1"]
    #expect(fields["\u{212A}eep"] == nil)
    #expect(fields["kEEP"] == "1")
  }

  @Test func `the authority of an absolute target takes the place of Host`() {
    let raw = "GET http://a:1/ HTTP/1.1\r\nHost: b\r\n\r\nGET http://c/ HTTP/1.0\r\n\r\n"
    #expect(Reading(raw).heads.map { $0.fields.values("host") } == [["a:1"], ["c"]])
  }

  @Test(arguments: [
    ("1.1", "", true), ("1.1", "close", false), ("1.1", "CLOSE", false),
    ("1.1", "upgrade, Close", false), ("1.1", "closed", true), ("1.1", "close-not", true),
    ("1.1", "keep-alive", true), ("1.1", "keep-alive, close", false), ("1.0", "", false),
    ("1.0", "keep-alive", true), ("1.0", "Keep-Alive , x", true),
    ("1.0", "keep-alive, close", false), ("1.1", "x\r\nConnection: ,close", false),
  ])
  func `version and options decide whether the connection stays open`(
    version: String, options: String, lives: Bool
  ) {
    let raw = "GET / HTTP/\(version)\r\nHost: h\r\nConnection: \(options)\r\n\r\n"
    #expect(Reading(raw).heads.map(\.keepsConnection) == [lives])
  }

  @Test func `a client of 1.0 awaits no 100`() {
    let lines = "Host: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"
    #expect(Reading("PUT / HTTP/1.1\r\n" + lines).heads.map(\.expectsContinue) == [true])
    #expect(Reading("PUT / HTTP/1.0\r\n" + lines).heads.map(\.expectsContinue) == [false])
  }

  @Test func `bytes in a field that are not UTF-8 are repaired`() {
    let raw = Array("GET / HTTP/1.1\r\nHost: h\r\nA: x".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
    #expect(Reading([raw[...]]).heads.first?.fields["a"] == "x\u{FFFD}")
  }
}
