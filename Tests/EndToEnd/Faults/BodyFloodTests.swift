import Foundation
import Support
import Synchronization
import Testing

@Suite("A flood of bodies", .serialized)
struct BodyFloodTests {
  private static let clients = FaultyDisk.isThorough ? 10_000 : 400
  /// In all; far less than they send.
  private static let permitted = FaultyDisk.isThorough ? 64 : 16

  @Test(.enabled(if: Crowd.isPermitted(clients)))
  func `is refused beyond the limit, takes little memory, and does not block other writers`()
    throws
  {
    let folder = try TemporaryFolder()
    let server = try RunningServer(
      database: folder.database,
      [
        "--connections", "11000", "--log-format", "none", "--buffered-bodies",
        "\(Self.permitted)MiB", "--body-time", "3600s", "--idle-time", "3600s",
      ])
    let list = try server.connect().makeList("Shelf")
    let isOver = Mutex(false)
    // Made beforehand, since it is within what is counted as open.
    let client = try server.connect()
    let flood = try BodyFlood(Self.clients, bytes: 1 << 20, port: server.port)
    let others = try onThreads(1) { _ in
      let client = try server.connect()
      var made = 0
      repeat {
        try client.makeThing("thing \(made)", in: list)
        made += 1
        let page = try client.get("/v1/lists/\(list)/rows?limit=1")
        try #require(page.number("/count") == made)
        usleep(10_000)
      } while !isOver.withLock { $0 }
      return made
    } meanwhile: {
      defer { isOver.withLock { $0 = true } }
      #expect(flood.send(seconds: 600))
      // What was sent may still be on its way.
      _ = try poll("refusals") {
        flood.listen()
        return flood.answers(503) >= Self.clients - Self.permitted ? true : nil
      }
      // While what fits is held, and nothing more would.
      for number in 0..<20 { try client.makeThing("other \(number)", in: "root") }
    }
    #expect(flood.answers(503) + flood.holding == Self.clients)
    #expect(flood.holding > 0)
    let peak = try ProcessMemory(server.process.pid).peak()
    #expect(peak <= 256 << 20, "\(peak >> 20) MiB")
    if FaultyDisk.isThorough {
      print(
        "\(Self.clients) bodies of 1 MiB: \(flood.answers(503)) refused, \(peak >> 20) MiB at most,",
        "\(others[0]) writes of others meanwhile")
    }
    #expect(try server.connect().get("/v1/lists/\(list)").number("/rowCount") == others[0])
  }
}
