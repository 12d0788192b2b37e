import JSON
import Support
import Testing

@Suite("Clients that move rows of one list at once")
struct ConcurrentMoveTests {
  /// One answered move.
  private struct Move: Sendable {
    let from: Int
    let to: Int
    let revision: Int
    let isChange: Bool
    let delta: JSONValue?
  }

  /// One page that was read meanwhile.
  private struct Read: Sendable {
    let revision: Int
    let ids: [String?]
  }

  private static let rowCount = 30

  @Test(arguments: [2, 5])
  func `revisions have no holes, and replaying the moves by revision gives every order seen`(
    clients: Int
  ) throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    for number in 0..<Self.rowCount { try client.makeThing("Thing \(number)", in: list) }
    let start = try Self.read(list, over: client)

    let records = try onThreads(clients + 1) { number in
      let client = try server.connect()
      return number == clients
        ? (moves: [], reads: try (0..<150).map { _ in try Self.read(list, over: client) })
        : (moves: try Self.move(in: list, seed: UInt64(number), over: client), reads: [])
    }
    let moves = records.flatMap(\.moves)
    let changes = moves.filter(\.isChange).sorted { $0.revision < $1.revision }
    #expect(moves.filter { !$0.isChange }.allSatisfy { $0.from == $0.to })
    #expect(changes.map(\.revision) == Array(start.revision + 1...start.revision + changes.count))

    // The order at each revision, by replay.
    var orders = [start.ids]
    for move in changes {
      var order = orders.last ?? []
      order.insert(order.remove(at: move.from), at: move.to)
      orders.append(order)
      #expect(move.delta?["fromRevision"]?.number == move.revision - 1)
      #expect(move.delta?["toRevision"]?.number == move.revision)
      #expect(move.delta?["countAfter"]?.number == Self.rowCount)
    }
    let end = try Self.read(list, over: client)
    #expect(end.revision == start.revision + changes.count)
    let reads = records.flatMap(\.reads) + [end]
    for read in reads {
      try #require(orders.indices.contains(read.revision - start.revision))
      #expect(read.ids == orders[read.revision - start.revision])
    }
    // No client sees a revision go back.
    #expect(reads.map(\.revision) == reads.map(\.revision).sorted())
  }

  private static func move(
    in list: String, seed: UInt64, over client: Client
  ) throws -> [Move] {
    var random = SplitMix64(seed: seed)
    return try (0..<120).map { _ in
      let from = Int.random(in: 0..<rowCount, using: &random)
      let to = Int.random(in: 0..<rowCount, using: &random)
      let answer = try client.moveRow(of: list, from: from, to: to)
      try #require(answer.status == 200)
      return Move(
        from: from, to: to, revision: try #require(answer.number("/revision")),
        isChange: answer.at("/changed") == true, delta: answer.at("/deltas/0"))
    }
  }

  private static func read(_ list: String, over client: Client) throws -> Read {
    let page = try client.get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
    try #require(page.status == 200)
    return Read(revision: try #require(page.number("/revision")), ids: page.rows.map(\.id))
  }

  @Test func `two clients that mean a row by its id never move another one`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    for number in 0..<12 { try client.makeThing("Thing \(number)", in: list) }
    let rows = try client.rows(of: list)

    let wrong = try onThreads(2) { number in
      var random = SplitMix64(seed: UInt64(70 + number))
      let client = try server.connect()
      var wrong = 0
      for _ in 0..<100 {
        let row = Int.random(in: 0..<rows.count, using: &random)
        let id = rows[row].id ?? ""
        let answer = try client.send(
          "POST", "/v1/lists/\(list)/move-row",
          ["from": .init(row), "to": 0, "id": .string(id)])
        switch answer.status {
        case 200:
          guard answer.at("/changed") == true else { continue }
        case 409:
          if answer.text("/code") != "row_moved" || answer.text("/id") != id { wrong += 1 }
        default: wrong += 1
        }
      }
      return wrong
    }
    #expect(wrong == [0, 0])
    #expect(Set(try client.rows(of: list).map(\.id)) == Set(rows.map(\.id)))
  }
}
