import HTTP
import Testing

@Suite struct PipeliningTests {
  @Test func `answers keep the order of their requests though the first is answered last`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(
      "GET /later/a HTTP/1.1\r\nHost: h\r\n\r\nGET /now HTTP/1.1\r\nHost: h\r\n\r\n"
        + "GET /later/b HTTP/1.1\r\nHost: h\r\n\r\nGET /end HTTP/1.1\r\nHost: h\r\n\r\n")
    let first = try site.desk.responder("a")
    try site.desk.responder("b").send(Response(status: 200, body: Array("b".utf8)))
    try site.settle()
    #expect(!client.hasInput())
    first.send(Response(status: 200, body: Array("a".utf8)))
    for text in ["a", "now", "b", "end"] { #expect(try client.answer()?.text == text) }
  }

  @Test func `nothing overtakes a request with a large body`() throws {
    let site = try Site()
    let client = try site.client()
    let size = Admission.smallBody + 1
    client.send(
      "POST /later/large HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n"
        + String(repeating: "x", count: size)
        + "GET /later/next HTTP/1.1\r\nHost: h\r\n\r\n")
    let large = try site.desk.responder("large")
    try site.settle()
    #expect(site.desk.change { $0.responders["next"] } == nil)
    large.send(Response(status: 200, body: Array("large".utf8)))
    #expect(try client.answer()?.text == "large")
    try site.desk.responder("next").send(Response(status: 200, body: Array("next".utf8)))
    #expect(try client.answer()?.text == "next")
  }

  @Test func `a stream between two answers is finished before the next begins`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/stream/s")
    client.get("/now")
    let feed = try site.desk.feed("s")
    feed.give("one ")
    feed.give("two", then: .end)
    #expect(try client.answer()?.text == "one two")
    #expect(try client.answer()?.text == "now")
    #expect(feed.change(\.ending) == .complete)
  }

  @Test func `thousands of requests in one go are all answered`() throws {
    let site = try Site()
    let client = try site.client()
    let count = 5000
    let request = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody"
    client.send(String(repeating: request, count: count))
    for _ in 0..<count { #expect(try client.answer()?.text == "body") }
  }

  @Test(arguments: [false, true])
  func `no more than the limit is outstanding, and the rest follows`(isForReads: Bool) throws {
    let site = try Site {
      if isForReads { $0.outstandingReads = 4 } else { $0.outstanding = 4 }
    }
    let client = try site.client()
    for index in 0..<10 { client.get("/later/\(index)") }
    _ = try site.desk.eventually { $0.responders.count == 4 ? true : nil }
    try site.settle()
    #expect(site.desk.change { $0.responders.count } == 4)
    for index in 0..<10 {
      try site.desk.responder("\(index)").send(Response(status: 200, body: [UInt8(index)]))
      #expect(try client.answer()?.body == [UInt8(index)])
    }
  }

  @Test func `a client that does not read its answers is not read from either`() throws {
    let site = try Site { $0.outputBacklog = 1 << 20 }
    let client = try Client(site.address, receiveBuffer: 4096)
    let count = 200
    client.send(
      String(repeating: "GET /big/1000000 HTTP/1.1\r\nHost: h\r\n\r\n", count: count))
    _ = try site.desk.eventually { $0.handled > 1 ? true : nil }
    for _ in 0..<5 { try site.settle() }
    #expect(site.desk.handled < 30)
    for _ in 0..<count { #expect(try client.answer()?.body.count == 1_000_000) }
  }

  @Test func `large answers don't pile up behind a late one`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    for _ in 0..<20 { client.get("/big/1000000") }
    let responder = try site.desk.responder("a")
    for _ in 0..<5 { try site.settle() }
    #expect(site.desk.handled <= 2 + 6)
    responder.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    for _ in 0..<20 { #expect(try client.answer()?.body.count == 1_000_000) }
  }

  @Test func `a request after one that closes is not answered`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    client.get("/b")
    let answer = try client.answer()
    #expect(answer?.text == "a")
    #expect(answer?.field("connection") == "close")
    #expect(try client.answer() == nil)
    #expect(!client.wasReset)
  }

  @Test func `a fault is answered in its turn, and nothing after it`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    client.send("BAD\r\n\r\n")
    client.get("/b")
    try site.desk.responder("a").send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    let fault = try client.answer()
    #expect(fault?.status == 400)
    #expect(fault?.text == "malformed_request_line")
    #expect(fault?.field("connection") == "close")
    #expect(fault?.field("date") == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(try client.answer() == nil)
  }
}
