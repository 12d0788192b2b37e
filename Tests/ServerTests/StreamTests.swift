import HTTP
import Testing

@Suite struct StreamTests {
  @Test func `an upload comes in pieces and is answered at its end`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("POST /upload/u HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n")
    client.send([UInt8](repeating: 0x78, count: 1_000_000))
    #expect(try client.answer()?.text == "1000000")
    client.send("POST /upload/v HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.answer()?.text == "0")
  }

  @Test func `a receiver that waits holds its client up`() throws {
    let site = try Site()
    let client = try site.client()
    let size = 400_000
    client.send("POST /held-upload/u HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
    client.send([UInt8](repeating: 0x78, count: size))
    let feed = try site.desk.feed("u")
    _ = try site.desk.eventually { _ in feed.change { $0.received.isEmpty ? nil : true } }
    for _ in 0..<5 { try site.settle() }
    #expect(feed.change(\.received.count) <= 64 << 10)
    feed.release()
    #expect(try client.answer()?.text == "\(size)")
    client.get("/now")
    #expect(try client.answer()?.text == "now")
  }

  @Test func `a receiver that waits at the last piece is asked for the answer once it resumes`()
    throws
  {
    let site = try Site()
    let client = try site.client()
    client.send("POST /held-upload/u HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
    let feed = try site.desk.feed("u")
    _ = try site.desk.eventually { _ in feed.change { $0.received.count == 3 ? true : nil } }
    try site.settle()
    #expect(!client.hasInput())
    feed.release()
    #expect(try client.answer()?.text == "3")
  }

  @Test func `a receiver can refuse in the middle`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("POST /refused-upload HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\nabc")
    #expect(try client.answer()?.status == 415)
    #expect(try client.answer() == nil)
  }

  @Test func `a receiver learns that its client has disconnected`() throws {
    let site = try Site()
    var client: Client? = try site.client()
    client?.send("POST /upload/u HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
    let feed = try site.desk.feed("u")
    client = nil
    _ = try site.desk.eventually { _ in feed.change { $0.isBroken ? true : nil } }
  }

  @Test func `a body of known length is sent with it`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/sized/s")
    let feed = try site.desk.feed("s")
    feed.give("01234")
    feed.give("56789", then: .end)
    let answer = try client.answer()
    #expect(answer?.field("content-length") == "10")
    #expect(answer?.text == "0123456789")
    client.get("/now")
    #expect(try client.answer()?.text == "now")
  }

  @Test(arguments: ["012345678", "0123456789X"])
  func `a body that is not of its length is broken off`(body: String) throws {
    let site = try Site()
    let client = try site.client()
    client.get("/sized/s")
    let feed = try site.desk.feed("s")
    feed.give(body, then: .end)
    #expect(try client.answer() == nil)
    #expect(try site.desk.eventually { _ in feed.change(\.ending) } == .failed)
  }

  @Test func `a stream that fails ends without a last chunk`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/stream/s")
    let feed = try site.desk.feed("s")
    feed.give("some")
    feed.give("", then: .fail)
    let text = String(decoding: try client.rest(), as: UTF8.self)
    #expect(text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n"))
    #expect(try site.desk.eventually { _ in feed.change(\.ending) } == .failed)
  }

  @Test func `a stream to a client of 1.0 ends with the connection, and by a reset if it fails`()
    throws
  {
    let site = try Site()
    let client = try site.client()
    client.send("GET /stream/s HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    try site.desk.feed("s").give("whole", then: .end)
    let answer = try client.answer()
    #expect(answer?.text == "whole")
    #expect(answer?.field("connection") == "close")
    #expect(!client.wasReset)

    let other = try site.client()
    other.send("GET /stream/t HTTP/1.0\r\n\r\n")
    try site.desk.feed("t").give("half", then: .fail)
    _ = try other.answer()
    #expect(other.wasReset)
  }

  @Test func `an endless stream learns at once that its client has disconnected`() throws {
    let site = try Site()
    var client: Client? = try site.client()
    client?.get("/events/e")
    let feed = try site.desk.feed("e")
    feed.give("event")
    let answer = try #require(client)
    #expect(answer.hasInput(within: 60_000))
    client = nil
    withExtendedLifetime(answer) { answer.endOutput() }
    let ending = try site.desk.eventually { _ in feed.change(\.ending) }
    #expect(ending == .clientGone)
  }

  @Test(arguments: [
    "GET /events/e HTTP/1.0\r\n\r\n",
    "GET /events/e HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "GET /events/e HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n",
  ])
  func `an endless stream learns it also as the last one of its connection`(
    request: String
  ) throws {
    let site = try Site()
    let client = try site.client()
    client.send(request)
    let feed = try site.desk.feed("e")
    feed.give("event")
    #expect(try client.headOfStream() != nil)
    try site.settle()
    client.get("/now")
    try site.settle()
    client.endOutput()
    let ending = try site.desk.eventually { _ in feed.change(\.ending) }
    #expect(ending == .clientGone)
  }

  @Test func `nothing is kept of what comes behind an endless stream`() throws {
    let site = try Site { $0.uncountedBody = 0 }
    let client = try site.client()
    let post = "POST /later/b HTTP/1.1\r\nHost: h\r\nContent-Length: 600\r\n\r\n"
    let body = String(repeating: "x", count: 600)
    client.get("/later/a")
    client.get("/events/e")
    client.get("/big/1000")
    client.get("/stream/s")
    client.send(post + body + post + String(body.dropLast()))
    let first = try site.desk.responder("a")
    let late = try site.desk.responder("b")
    let (events, stream) = (try site.desk.feed("e"), try site.desk.feed("s"))
    try site.settle()
    // The second body waits in the socket until the first is answered.
    #expect(site.server.bufferedBytes == 600)
    first.send(Response(status: 204))
    events.give("event", then: .end)
    #expect(try client.answer()?.status == 204)
    try site.settle()
    #expect(site.server.bufferedBytes == 0)
    #expect(site.server.waitingOutput == 0)
    #expect(stream.change(\.ending) == .clientGone)
    let handled = site.desk.handled
    client.get("/now")
    late.send(Response(status: 200))
    #expect(try client.answer()?.text == "event")
    #expect(try client.answer() == nil)
    #expect(site.desk.handled == handled)
  }

  @Test func `a source is asked for no more than its client reads`() throws {
    let site = try Site()
    let client = try Client(site.address, receiveBuffer: 4096)
    client.get("/stream/s")
    let feed = try site.desk.feed("s")
    let piece = String(repeating: "x", count: 64 << 10)
    let count = 300
    for index in 0..<count { feed.give(piece, then: index == count - 1 ? .end : .more) }
    for _ in 0..<20 { try site.settle() }
    #expect(feed.change(\.pulled) < count << 16)
    #expect(try client.answer()?.body.count == count << 16)
    #expect(feed.change(\.pulled) == count << 16)
  }

  @Test func `hundreds of streams are fed from another thread`() throws {
    let site = try Site(loops: 2)
    let clients = try (0..<200).map { _ in try site.client() }
    for (index, client) in clients.enumerated() { client.get("/events/\(index)") }
    let feeds = try clients.indices.map { try site.desk.feed("\($0)") }
    for round in 0..<5 {
      for feed in feeds { feed.give("data: \(round)\n\n") }
    }
    for client in clients {
      var text = ""
      _ = try client.headOfStream()
      while text.utf8.count < 45 {
        text += String(decoding: try client.chunk() ?? [0], as: UTF8.self)
      }
      #expect(text == (0..<5).map { "data: \($0)\n\n" }.joined())
    }
  }
}
