import HTTP
import Testing

/// Only the test moves the clock, so nothing here waits for time to pass. A deadline comes up
/// at most half a second late.
@Suite struct DeadlineTests {
  /// A whole request in the same segment: once it is answered, what follows it has been read, too.
  private static let now = "GET /now HTTP/1.1\r\nHost: h\r\n\r\n"

  private func refused(after time: Int64, _ request: String, as code: String?) throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.now + request)
    #expect(try client.answer()?.text == "now")
    try site.advance(time - 1)
    #expect(!client.hasInput())
    try site.advance(513)
    let answer = try client.answer()
    #expect(answer?.text == code)
    if code != nil {
      #expect(answer?.status == 408)
      #expect(answer?.field("connection") == "close")
      client.endOutput()
      #expect(try client.answer() == nil)
    }
  }

  @Test func `a connection without a request is closed after 75 seconds, without a word`() throws {
    try refused(after: 75_000, "", as: nil)
  }

  @Test func `a header section has ten seconds from its first byte`() throws {
    try refused(after: 10_000, "GET", as: "header_timeout")
    try refused(after: 10_000, "GET / HTTP/1.1\r\nHost: h\r\n", as: "header_timeout")
  }

  @Test func `a buffered body has thirty seconds`() throws {
    let head = "POST /echo HTTP/1.1\r\nHost: h\r\n"
    try refused(after: 30_000, head + "Content-Length: 5\r\n\r\nhell", as: "body_timeout")
    try refused(
      after: 30_000, head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
      as: "body_timeout")
  }

  @Test func `a connection without any request is closed, too`() throws {
    let site = try Site()
    let client = try site.client()
    _ = try site.desk.eventually { _ in site.server.openConnections == 2 ? true : nil }
    try site.settle()
    try site.advance(75_600)
    #expect(try client.answer() == nil)
  }

  @Test func `bytes that trickle in put no deadline off`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.now + "GET /")
    #expect(try client.answer()?.text == "now")
    for _ in 0..<9 {
      client.send("x")
      try site.advance(1000)
      #expect(!client.hasInput())
    }
    client.send("x")
    try site.advance(1600)
    #expect(try client.answer()?.text == "header_timeout")
  }

  @Test func `each request starts its own time`() throws {
    let site = try Site()
    let client = try site.client()
    for _ in 0..<5 {
      client.send(Self.now)
      #expect(try client.answer()?.text == "now")
      try site.advance(70_000)
    }
    client.send(Self.now)
    #expect(try client.answer()?.text == "now")
  }

  @Test func `a client that waits for its answer is not hurried`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    let responder = try site.desk.responder("a")
    try site.advance(1_000_000)
    responder.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    try site.advance(74_000)
    client.get("/now")
    #expect(try client.answer()?.text == "now")
  }

  @Test func `a streamed body may take its time at a kibibyte a second, and not less`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(Self.now + "POST /upload/u HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n")
    #expect(try client.answer()?.text == "now")
    let feed = try site.desk.feed("u")
    var sent = 0
    for _ in 0..<8 {
      client.send([UInt8](repeating: 0x78, count: 11_000))
      sent += 11_000
      let expected = sent
      _ = try site.desk.eventually { _ in feed.change { $0.received.count == expected ? true : nil }
      }
      try site.advance(10_513)
      #expect(!client.hasInput())
    }
    client.send([UInt8](repeating: 0x78, count: 9_000))
    let expected = sent + 9_000
    _ = try site.desk.eventually { _ in feed.change { $0.received.count == expected ? true : nil } }
    try site.advance(10_513)
    #expect(try client.answer()?.text == "body_timeout")
    #expect(feed.change(\.isBroken))
  }

  @Test func `a client whose receiver waits is not hurried`() throws {
    let site = try Site()
    let client = try site.client()
    client.send(
      Self.now + "POST /held-upload/u HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nabc")
    #expect(try client.answer()?.text == "now")
    let feed = try site.desk.feed("u")
    try site.advance(1_000_000)
    #expect(!client.hasInput())
    feed.release()
    client.send("def")
    #expect(try client.answer()?.text == "6")
  }

  @Test func `a client that does not read is disconnected, and its stream is ended`() throws {
    let site = try Site()
    let client = try Client(site.address, receiveBuffer: 4096)
    client.get("/stream/s")
    let feed = try site.desk.feed("s")
    for _ in 0..<400 { feed.give(String(repeating: "x", count: 64 << 10), then: .more) }
    for _ in 0..<20 { try site.settle() }
    try site.advance(29_000)
    #expect(feed.change(\.ending) == nil)
    // The first window may have begun with some progress still to come.
    for _ in 0..<3 { try site.advance(30_600) }
    #expect(feed.change(\.ending) == .readerTooSlow)
    _ = try client.answer()
    #expect(client.wasReset)
  }

  @Test func `a reader at a fair rate is not cut off`() throws {
    let site = try Site()
    let client = try Client(site.address, receiveBuffer: 4096)
    let size = 30_000_000
    client.get("/big/\(size)")
    _ = try site.desk.eventually { $0.handled >= 2 ? true : nil }
    try site.settle()
    var taken = 0
    for _ in 0..<10 {
      taken += try client.take(2_000_000)
      for _ in 0..<3 { try site.settle() }
      try site.advance(30_600)
    }
    taken += try client.take(size - taken)
    #expect(taken >= size)
  }

  @Test func `a client that keeps sending after its refusal is disconnected in the end`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("BAD\r\n")
    #expect(try client.answer()?.status == 400)
    #expect(try client.answer() == nil)
    try site.settle()
    #expect(site.server.openConnections == 2)
    try site.advance(5_600)
    _ = try site.desk.eventually { _ in site.server.openConnections == 1 ? true : nil }
  }
}
