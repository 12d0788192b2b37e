import Dispatch
import Foundation
import JSON
import Support
import Testing

@Suite("Calls of many clients happen one after another")
struct LinearizabilityTests {
  private static let isThorough =
    ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] == "1"

  /// Several clients read and write one list.
  private static func record(seed: UInt64) throws -> CallHistory {
    let servers = try RunningServers()
    let client = try servers.connect()
    let list = try client.makeList("Shelf")
    for number in 0..<8 { try client.makeThing("Thing \(number)", in: list) }
    let page = try client.get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
    let start = (
      rows: page.rows.compactMap(\.id), revision: try #require(page.number("/revision"))
    )
    let count = isThorough ? 1_500 : 150
    let calls = try onThreads(5) { number in
      let clients = try (0..<4).map { _ in try servers.connect() }
      let seed = seed &* 8 &+ UInt64(number)
      return try ListCaller(list, rows: start.rows, seed: seed, clients).run(count)
    }
    return CallHistory(start: start, calls: calls.flatMap { $0 })
  }

  @Test(arguments: 0..<(isThorough ? 8 : 2) as Range<UInt64>)
  func `whatever they do to one list`(seed: UInt64) throws {
    let history = try Self.record(seed: seed)
    #expect(history.faults() == [], "seed \(seed)")
    // The history is one that says something: changes, refusals and reads, at the same time.
    #expect(history.calls.contains { $0.isChange })
    #expect(history.calls.contains { if case .refused = $0.answer { true } else { false } })
  }

  @Test func `and a history that is tampered with shows it`() throws {
    let history = try Self.record(seed: 99)
    try #require(history.faults() == [])
    let changes = history.calls.indices.filter { history.calls[$0].isChange }
      .sorted { (history.calls[$0].revision ?? 0) < (history.calls[$1].revision ?? 0) }
    let (early, late) = (changes[changes.count / 3], changes[changes.count * 2 / 3])

    var lost = history
    lost.calls.remove(at: early)
    for number in lost.calls.indices {
      guard case .changed(let revision, var delta) = lost.calls[number].answer,
        revision > history.calls[early].revision ?? 0
      else { continue }
      (delta.from, delta.to) = (delta.from - 1, delta.to - 1)
      lost.calls[number].answer = .changed(revision: revision - 1, delta)
    }
    #expect(!lost.faults().isEmpty, "a lost write")

    var swapped = history
    (swapped.calls[early].answer, swapped.calls[late].answer) = (
      history.calls[late].answer, history.calls[early].answer
    )
    #expect(!swapped.faults().isEmpty, "two swapped revisions")

    var stale = history
    let lastRead = try #require(
      history.calls.indices.filter { history.calls[$0].request == .read }
        .max { history.calls[$0].began < history.calls[$1].began })
    stale.calls[lastRead].answer = .rows(history.start.rows, revision: history.start.revision)
    #expect(!stale.faults().isEmpty, "a stale read")
  }
}

/// One client that calls and writes down what it got.
private struct ListCaller {
  private let list: String
  /// Connections to several processes, if there are several. Each call takes one of them.
  private let clients: [Client]
  private var random: SplitMix64
  /// As it last saw them; others move on.
  private var rows: [String]

  init(_ list: String, rows: [String], seed: UInt64, _ clients: [Client]) {
    self.list = list
    self.rows = rows
    self.clients = clients
    random = SplitMix64(seed: seed)
  }

  func run(_ count: Int) throws -> [RecordedCall] {
    var caller = self
    return try (0..<count).map { _ in try caller.call() }
  }

  private mutating func call() throws -> RecordedCall {
    let request = makeUp()
    let began = DispatchTime.now().uptimeNanoseconds
    let answer = try send(request, clients[Int.random(in: clients.indices, using: &random)])
    let ended = DispatchTime.now().uptimeNanoseconds
    return RecordedCall(
      request: request, answer: try read(answer, request), began: began, ended: ended)
  }

  private mutating func makeUp() -> RecordedCall.Request {
    let index = Int.random(in: 0...rows.count, using: &random)
    guard let row = rows.randomElement(using: &random) else { return .read }
    let delete = RecordedCall.Request.delete(index: rows.firstIndex(of: row) ?? 0, id: row)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: return .read
    // A read must have all rows on one page.
    case 4...6 where rows.count > 500: return delete
    case 4: return .insert(newID(), .index(index))
    case 5: return .insert(newID(), .before(row))
    case 6: return .insert(newID(), .after(row))
    case 7: return .move(from: index, to: Int.random(in: 0...rows.count, using: &random), id: nil)
    case 8, 9:
      let from = rows.firstIndex(of: row) ?? 0
      return .move(from: from, to: Int.random(in: 0...rows.count, using: &random), id: row)
    default: return delete
    }
  }

  private func send(
    _ request: RecordedCall.Request, _ client: Client
  ) throws -> Answer {
    let path = "/v1/lists/\(list)"
    switch request {
    case .read: return try client.get(path + "/rows?sentinel=false&limit=1000")
    case .insert(let id, let place):
      let position: JSONValue =
        switch place {
        case .index(let index): ["index": .init(index)]
        case .before(let anchor): ["before": .string(anchor)]
        case .after(let anchor): ["after": .string(anchor)]
        }
      return try client.send(
        "POST", path + "/items", ["id": .string(id), "name": "Thing", "position": position])
    case .move(let from, let to, let id):
      return try client.send(
        "POST", path + "/move-row",
        ["from": .init(from), "to": .init(to), "id": id.map { .string($0) } ?? .null])
    case .delete(let index, let id):
      return try client.send("DELETE", path + "/rows/\(index)?id=\(id)")
    }
  }

  private mutating func read(
    _ answer: Answer, _ request: RecordedCall.Request
  ) throws -> RecordedCall.Answer {
    guard (200..<300).contains(answer.status) else {
      return .refused(
        code: try #require(answer.text("/code")), index: answer.number("/index"))
    }
    if request == .read {
      rows = answer.rows.compactMap(\.id)
      return .rows(rows, revision: try #require(answer.number("/revision")))
    }
    let receipt = try #require(answer.at("/receipt") ?? answer.json)
    let revision = try #require(receipt["revision"]?.number)
    guard receipt["changed"] == true else { return .unchanged(revision: revision) }
    let delta = try #require(
      receipt["deltas"]?.elements.first { $0["listId"]?.text == list })
    return .changed(revision: revision, try RowDelta(delta))
  }
}

extension RowDelta {
  fileprivate init(_ json: JSONValue) throws {
    self.init(
      from: try #require(json["fromRevision"]?.number), to: try #require(json["toRevision"]?.number)
    )
    deletes = json["deletes"]?.elements.compactMap(\.number) ?? []
    for insertion in json["inserts"]?.elements ?? [] {
      inserts.append(
        Insertion(
          index: try #require(insertion["index"]?.number),
          id: try #require(insertion["row"]?["id"]?.text)))
    }
    for move in json["moves"]?.elements ?? [] {
      moves.append(
        Move(from: try #require(move["from"]?.number), to: try #require(move["to"]?.number)))
    }
  }
}
