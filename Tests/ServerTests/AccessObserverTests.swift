import HTTP
import Server
import Testing

@Suite struct AccessObserverTests {
  private let records = AccessRecords()

  /// What a test compares of a record.
  private func summary(_ record: AccessRecord) -> String {
    let status = record.status.map(String.init) ?? "-"
    return "\(record.method?.name ?? "-") \(record.route ?? "-") \(status) "
      + "\(record.requestID ?? "-")"
  }

  @Test func `a request is reported with its method, route, status, id and sent bytes`()
    throws
  {
    let site = try Site(observer: records)
    let client = try site.client()
    client.send("POST /known/a?secret=s HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi")
    let bytes = try client.rest()
    let record = try #require(try records.wait(for: 1).first)
    #expect(summary(record) == "POST /known/{name} 200 id-a")
    #expect(record.bytes == bytes.count)
    #expect(record.peer?.family == .v4)
    #expect(record.time == 784_111_777_000)
  }

  @Test func `time runs from the first byte to the answer`() throws {
    let site = try Site(observer: records)
    let client = try site.client()
    // Once it is accepted for sure, what it sends is read in the next wake-up.
    client.get("/now")
    #expect(try client.answer()?.text == "now")
    client.send("GET /later/a HTTP/1.1\r\n")
    try site.settle()
    try site.advance(300)
    client.send("Host: h\r\n\r\n")
    let responder = try site.desk.responder("a")
    try site.advance(200)
    responder.send(Response(status: 201))
    #expect(try client.answer()?.status == 201)
    #expect(try records.wait(for: 2).map(\.microseconds) == [0, 500_000])
  }

  @Test func `requests in one segment are reported in the order of their answers`() throws {
    let site = try Site(observer: records)
    let client = try site.client()
    client.send(
      "GET /known/1 HTTP/1.1\r\nHost: h\r\n\r\nHEAD /known/2 HTTP/1.1\r\nHost: h\r\n\r\n"
        + "GET /early HTTP/1.1\r\nHost: h\r\n\r\nG@T / HTTP/1.1\r\n\r\n")
    _ = try client.rest()
    #expect(
      try records.wait(for: 4).map(summary) == [
        "GET /known/{name} 200 id-1", "HEAD /known/{name} 200 id-2", "GET - 404 -", "- - 400 -",
      ])
  }

  @Test func `a stream is reported when it ends, with all its bytes`() throws {
    let site = try Site(observer: records)
    let client = try site.client()
    client.get("/stream/a")
    let feed = try site.desk.feed("a")
    try site.settle()
    #expect(records.all.isEmpty)
    feed.give("hello")
    try site.settle()
    feed.give("", then: .end)
    let head = try #require(try client.headOfStream())
    while let chunk = try client.chunk(), !chunk.isEmpty {}
    let record = try #require(try records.wait(for: 1).first)
    #expect(record.status == 200)
    #expect(record.bytes == head.utf8.count + "5\r\nhello\r\n0\r\n\r\n".utf8.count)
  }

  @Test(arguments: [
    (Self.trace, Self.trace), ("00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01", nil),
    (Self.trace + "-more", nil), (String(Self.trace.dropLast()), nil), ("x y", nil),
    (Self.trace.replacing("-01", with: " 01"), nil),
  ])
  func `the trace of a request is reported if it is valid`(
    sent: String, told: String?
  ) throws {
    let site = try Site(observer: records)
    let client = try site.client()
    client.send("GET /known/a HTTP/1.1\r\nHost: h\r\ntraceparent: \(sent)\r\n\r\n")
    _ = try client.answer()
    #expect(try records.wait(for: 1).first?.traceParent == told)
  }

  private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func `a client that leaves before its answer is reported without a status`() throws {
    let site = try Site(observer: records)
    let waiting = try site.client()
    waiting.get("/later/a")
    let responder = try site.desk.responder("a")
    waiting.reset()
    #expect(try records.wait(for: 1).map(summary) == ["GET - - -"])
    responder.send(Response(status: 200))
    try site.settle()
    #expect(records.all.count == 1)
  }

  @Test func `a body that breaks off is reported without a status`() throws {
    let site = try Site(observer: records)
    let client = try site.client()
    client.get("/now")
    #expect(try client.answer()?.text == "now")
    client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
    try site.settle()
    client.reset()
    #expect(try records.wait(for: 2).map(summary) == ["GET - 200 -", "POST - - -"])
  }
}
