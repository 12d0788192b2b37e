import Glibc
import HTTP
import Testing

@Suite struct BodyTests {
  private static func post(_ target: String, _ fields: String, _ body: String = "") -> String {
    "POST \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\(body)"
  }

  @Test func `a client that awaits a 100 gets one, once`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post("/echo", "Content-Length: 4\r\nExpect: 100-continue\r\n"))
    #expect(try client.answer()?.head == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("body")
    let answer = try client.answer()
    #expect(answer?.status == 200)
    #expect(answer?.text == "body")
  }

  @Test func `a 100 waits for the answers before it`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    client.send(Self.post("/echo", "Content-Length: 4\r\nExpect: 100-continue\r\n"))
    let responder = try site.desk.responder("a")
    try site.settle()
    #expect(!client.hasInput())
    responder.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    #expect(try client.answer()?.status == 100)
    client.send("body")
    #expect(try client.answer()?.text == "body")
  }

  @Test func `no 100 is sent to one who has sent the body, speaks 1.0, or has none`() throws {
    let site = try Site()
    let client = try site.client()
    let fields = "Content-Length: 4\r\nExpect: 100-continue\r\n"
    client.send(Self.post("/echo", fields, "body"))
    #expect(try client.answer()?.text == "body")
    client.send("GET /now HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answer()?.text == "now")
    client.send("POST /echo HTTP/1.0\r\n\(fields)\r\n")
    try site.settle()
    client.send("body")
    #expect(try client.answer()?.text == "body")
  }

  @Test(arguments: [("/small", 413), ("/early", 404), ("/upload/a", 413)])
  func `a refusal takes the place of the 100, and the connection ends`(
    target: String, status: Int
  ) throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post(target, "Content-Length: 9999999\r\nExpect: 100-continue\r\n"))
    let answer = try client.answer()
    #expect(answer?.status == status)
    #expect(answer?.field("connection") == "close")
    #expect(try client.answer() == nil)
  }

  @Test(arguments: ["/small", "/early", "/upload/a"])
  func `a client that sends megabytes without looking can read why they are refused`(
    target: String
  ) throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post(target, "Content-Length: 5000000\r\n"))
    client.send([UInt8](repeating: 0x78, count: 5_000_000))
    let answer = try client.answer()
    #expect(answer?.status == (target == "/early" ? 404 : 413))
    #expect(answer?.field("connection") == "close")
    client.endOutput()
    #expect(try client.answer() == nil)
    #expect(!client.wasReset)
  }

  @Test(
    arguments: ["/small", "/upload/a"],
    ["7FFFFFFFFFFFFFFF\r\n", "4\r\nbody\r\n7FFFFFFFFFFFFFFF\r\n", "4\r\nbody\r\n200000\r\nx"])
  func `a chunk that announces more than is accepted is refused before it comes, and the end`(
    target: String, body: String
  ) throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post(target, "Transfer-Encoding: chunked\r\n", body))
    let answer = try client.answer()
    #expect(answer?.status == 413)
    #expect(answer?.field("connection") == "close")
    client.endOutput()
    #expect(try client.answer() == nil)
  }

  @Test(arguments: ["7FFFFFFFFFFFFFFF\r\n", "1\r\nx\r\n7FFFFFFFFFFFFFFF\r\n", "10001\r\n"])
  func `what was answered early and then announces too much ends the connection`(
    body: String
  ) throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post("/early", "Transfer-Encoding: chunked\r\n"))
    #expect(try client.answer()?.status == 404)
    client.send(body)
    #expect(try client.answer() == nil)
  }

  @Test func `after a skipped body the next request is read`() throws {
    let site = try Site()
    let client = try site.client()
    for framing in [
      ("Content-Length: 11\r\n", "GET / HTTP/"),
      ("Transfer-Encoding: chunked\r\n", "b\r\nGET / HTTP/\r\n0\r\nA: b\r\n\r\n"),
    ] {
      client.send(Self.post("/early", framing.0, framing.1))
      client.get("/now")
      #expect(try client.answer()?.status == 404)
      #expect(try client.answer()?.text == "now")
    }
  }

  @Test func `a chunked body that grows past the limit is refused`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(
      Self.post("/small", "Transfer-Encoding: chunked\r\n", "6\r\n123456\r\n6\r\n123456\r\n"))
    #expect(try client.answer()?.text == "body_too_large")
    client.send("0\r\n\r\n")
    client.get("/now")
    #expect(try client.answer()?.text == "now")
    #expect(site.server.bufferedBytes == 0)
  }

  @Test func `a chunked body without end is cut off though its answer was early`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post("/early", "Transfer-Encoding: chunked\r\n"))
    client.send("fffff\r\n" + String(repeating: "x", count: 0xFFFFF))
    #expect(try client.answer()?.status == 404)
    #expect(try client.answer() == nil)
  }

  @Test func `buffered bodies share a bound, which answers give back`() throws {
    let site = try Site {
      $0.bufferedBodies = 1000
      $0.uncountedBody = 0
    }
    let client = try site.client()
    let body = String(repeating: "x", count: 600)
    client.send(Self.post("/later/a", "Content-Length: 600\r\n", body))
    let responder = try site.desk.responder("a")
    #expect(site.server.bufferedBytes == 600)
    let other = try site.client()
    other.send(Self.post("/echo", "Content-Length: 600\r\n", body))
    #expect(try other.answer()?.text == "body_memory_exhausted")
    responder.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    #expect(site.server.bufferedBytes == 0)
    client.send(Self.post("/echo", "Content-Length: 600\r\n", body))
    #expect(try client.answer()?.text == body)
  }

  @Test(arguments: [1, 2])
  func `the largest body that does not come whole gives way to a smaller one`(loops: Int) throws {
    let site = try Site(loops: loops) {
      $0.bufferedBodies = 1000
      $0.uncountedBody = 0
    }
    let body = String(repeating: "x", count: 600)
    let stuck = try site.client()
    stuck.send(Self.post("/echo", "Content-Length: 601\r\n", body))
    while site.server.bufferedBytes < 600 { usleep(1_000) }
    let larger = try site.client()
    larger.send(Self.post("/echo", "Content-Length: 700\r\n", body + body.prefix(100)))
    #expect(try larger.answer()?.text == "body_memory_exhausted")
    let smaller = try site.client()
    smaller.send(Self.post("/later/a", "Content-Length: 500\r\n", String(body.prefix(500))))
    #expect(try stuck.answer()?.text == "body_memory_exhausted")
    // What has come whole stays until it is answered.
    let responder = try site.desk.responder("a")
    #expect(site.server.bufferedBytes == 500)
    let next = try site.client()
    next.send(Self.post("/echo", "Content-Length: 501\r\n", String(body.prefix(501))))
    #expect(try next.answer()?.text == "body_memory_exhausted")
    responder.send(Response(status: 204))
    #expect(try smaller.answer()?.status == 204)
    #expect(site.server.bufferedBytes == 0)
  }

  @Test func `a body counts no longer once it is answered, though its answer waits its turn`()
    throws
  {
    let site = try Site { $0.uncountedBody = 0 }
    let client = try site.client()
    let body = String(repeating: "x", count: 600)
    client.get("/later/a")
    client.send(Self.post("/echo", "Content-Length: 600\r\n", body))
    client.send(Self.post("/later/b", "Content-Length: 600\r\n", body))
    let first = try site.desk.responder("a")
    let last = try site.desk.responder("b")
    #expect(site.server.bufferedBytes == 600)
    last.send(Response(status: 204))
    try site.settle()
    #expect(site.server.bufferedBytes == 0)
    #expect(!client.hasInput())
    first.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    #expect(try client.answer()?.text == body)
    #expect(try client.answer()?.status == 204)
    #expect(site.server.bufferedBytes == 0)
  }

  @Test func `small bodies are taken though others have used up the bound`() throws {
    let site = try Site {
      $0.bufferedBodies = 1000
      $0.uncountedBody = 100
    }
    let large = try site.client()
    large.send(
      Self.post("/later/a", "Content-Length: 1100\r\n", String(repeating: "x", count: 1100)))
    let responder = try site.desk.responder("a")
    #expect(site.server.bufferedBytes == 1000)
    let small = try site.client()
    for _ in 0..<3 {
      let body = String(repeating: "y", count: 100)
      small.send(Self.post("/echo", "Content-Length: 100\r\n", body))
      #expect(try small.answer()?.text == body)
    }
    // One at a time: what comes behind a request that waits is counted.
    small.get("/later/b")
    let second = try site.desk.responder("b")
    small.send(Self.post("/echo", "Content-Length: 1\r\n", "z"))
    second.send(Response(status: 204))
    #expect(try small.answer()?.status == 204)
    #expect(try small.answer()?.text == "body_memory_exhausted")
    responder.send(Response(status: 204))
    #expect(try large.answer()?.status == 204)
    #expect(site.server.bufferedBytes == 0)
  }

  @Test func `a malformed chunk ends the connection`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.post("/echo", "Transfer-Encoding: chunked\r\n", "5\r\nhelloX"))
    client.get("/now")
    #expect(try client.answer()?.text == "malformed_chunk")
    #expect(try client.answer() == nil)
  }
}
