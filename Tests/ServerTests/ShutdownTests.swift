import Glibc
import HTTP
import Server
import Synchronization
import Testing

@Suite struct ShutdownTests {
  @Test func `idle connections are closed at once, and no more are accepted`() throws {
    let site = try Site(loops: 2)
    let client = try site.client()
    client.get("/now")
    #expect(try client.answer()?.text == "now")
    let address = site.address
    site.server.shutdown(deadline: 10_000)
    #expect(try client.answer() == nil)
    // A program that another test is just starting has the listener, too, until it has taken its place.
    _ = try site.desk.eventually { _ in (try? Client(address)) == nil ? true : nil }
    #expect(site.server.openConnections == 0)
  }

  @Test func `who comes while what is running is finished is refused at once`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    let responder = try site.desk.responder("a")
    let (server, address) = (site.server, site.address)
    let stopping = try Background { server.shutdown(deadline: 10_000) }
    _ = try site.desk.eventually { _ in server.openConnections == 1 ? true : nil }
    #expect(throws: Client.NotConnected.self) { try Client(address) }
    responder.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    stopping.join()
  }

  @Test func `running requests are finished, and their responses have Connection: close`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    client.get("/later/b")
    client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbo")
    let (first, second) = (try site.desk.responder("a"), try site.desk.responder("b"))
    try site.settle()
    let server = site.server
    let stopping = try Background { server.shutdown(deadline: 10_000) }
    _ = try site.desk.eventually { _ in server.openConnections == 1 ? true : nil }
    first.send(Response(status: 200, body: Array("a".utf8)))
    second.send(Response(status: 200, body: Array("b".utf8)))
    client.send("dy")
    let answers = try (0..<3).map { _ in try client.answer() }
    #expect(answers.map { $0?.text } == ["a", "b", "body"])
    #expect(answers.map { $0?.field("connection") } == [nil, nil, "close"])
    #expect(try client.answer() == nil)
    stopping.join()
  }

  @Test func `an endless stream is ended in good order`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/events/e")
    let feed = try site.desk.feed("e")
    feed.give("event")
    _ = try client.headOfStream()
    #expect(try client.chunk() == Array("event".utf8))
    site.server.shutdown(deadline: 10_000)
    #expect(try client.chunk() == [])
    #expect(feed.change(\.ending) == .shutdown)
  }

  @Test func `what is not finished by the deadline is cut off`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    let responder = try site.desk.responder("a")
    let other = try site.client()
    other.get("/stream/s")
    let feed = try site.desk.feed("s")
    let server = site.server
    let stopping = try Background { server.shutdown(deadline: 3000) }
    _ = try site.desk.eventually { _ in server.openConnections == 2 ? true : nil }
    site.time.advance(3001)
    // Any event has the loop look at the clock.
    feed.give("x")
    stopping.join()
    #expect(try client.answer() == nil)
    #expect(feed.change(\.ending) == .shutdown)
    responder.send(Response(status: 200))
  }

  @Test func `a client that is connected and has not asked yet may still ask`() throws {
    let site = try Site()
    let client = try site.client()
    _ = try site.desk.eventually { _ in site.server.openConnections == 2 ? true : nil }
    let server = site.server
    let stopping = try Background { server.shutdown(deadline: 10_000) }
    _ = try site.desk.eventually { _ in server.openConnections == 1 ? true : nil }
    client.get("/now")
    let answer = try client.answer()
    #expect(answer?.text == "now")
    #expect(answer?.field("connection") == "close")
    stopping.join()
  }

  @Test func `under load every request that was handled is answered`() throws {
    let site = try Site(loops: 2)
    let before = site.desk.handled
    let (address, answered, started) = (site.address, Counter(), Counter())
    let load = try (0..<4).map { _ in
      try Background {
        while let client = try? Client(address) {
          for _ in 0..<20 {
            client.get("/now")
            started.value.add(1, ordering: .relaxed)
            guard (try? client.answer())?.text == "now" else { break }
            answered.value.add(1, ordering: .relaxed)
          }
        }
      }
    }
    while answered.value.load(ordering: .relaxed) < 500 { usleep(500) }
    site.server.shutdown(deadline: 10_000)
    for thread in load { thread.join() }
    #expect(site.desk.handled - before == answered.value.load(ordering: .relaxed))
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }
}
