import Foundation
import HTTP
import Inventory
import JSON
import Storage
import Support
import Testing

/// Clients that were offline change the same lists. Requests and answers get lost, arrive twice or late, and the server is
/// started again in between. The model on arrays explains every outcome.
@Suite("Several clients that were offline")
struct SyncHistoryTests {
  /// `ROWHOUSE_TEST_SEEDS` asks for more, `ROWHOUSE_TEST_FIRST_SEED` for others.
  static let seeds: Range<UInt64> = {
    func number(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    let first = number("ROWHOUSE_TEST_FIRST_SEED") ?? 0
    return first..<first + (number("ROWHOUSE_TEST_SEEDS") ?? 30)
  }()

  @Test(arguments: seeds)
  func `lose no command, do none twice, and end with the same rows`(seed: UInt64) throws {
    let house = try OfflineHouse(seed: seed)
    for _ in 0..<150 { try house.step() }
    try house.end()
  }
}

/// A server and its offline clients.
private final class OfflineHouse {
  private typealias Command = SyncServer.Command

  private struct Client {
    let id = SyncWorld.id()
    /// What the person sees: the server's rows at the last answer, and what was done since.
    var view: SyncModel
    /// The commands whose outcomes are unknown.
    var queue: [Command] = []
    var next = 1
    /// The numbers of the commands whose outcomes have arrived.
    var known: [Int] = []
  }

  private let folder: TemporaryFolder
  /// Nil only between a stop and the next start.
  private var server: (database: DatabaseStore, service: Service)?
  private var expected: SyncServer
  private var clients: [Client] = []
  /// Batches that arrive once more, some time.
  private var late: [(client: Int, batch: [Command])] = []
  private var chooser: RandomIntent
  private var starts = 0

  init(seed: UInt64) throws {
    chooser = RandomIntent(seed: seed)
    folder = try TemporaryFolder()
    let database = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    let service = try Service(asking: database)
    server = (database, service)
    let root = try service.get("/v1/lists/root")
    expected = SyncServer(
      SyncModel(top: try #require(root.text("/id")), title: try #require(root.text("/title"))))
    let view = expected.model
    clients = (0..<4).map { _ in Client(view: view) }
  }

  deinit { server?.database.close() }

  private func restart() throws {
    guard let old = server?.database else { return }
    old.close()
    server = nil
    // The closed store still locks its own file, and open sessions may keep its WAL.
    starts += 1
    let path = folder.file("\(starts).sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: old.path + suffix) {
      try FileManager.default.copyItem(atPath: old.path + suffix, toPath: path + suffix)
    }
    let database = try DatabaseStore(DatabaseStore.Configuration(path: path))
    server = (database, try Service(asking: database))
  }

  private func send(_ path: String, _ body: JSONValue) throws -> Answer {
    try #require(server).service.send(.post, path, body)
  }

  private func get(_ path: String) throws -> Answer { try #require(server).service.get(path) }

  func step() throws {
    let client = chooser.number(0..<clients.count)
    switch chooser.number(0..<20) {
    case 0: try restart()
    case 1:
      guard let index = late.indices.randomElement(using: &chooser.random) else { return }
      let (client, batch) = late.remove(at: index)
      try deliver(batch, of: client)
    case 2..<11:
      for _ in 0..<chooser.number(1..<7) { act(client) }
    default: try send(client)
    }
  }

  /// Sends the beginning of a client's queue. It may get lost, and so may the answer.
  private func send(_ client: Int) throws {
    let queue = clients[client].queue
    guard !queue.isEmpty else { return }
    let batch = Array(queue.prefix(chooser.number(1..<queue.count + 1)))
    let fate = chooser.number(0..<10)
    if fate == 0 { return }
    if fate == 1 { late.append((client, batch)) }
    try deliver(batch, of: client)
    if fate == 2 { try deliver(batch, of: client) }
    if fate == 3 { try restart() }
    guard fate < 3 || fate > 5 else { return }
    acknowledge(try deliver(batch, of: client), client)
  }

  /// Has the server and the model take a batch, and compares the outcomes.
  @discardableResult
  private func deliver(_ batch: [Command], of client: Int) throws -> [JSONValue] {
    let answer = try send(
      "/v1/sync",
      SyncWorld.batch(
        batch.map(\.intent.json), from: batch[0].number, client: clients[client].id))
    try #require(answer.status == 200)
    try #require(answer["/problem"] == .null, "\(String(decoding: answer.body, as: UTF8.self))")
    let outcomes = (answer["/outcomes"]?.array ?? []).map { SyncServer.comparable($0) }
    let model = expected.take(batch, of: clients[client].id).map { SyncServer.comparable($0) }
    try #require(outcomes == model, "\(batch)")
    return outcomes
  }

  private func acknowledge(_ outcomes: [JSONValue], _ client: Int) {
    for outcome in outcomes {
      // A client that sends its queue in order never asks too late.
      #expect(outcome["outcome"] != "repeated")
      clients[client].known.append(clients[client].queue.removeFirst().number)
    }
    clients[client].view = expected.model
    for command in clients[client].queue { clients[client].view.make(command.intent) }
  }

  /// Has a person do something to what the client shows.
  private func act(_ client: Int) {
    let view = clients[client].view
    let rows = view.nodes.keys.filter(view.isRow).sorted()
    let intent =
      rows.count < 40 ? chooser.next(on: view) : .delete(rows[0], isRecursive: true)
    clients[client].queue.append((clients[client].next, intent))
    clients[client].next += 1
    clients[client].view.make(intent)
  }

  /// Sends all that is left, and compares what is there.
  func end() throws {
    for (client, batch) in late { try deliver(batch, of: client) }
    for index in clients.indices {
      while !clients[index].queue.isEmpty {
        acknowledge(try deliver(Array(clients[index].queue.prefix(200)), of: index), index)
      }
      let client = clients[index]
      // Every command has its outcome, and is done once.
      #expect(client.known == Array(1..<client.next))
      #expect(expected.last[client.id] ?? 0 == client.next - 1)
    }
    for list in expected.model.rows.keys {
      let page = try get("/v1/lists/\(list)/rows?limit=1000")
      #expect(page["/rows"]?.array == expected.model.rows(of: list))
    }
    for item in expected.model.read.filter(expected.model.isLive) {
      let answer = try get("/v1/items/\(item)")
      for (name, value) in expected.model.nodes[item]?.details.members ?? [] {
        #expect(answer["/\(name)"] == value)
      }
    }
    let trash = try get("/v1/trash?limit=1000")
    #expect(Set(trash.texts("/trash", "id")) == expected.model.deleted)
    let log = try get("/v1/changes?limit=1")
    #expect(log.number("/changes/0/revision") == expected.model.revision)
  }
}
