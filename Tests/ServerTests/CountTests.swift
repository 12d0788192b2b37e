import Glibc
import HTTP
import Server
import Synchronization
import Testing

@Suite("What a server counts")
struct CountTests {
  private final class Inbox: Sendable {
    private let counts = Mutex<ServerCounts?>(nil)

    func put(_ counts: ServerCounts) { self.counts.withLock { $0 = counts } }

    func wait() throws -> ServerCounts {
      for _ in 0..<60_000 {
        if let counts = counts.withLock({ $0 }) { return counts }
        usleep(1_000)
      }
      throw Client.Timeout()
    }
  }

  private func report(_ site: Site) throws -> ServerCounts {
    let inbox = Inbox()
    site.server.report { inbox.put($0) }
    return try inbox.wait()
  }

  /// How many requests there were of each kind, without those by which a test waits.
  private func kinds(_ counts: ServerCounts) -> [String: Int] {
    var kinds: [String: Int] = [:]
    for loop in counts.loops {
      for requests in loop.requests where requests.route != nil || requests.status != 200 {
        let kind =
          "\(requests.method.map { "\($0)" } ?? "-") \(requests.route.map { "\($0)" } ?? "-") "
          + (requests.status.map(String.init) ?? "-")
        kinds[kind, default: 0] += requests.durations.count
      }
    }
    return kinds
  }

  @Test(arguments: [1, 3])
  func `requests by route, method and status, over all loops`(loops: Int) throws {
    let site = try Site(loops: loops)
    for number in 0..<6 {
      let client = try site.client()
      client.get("/known/\(number)")
      #expect(try client.answer()?.status == 200)
      client.send("HEAD /known/a HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = try client.headOfStream()
    }
    let client = try site.client()
    client.send("GET /early HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.answer()?.status == 404)
    client.send("BREW /early HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.answer()?.status == 404)
    client.send("G@T / HTTP/1.1\r\n\r\n")
    _ = try client.rest()
    let counts = try report(site)
    #expect(counts.loops.count == loops)
    #expect(
      kinds(counts) == [
        "GET /known/{name} 200": 6, "HEAD /known/{name} 200": 6, "GET - 404": 1, "other - 404": 1,
        "- - 400": 1,
      ])
  }

  @Test func `durations fall into their buckets`() throws {
    let site = try Site()
    for milliseconds: Int64 in [0, 1, 3, 20_000] {
      let client = try site.client()
      client.get("/later/a")
      let responder = try site.desk.responder("a")
      try site.advance(milliseconds)
      var response = Response(status: 200)
      response.route = "/later"
      responder.send(response)
      _ = try client.answer()
    }
    let requests = try #require(
      try report(site).loops[0].requests.first { $0.route.map { "\($0)" } == "/later" })
    #expect(requests.durations.count == 4)
    #expect(requests.durations.sum == 20_004_000)
    let filled = requests.durations.buckets.enumerated().filter { $0.element > 0 }
    #expect(filled.map(\.offset) == [0, 3, 5, DurationHistogram.bounds.count])
    #expect(filled.map(\.element) == [1, 1, 1, 1])
  }

  @Test func `a stream counts once, when it ends`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/stream/a")
    let feed = try site.desk.feed("a")
    try site.settle()
    let before = try report(site).loops[0].requests.map(\.durations.count).reduce(0, +)
    feed.give("", then: .end)
    _ = try client.headOfStream()
    while let chunk = try client.chunk(), !chunk.isEmpty {}
    let after = try report(site).loops[0].requests.map(\.durations.count).reduce(0, +)
    #expect(after == before + 1)
  }

  @Test func `bytes and connections are counted on both sides alike`() throws {
    let site = try Site()
    let start = try report(site)
    let client = try site.client()
    let request = "POST /known/a HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi"
    client.send(request)
    let bytes = try client.rest()
    let end = try report(site)
    #expect(end.loops[0].bytesReceived - start.loops[0].bytesReceived == request.utf8.count)
    #expect(end.loops[0].bytesSent - start.loops[0].bytesSent == bytes.count)
    #expect(end.loops[0].connections - start.loops[0].connections == 1)
    #expect(end.openConnections >= 1)
  }

  @Test func `refusals are counted by their codes`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("POST /small/a HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n")
    #expect(try client.answer()?.status == 413)
    #expect(try report(site).loops[0].refusals == ["body_too_large": 1])
  }

  @Test func `a server that has stopped still answers`() throws {
    let site = try Site(loops: 2)
    site.server.shutdown(deadline: 0)
    #expect(try report(site).loops.isEmpty)
  }
}
