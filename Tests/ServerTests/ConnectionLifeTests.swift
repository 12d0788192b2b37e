import Glibc
import HTTP
import Server
import Support
import Testing

@Suite struct ConnectionLifeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a client of 1.0 is closed on unless it asks otherwise`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(try client.answer()?.field("connection") == "keep-alive")
    client.send("GET /b HTTP/1.0\r\n\r\n")
    #expect(try client.answer()?.field("connection") == "close")
    #expect(try client.answer() == nil)
  }

  @Test func `a client that shuts down its side still gets its answers`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    client.get("/now")
    client.endOutput()
    let responder = try site.desk.responder("a")
    try site.settle()
    responder.send(Response(status: 200, body: Array("a".utf8)))
    #expect(try client.answer()?.text == "a")
    #expect(try client.answer()?.text == "now")
    #expect(try client.answer() == nil)
  }

  @Test(arguments: ["/later/a", "/later/a HTTP/1.0"])
  func `a handler learns that the client has disconnected`(request: String) throws {
    let site = try Site()
    let client = try site.client()
    // Over 1.0 the connection takes nothing more, and is watched all the same.
    let isOld = request.hasSuffix("1.0")
    client.send("GET \(request)\(isOld ? "" : " HTTP/1.1")\r\nHost: h\r\n\r\n")
    let responder = try site.desk.responder("a")
    try site.settle()
    #expect(!responder.client.isGone)
    client.endOutput()
    try site.settle()
    try site.advance(400)
    #expect(!responder.client.isGone)
    // Most who shut down their side are gone; one that is not is still sent what is ready.
    try site.advance(1_200)
    #expect(responder.client.isGone)
    responder.send(Response(status: 200, body: Array("a".utf8)))
    #expect(try client.answer()?.text == "a")
  }

  @Test func `a client that resets its connection has left at once`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    let responder = try site.desk.responder("a")
    client.reset()
    _ = try site.desk.eventually { _ in responder.client.isGone ? true : nil }
  }

  @Test func `a request cut off by the client's end is not handled`() throws {
    let site = try Site()
    let before = site.desk.handled
    let client = try site.client()
    client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")
    client.endOutput()
    #expect(try client.rest().isEmpty)
    #expect(site.desk.handled == before)
    #expect(site.server.bufferedBytes == 0)
  }

  @Test func `HEAD has the fields of GET and no body`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("HEAD /big/1234 HTTP/1.1\r\nHost: h\r\n\r\n")
    let head = try client.answer(toHead: true)
    #expect(head?.field("content-length") == "1234")
    client.send("HEAD /stream/s HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.answer(toHead: true)?.status == 200)
    #expect(try site.desk.feed("s").change(\.ending) == .complete)
    client.get("/now")
    #expect(try client.answer()?.text == "now")
  }

  @Test func `a HEAD that can't be read is refused without a body`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("HEAD /a/../b HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.answer(toHead: true)?.status == 400)
    #expect(try client.rest().isEmpty)
  }

  @Test(arguments: [204, 304])
  func `an answer without a body leaves the connection in step`(status: Int) throws {
    let site = try Site()
    let client = try site.client()
    client.get("/status/\(status)")
    client.get("/now")
    let answer = try client.answer()
    #expect(answer?.status == status)
    #expect(answer?.field("etag") == "\"1\"")
    #expect(answer?.field("content-length") == nil)
    #expect(try client.answer()?.text == "now")
  }

  @Test func `the server itself answers a question about the server`() throws {
    let site = try Site()
    let client = try site.client()
    client.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
    let answer = try client.answer()
    #expect(answer?.status == 204)
    #expect(answer?.field("allow") == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    client.get("/now")
    #expect(try client.answer()?.text == "now")
  }

  @Test func `an unanswered request gets a 500`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/dropped")
    client.get("/now")
    let answer = try client.answer()
    #expect(answer?.status == 500)
    #expect(answer?.text == "unanswered")
    #expect(answer?.field("asked") == "/dropped")
    #expect(try client.answer()?.text == "now")
  }

  @Test func `an answer to a client that has gone is dropped`() throws {
    let site = try Site()
    let client = try site.client()
    client.get("/later/a")
    let responder = try site.desk.responder("a")
    client.reset()
    _ = try site.desk.eventually { _ in site.server.openConnections == 1 ? true : nil }
    responder.send(Response(status: 200))
    // The next to connect has the same descriptor in the server.
    let next = try site.client()
    next.get("/now")
    #expect(try next.answer()?.text == "now")
  }

  @Test(arguments: [
    "127.0.0.1:0", "[::1]:0", "unix:FOLDER/server.sock", "unix:FOLDER/group.sock?mode=0660",
    "unix:FOLDER/all.sock?mode=0666",
    "localhost:0",
  ])
  func `every kind of address is served and distinguishes its clients`(text: String) throws {
    let address = try #require(ListenAddress(text.replacing("FOLDER", with: folder.path)))
    let site = try Site(addresses: [.v4("127.0.0.1", port: 0), address])
    let bound = site.server.addresses[1]
    let client = try Client(bound)
    client.get("/now")
    #expect(try client.answer()?.text == "now")
    let peer = try #require(site.desk.change { $0.peers.last })
    #expect(peer.listener == 1)
    switch bound.isUnix ? address : bound {
    case .v4: #expect(peer.description.hasPrefix("127.0.0.1:"))
    case .v6: #expect(peer.description.hasPrefix("[0:0:0:0:0:0:0:1]:"))
    case .inherited, .named: Issue.record("not a way in by itself")
    case .unix(let path, let mode):
      #expect(peer.description == "unix")
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == mode ?? 0o600)
      site.server.shutdown(deadline: 0)
      #expect(stat(path, &status) != 0)
    }
  }

  @Test func `a socket that was handed down is served, and clients lose nothing meanwhile`() throws
  {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(raw, $0, 16) }
    }
    try #require(bound == 0 && listen(raw, 10) == 0)
    let first = try Site(addresses: [.inherited(descriptor: fcntl(raw, F_DUPFD_CLOEXEC, 3))])
    try first.settle()
    let address4 = first.address
    first.server.shutdown(deadline: 1000)
    let waiting = try Client(address4)
    waiting.get("/now")
    let second = try Site(addresses: [.inherited(descriptor: raw)])
    #expect(try waiting.answer()?.text == "now")
    #expect(second.address == address4)
  }

  @Test func `a descriptor that does not listen is refused`() throws {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #expect(throws: ServerError.badAddress(.inherited(descriptor: raw))) {
      try Site(addresses: [.inherited(descriptor: raw)])
    }
  }

  @Test func `a Unix socket that somebody listens on is left alone, a stale one is replaced`()
    throws
  {
    let path = folder.file("stale.sock")
    let first = try Site(addresses: [.unix(path: path)])
    #expect(throws: ServerError.socketInUse(path: path)) {
      try Site(addresses: [.unix(path: path)])
    }
    try first.settle()
    let saved = path + ".old"
    #expect(link(path, saved) == 0)
    first.server.shutdown(deadline: 0)
    #expect(rename(saved, path) == 0)
    let second = try Site(addresses: [.unix(path: path)])
    try second.settle()
  }

  @Test func `a file that is no socket is never taken for a stale one`() throws {
    let path = folder.file("file.sock")
    try "kept".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: ServerError.notASocket(path: path)) {
      try Site(addresses: [.unix(path: path)])
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
  }

  @Test func `an address that is taken or none is refused`() throws {
    let site = try Site()
    #expect(throws: ServerError.failed(call: "bind", errno: EADDRINUSE, address: site.address)) {
      try Site(addresses: [site.address])
    }
    #expect(throws: ServerError.badAddress(.v4("localhost", port: 1))) {
      try Site(addresses: [.v4("localhost", port: 1)])
    }
  }
}

extension ListenAddress {
  fileprivate var isUnix: Bool { if case .unix = self { true } else { false } }
}
