import Glibc
import HTTP
import Server
import Support
import Testing

@Suite struct CapacityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [1, 2])
  func `beyond the limit no connection is accepted until one closes`(loops: Int) throws {
    let site = try Site(loops: loops) { $0.connections = 3 }
    var first: Client? = try site.client()
    let second = try site.client()
    for client in [first, second] {
      client?.get("/now")
      #expect(try client?.answer()?.text == "now")
    }
    let third = try site.client()
    third.get("/now")
    for _ in 0..<10 { try site.settle() }
    #expect(!third.hasInput())
    #expect(site.server.openConnections == 3)
    let wakeUps = site.desk.change(\.wakeUps)
    usleep(20_000)
    #expect(site.desk.change(\.wakeUps) - wakeUps < 5)
    first = nil
    #expect(try third.answer()?.text == "now")
    second.get("/now")
    #expect(try second.answer()?.text == "now")
  }

  @Test(arguments: [1, 2])
  func `a full server closes what has been idle longest for who waits`(loops: Int) throws {
    // One connection is the site's own.
    let site = try Site(loops: loops) { $0.connections = 4 }
    let clients = try (0..<3).map { _ in
      let client = try site.client()
      client.get("/now")
      #expect(try client.answer()?.text == "now")
      site.time.advance(600)
      return client
    }
    try site.settle()
    let fourth = try site.client()
    fourth.get("/now")
    #expect(try fourth.answer()?.text == "now")
    // Each loop may have closed one.
    #expect((3...4).contains(site.server.openConnections))
    // This one was idle for less than a second.
    clients[2].get("/now")
    #expect(try clients[2].answer()?.text == "now")
  }

  /// The loop that hears of a client may have no idle connection of its own.
  @Test(arguments: [2, 8])
  func `a full server makes room on any of its loops`(loops: Int) throws {
    let site = try Site(loops: loops) { $0.connections = 4 }
    var clients: [Client] = []
    for _ in 0..<20 {
      let client = try site.client()
      client.get("/now")
      #expect(try client.answer()?.text == "now")
      clients.append(client)
      site.time.advance(2_000)
    }
  }

  @Test(arguments: [1, 2])
  func `who comes by the reserved address gets in though the server is full`(loops: Int) throws {
    let path = folder.file("reserved.sock")
    let addresses = [ListenAddress.v4("127.0.0.1", port: 0), .unix(path: path)]
    let site = try Site(loops: loops, addresses: addresses, reserved: 1) { $0.connections = 2 }
    var other: Client? = try site.client()
    other?.get("/now")
    #expect(try other?.answer()?.text == "now")
    let waiting = try site.client()
    waiting.get("/now")
    for _ in 0..<10 { try site.settle() }
    var reserved: [Client] = []
    for _ in 0..<8 {
      let client = try Client(.unix(path: path))
      client.get("/now")
      #expect(try client.answer()?.text == "now")
      reserved.append(client)
    }
    var oneTooMany: Client? = try Client(.unix(path: path))
    oneTooMany?.get("/now")
    for _ in 0..<10 { try site.settle() }
    #expect(oneTooMany?.hasInput() == false)
    #expect(!waiting.hasInput())
    reserved = []
    #expect(try oneTooMany?.answer()?.text == "now")
    #expect(!waiting.hasInput())
    // A connection at the reserved address counts too: the server is full until both are closed.
    other = nil
    for _ in 0..<10 { try site.settle() }
    #expect(!waiting.hasInput())
    oneTooMany = nil
    #expect(try waiting.answer()?.text == "now")
  }

  @Test func `without descriptors one client is disconnected and the others wait`() throws {
    let exhausted = FailingAccepts(EMFILE)
    let site = try Site(accepting: exhausted)
    exhausted.fail(times: 1)
    let turnedAway = try site.client()
    #expect(try turnedAway.answer() == nil)
    let waiting = try site.client()
    waiting.get("/now")
    for _ in 0..<10 { try site.settle() }
    #expect(!waiting.hasInput())
    let wakeUps = site.desk.change(\.wakeUps)
    try site.advance(50)
    #expect(!waiting.hasInput())
    #expect(site.desk.change(\.wakeUps) - wakeUps < 5)
    try site.advance(51)
    #expect(try waiting.answer()?.text == "now")
    #expect(site.server.openConnections == 2)
  }

  @Test(arguments: [ECONNABORTED, EINTR, EAGAIN, EPROTO])
  func `an accept that fails for the client's reasons is only tried again`(error: Int32) throws {
    let failing = FailingAccepts(error)
    let site = try Site(accepting: failing)
    failing.fail(times: 3)
    let client = try site.client()
    client.get("/now")
    #expect(try client.answer()?.text == "now")
    #expect(site.server.openConnections == 2)
  }

  @Test func `what waits for slow readers is bounded in all, and given back`() throws {
    let site = try Site { $0.waitingOutput = 20_000_000 }
    let first = try Client(site.address, receiveBuffer: 4096)
    first.get("/big/18000000")
    _ = try site.desk.eventually { $0.handled == 2 ? true : nil }
    try site.settle()
    #expect(site.server.waitingOutput > 5_000_000)
    let second = try Client(site.address, receiveBuffer: 4096)
    second.get("/big/25000000")
    // A client that reads at once may get so much that less than of the first one waits.
    while !second.hasInput() { usleep(1_000) }
    try site.settle()
    #expect(try second.answer() == nil)
    #expect(try first.answer()?.body.count == 18_000_000)
    try site.settle()
    #expect(site.server.waitingOutput == 0)
  }

  @Test(arguments: [1, 2])
  func `the connection with the most waiting output is closed for one with less`(loops: Int) throws
  {
    let site = try Site(loops: loops) { $0.waitingOutput = 20_000_000 }
    let first = try Client(site.address, receiveBuffer: 4096)
    first.get("/big/18000000")
    while site.server.waitingOutput < 5_000_000 { usleep(1_000) }
    let second = try Client(site.address, receiveBuffer: 4096)
    // Clearly less than what waits for the first one: the system may have taken some megabytes of that.
    second.get("/big/9000000")
    #expect(try first.answer() == nil)
    #expect(first.wasReset)
    #expect(try second.answer()?.body.count == 9_000_000)
    while site.server.waitingOutput > 0 { usleep(1_000) }
  }

  @Test func `answers that wait for the one before them count as what waits for readers`() throws {
    let site = try Site { $0.waitingOutput = 150_000 }
    let client = try site.client()
    client.get("/later/a")
    client.get("/big/100000")
    let responder = try site.desk.responder("a")
    _ = try site.desk.eventually { $0.handled == 3 ? true : nil }
    try site.settle()
    #expect(site.server.waitingOutput == 100_000)
    let other = try site.client()
    other.get("/later/b")
    other.get("/big/100001")
    #expect(try other.answer() == nil)
    #expect(site.server.waitingOutput == 100_000)
    responder.send(Response(status: 204))
    #expect(try client.answer()?.status == 204)
    #expect(try client.answer()?.body.count == 100_000)
    try site.settle()
    #expect(site.server.waitingOutput == 0)
  }

  @Test func `one client's requests come in turns with the others'`() throws {
    let site = try Site { $0.requestsInOneGo = 16 }
    let client = try site.client()
    let count = 1000
    client.send(String(repeating: "HEAD /now HTTP/1.1\r\nHost: h\r\n\r\n", count: count))
    for _ in 0..<count { #expect(try client.answer(toHead: true)?.status == 200) }
    // What has just been read, and once more when all others have been seen to.
    #expect(site.desk.change(\.mostInOneWakeUp) <= 2 * 16 + 1)
  }

  @Test func `one client's slow requests come in turns with the others'`() throws {
    let site = try Site { $0.timeInOneGo = 5_000 }
    site.desk.change { [time = site.time] in $0.work = { time.advance(3) } }
    let client = try site.client()
    let count = 100
    client.send(String(repeating: "HEAD /now HTTP/1.1\r\nHost: h\r\n\r\n", count: count))
    for _ in 0..<count { #expect(try client.answer(toHead: true)?.status == 200) }
    // Two take six milliseconds; they are in what has just been read, and in what was held back.
    #expect(site.desk.change(\.mostInOneWakeUp) <= 2 * 2 + 1)
  }

  @Test func `slow requests of many connections come in turns with the others`() throws {
    let site = try Site { $0.timeInOneGo = 5_000 }
    site.desk.change { [time = site.time] in $0.work = { time.advance(3) } }
    let clients = try (0..<20).map { _ in try site.client() }
    for client in clients {
      client.get("/now")
      #expect(try client.answer()?.status == 200)
    }
    site.desk.change { $0.mostInOneWakeUp = 0 }
    for client in clients { client.get("/now") }
    for client in clients { #expect(try client.answer()?.status == 200) }
    // Two take six milliseconds.
    #expect(site.desk.change(\.mostInOneWakeUp) <= 2)
  }

  @Test func `a body in many small chunks comes in turns with the others`() throws {
    // Each 64 chunks are a turn.
    let site = try Site { $0.timeInOneGo = 0 }
    let client = try site.client()
    let chunks = String(repeating: "1\r\na\r\n", count: 5_000)
    client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
    client.send(chunks + "0\r\n\r\n")
    #expect(try client.answer()?.body.count == 5_000)
  }

  @Test func `many connections on two loops are all served`() throws {
    let site = try Site(loops: 2)
    let clients = try (0..<300).map { _ in try site.client() }
    for client in clients { client.get("/now") }
    for client in clients { #expect(try client.answer()?.text == "now") }
  }
}
