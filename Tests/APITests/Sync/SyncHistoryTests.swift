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
  private typealias Command = (number: Int, intent: SyncModel.Intent)

  private struct Client {
    let id = SyncWorld.id()
    /// What the person sees: the server's rows at the last answer, and what was done since.
    var view: SyncModel
    /// The commands whose outcomes are unknown.
    var queue: [Command] = []
    var next = 1
    /// The outcomes that have arrived, by number.
    var known: [Int: SyncModel.Outcome] = [:]
  }

  private let folder: TemporaryFolder
  /// Nil only between a stop and the next start.
  private var server: (database: SQLiteStore, service: Service)?
  private var model: SyncModel
  private var clients: [Client] = []
  /// Batches that arrive once more, some time.
  private var late: [(client: Int, batch: [Command])] = []
  private var random: SplitMix64
  private var starts = 0
  private let firstRevision: Int

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    folder = try TemporaryFolder()
    let database = try SQLiteStore(SQLiteStore.Configuration(path: folder.database))
    let service = try Service(asking: database)
    server = (database, service)
    let lists = try (0..<2).map { try service.makeList("List \($0)").id }
    let root = try #require(try service.get("/v1/lists/root").text("/id"))
    let view = SyncModel(rows: [root: lists, lists[0]: [], lists[1]: []])
    model = view
    clients = (0..<4).map { _ in Client(view: view) }
    firstRevision = lists.count
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
    let database = try SQLiteStore(SQLiteStore.Configuration(path: path))
    server = (database, try Service(asking: database))
  }

  private func send(_ path: String, _ body: JSONValue) throws -> Answer {
    try #require(server).service.send(.post, path, body)
  }

  private func get(_ path: String) throws -> Answer { try #require(server).service.get(path) }

  private func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  func step() throws {
    let client = Int.random(in: clients.indices, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: try restart()
    case 1:
      guard let index = late.indices.randomElement(using: &random) else { return }
      let (client, batch) = late.remove(at: index)
      try deliver(batch, of: client)
    case 2..<11:
      for _ in 0..<Int.random(in: 1...6, using: &random) { act(client) }
    default: try send(client)
    }
  }

  /// Sends the beginning of a client's queue. It may get lost, and so may the answer.
  private func send(_ client: Int) throws {
    let queue = clients[client].queue
    guard !queue.isEmpty else { return }
    let batch = Array(queue.prefix(Int.random(in: 1...queue.count, using: &random)))
    let fate = Int.random(in: 0..<10, using: &random)
    if fate == 0 { return }
    if fate == 1 { late.append((client, batch)) }
    try deliver(batch, of: client)
    if fate == 2 { try deliver(batch, of: client) }
    if fate == 3 { try restart() }
    guard fate < 3 || fate > 5 else { return }
    try acknowledge(try deliver(batch, of: client), client)
  }

  /// Has the server and the model take a batch, and compares the outcomes.
  @discardableResult
  private func deliver(
    _ batch: [Command], of client: Int
  ) throws -> [(number: Int, outcome: SyncModel.Outcome?)] {
    let answer = try send(
      "/v1/sync",
      SyncWorld.batch(
        batch.map(\.intent.json), from: batch[0].number, client: clients[client].id))
    try #require(answer.status == 200)
    try #require(answer["/problem"] == .null, "\(String(decoding: answer.body, as: UTF8.self))")
    let outcomes = answer.all("/outcomes", "sequence").indices.map {
      SyncModel.Outcome(answer["/outcomes/\($0)"])
    }
    let expected = model.take(batch, of: clients[client].id)
    try #require(outcomes == expected, "\(batch)")
    return zip(batch, outcomes).map { ($0.number, $1) }
  }

  private func acknowledge(
    _ outcomes: [(number: Int, outcome: SyncModel.Outcome?)], _ client: Int
  ) throws {
    for (number, outcome) in outcomes {
      // A client that sends its queue in order never asks too late.
      let outcome: SyncModel.Outcome = try #require(outcome)
      clients[client].known[number] = outcome
    }
    let last = outcomes.last?.number ?? 0
    clients[client].queue.removeAll { $0.number <= last }
    clients[client].view = model
    for command in clients[client].queue { clients[client].view.make(command.intent) }
  }

  /// Has a person do something to what the client shows.
  private func act(_ client: Int) {
    let view = clients[client].view
    let intent = intent(view)
    clients[client].queue.append((clients[client].next, intent))
    clients[client].next += 1
    clients[client].view.make(intent)
  }

  private func intent(_ view: SyncModel) -> SyncModel.Intent {
    let list = view.rows.keys.sorted().randomElement(using: &random) ?? ""
    let things = view.things.keys.sorted().filter { !view.deleted.contains($0) }
    let thing = things.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4 where things.count < 30, 0..<12 where thing == nil:
      let id = chance(1, of: 12) ? thing : nil
      return .create(
        id ?? SyncWorld.id(), in: list, place(in: view, list), name: "thing \(word())")
    case 0..<6:
      guard let thing, let values = view.things[thing]?.values else { fallthrough }
      var patch: SyncModel.Values = [:]
      if chance(1, of: 2) { patch["name"] = .some("thing \(word())") }
      if chance(1, of: 2) { patch["notes"] = .some(chance(1, of: 4) ? nil : word()) }
      if patch.isEmpty { patch["serialNumber"] = .some(chance(1, of: 4) ? nil : word()) }
      let from = values.filter { patch[$0.key] != nil || $0.key < "o" }
      return .edit(thing, patch, from: from)
    case 6..<9:
      var ids = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
        things.randomElement(using: &random)
      }
      ids = ids.enumerated().filter { !ids[..<$0].contains($1) }.map(\.element)
      return .move(ids, into: list, place(in: view, list))
    case 9, 10: return .delete(thing ?? "")
    default:
      let row = view.deleted.sorted().randomElement(using: &random) ?? thing ?? ""
      return .restore(row, chance(1, of: 2) ? nil : place(in: view, view.things[row]?.list ?? ""))
    }
  }

  private func word() -> Int { Int.random(in: 0..<5, using: &random) }
  private func word() -> String { "word \(word() as Int)" }

  /// Where a person drops a row: next to two others, as they stand on the screen.
  private func place(in view: SyncModel, _ list: String) -> SyncModel.Place {
    let rows = view.rows[list] ?? []
    var place = SyncModel.Place(end: chance(1, of: 8) ? nil : chance(1, of: 3) ? "first" : "last")
    guard let index = rows.indices.randomElement(using: &random), chance(4, of: 5) else {
      place.end = place.end ?? "last"
      return place
    }
    place.anchors.append((true, rows[index]))
    if index + 1 < rows.count { place.anchors.append((false, rows[index + 1])) }
    return place
  }

  /// Sends all that is left, and compares what is there.
  func end() throws {
    for (client, batch) in late { try deliver(batch, of: client) }
    for index in clients.indices {
      while !clients[index].queue.isEmpty {
        try acknowledge(try deliver(Array(clients[index].queue.prefix(200)), of: index), index)
      }
      let client = clients[index]
      // Every command has its outcome, and is done once.
      #expect(client.known.keys.sorted() == Array(1..<client.next))
      #expect(model.last[client.id] ?? 0 == client.next - 1)
    }
    for (list, rows) in model.rows {
      let page = try get("/v1/lists/\(list)/rows?limit=1000&sentinel=false")
      #expect(page.texts("/rows", "id") == rows)
    }
    for (id, thing) in model.things where !model.deleted.contains(id) {
      let item = try get("/v1/items/\(id)")
      for (name, value) in thing.values { #expect(item.text("/\(name)") == value) }
    }
    #expect(
      Set(try get("/v1/trash?limit=1000").texts("/trash", "id")) == model.deleted)
    let log = try get("/v1/changes?limit=1")
    #expect(log.number("/changes/0/revision") == firstRevision + model.changes)
  }
}
