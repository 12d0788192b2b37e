import Foundation
import JSON
import Support
import Synchronization
import Testing

@Suite("Mirrors that are kept by events alone")
struct MirrorTests {
  private static let isThorough =
    ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] != nil
  private static let writers = 10
  private static let readers = 10
  /// Of each writer, between two deaths of the server.
  private static let writes = isThorough ? 400 : 40

  /// What the threads share: the servers, which are killed now and then, and what they were seen to show.
  private final class Shared: Sendable {
    struct State: Sendable {
      /// The last revision, once all writes have ended.
      var end: Int?
      var seen: [Mirror.Showing: [JSONValue]] = [:]
    }
    private let state = Mutex(State())
    let servers: RunningServers

    init(_ servers: RunningServers) { self.servers = servers }

    var end: Int? {
      get { state.withLock { $0.end } }
      set { state.withLock { $0.end = newValue } }
    }

    func see(_ list: String, _ rows: MirroredList) {
      state.withLock {
        $0.seen[Mirror.Showing(list: list, revision: rows.revision)] = rows.rows
      }
    }

    var seen: [Mirror.Showing: [JSONValue]] { state.withLock { $0.seen } }

    /// A connection to any server, as soon as one runs.
    func connect() throws -> Client {
      try poll("a server to connect to") { try? servers.connect() }
    }
  }

  @Test func `equal the rows at every revision that they reach, through cuts and kill -9`() throws {
    let shared = Shared(try RunningServers(["--event-heartbeat", "100ms"]))
    let lists = try makeLists(try shared.connect())

    let mirrors = try onThreads(Self.readers) { number in
      try Self.mirror(number, lists, shared)
    } meanwhile: {
      // The readers are let go whatever goes wrong here.
      defer { if shared.end == nil { shared.end = 0 } }
      for round in 0..<3 {
        _ = try onThreads(Self.writers) { number in
          try Self.write(lists, seed: UInt64(1_000 * round + number), shared)
        } meanwhile: {
          guard round < 2 else { return }
          usleep(300_000)
          try shared.servers.killOne()
        }
      }
      let client = try shared.connect()
      shared.end = try client.send("HEAD", "/v1/events")["rowhouse-revision"].flatMap { Int($0) }
      #expect(shared.end != nil)
    }

    let client = try shared.connect()
    for list in lists {
      let present = try MirroredList(try Mirror.page(of: list, client))
      shared.see(list, present)
      for mirror in mirrors {
        guard let mirrored = mirror.lists[list] else { continue }
        #expect(mirrored.revision == present.revision)
        #expect(mirrored.rows == present.rows)
      }
    }
    // All mirrors of a list at the same revision had the same rows.
    var agreed = shared.seen
    var compared = 0
    for mirror in mirrors {
      #expect(mirror.eventCount > 0)
      for (showing, rows) in mirror.shown {
        if let others = agreed.updateValue(rows, forKey: showing) {
          #expect(others == rows, "\(showing)")
          compared += 1
        }
      }
    }
    #expect(compared > Self.writes)
    #expect(mirrors.reduce(0) { $0 + $1.cutCount } > 0)
    #expect(try shared.servers.stopAndCheck() == .exit(0))
  }

  /// The root list with two lists, and one below; each with some things.
  private func makeLists(_ client: Client) throws -> [String] {
    let first = try client.makeList("First")
    let lists = [first, try client.makeList("Second"), try client.makeList("Inner", in: first)]
    for list in lists {
      for number in 0..<6 { try client.makeThing("Thing \(number)", in: list) }
    }
    let root = try #require(try client.get("/v1/lists/root").text("/id"))
    return lists + [root]
  }

  private static func mirror(
    _ number: Int, _ lists: [String], _ shared: Shared
  ) throws -> Mirror {
    var random = SplitMix64(seed: UInt64(77 + number))
    var mirror = Mirror(isOfInventory: number % 2 == 0)
    // Some readers lose their connections far more often than others.
    let often = number < 4 ? 12 : 0
    while true {
      do {
        try mirror.follow(
          mirror.isOfInventory ? lists : [lists[number / 2 % lists.count]], shared.connect,
          cut: { often > 0 && Int.random(in: 0..<often, using: &random) == 0 },
          until: { shared.end })
        return mirror
      } catch is Client.Fault {
      } catch is SystemFault {
      }
    }
  }

  /// Makes changes of all kinds at random; what the server refuses does not matter.
  private static func write(_ lists: [String], seed: UInt64, _ shared: Shared) throws {
    var random = SplitMix64(seed: seed)
    var client = try shared.connect()
    var count = 0
    while count < writes {
      do {
        let list = lists[Int.random(in: 0..<lists.count, using: &random)]
        let page = try MirroredList(try Mirror.page(of: list, client))
        shared.see(list, page)
        try change(list, page, lists, &random, client)
        count += 1
      } catch is Client.Fault {
        client = try shared.connect()
      } catch is SystemFault {
        client = try shared.connect()
      }
    }
  }

  private static func change(
    _ list: String, _ page: MirroredList, _ lists: [String],
    _ random: inout SplitMix64, _ client: Client
  ) throws {
    let path = "/v1/lists/\(list)"
    let count = page.rows.count
    let index = Int.random(in: 0..<max(1, count), using: &random)
    let row: JSONValue? = count > 0 ? page.rows[index] : nil
    let id = row?["id"]?.text ?? ""
    let isItem = row?["type"]?.text == "item"
    let kind = count < 4 ? 0 : Int.random(in: count > 40 ? 6..<20 : 0..<20, using: &random)
    let answer: Answer
    switch kind {
    case 0..<5:
      answer = try client.send(
        "POST", path + "/items",
        [
          "name": .string("New \(random.next() % 1_000)"), "position": ["index": .init(index)],
          "valueInDollars": .init(Int(random.next() % 100)),
        ])
    case 5:
      answer = try client.send("POST", "/v1/lists", ["title": "A list", "parentId": .string(list)])
    case 6..<10:
      let to = Int.random(in: 0..<max(1, count), using: &random)
      answer = try client.moveRow(of: list, from: index, to: to)
    case 10..<13:
      let target = lists[Int.random(in: 0..<lists.count, using: &random)]
      guard isItem else { return }
      answer = try client.send(
        "POST", "/v1/rows/\(id)/move", ["listId": .string(target), "position": "first"])
    case 13..<16:
      guard isItem else { return }
      let name = "Renamed \(random.next() % 1_000)"
      answer = try client.send("PATCH", "/v1/items/\(id)", ["name": .string(name)])
    case 16:
      answer = try client.send("PATCH", path, ["title": .string("List \(random.next() % 9)")])
    case 17:
      answer = try client.send(
        "POST", path + "/reorder", ["sort": kind % 2 == 0 ? "title" : "-title"])
    default:
      guard isItem else { return }
      answer = try client.send("DELETE", "/v1/rows/\(id)")
    }
    guard [200, 201, 404, 409, 410, 422].contains(answer.status) else {
      throw MirroredList.Fault("\(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
    }
  }
}
