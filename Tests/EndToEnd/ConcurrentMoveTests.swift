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

  @Test(arguments: [2, 5])
  func `revisions have no holes, and replaying the moves by revision gives the order`(
    clients: Int
  ) throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let count = 30
    for number in 0..<count { try client.makeThing("Thing \(number)", in: list) }
    let before = try client.rows(of: list)
    let start = try #require(try client.get("/v1/lists/\(list)").number("/revision"))

    let moves = try onThreads(clients) { number in
      var random = SplitMix64(seed: UInt64(number))
      let client = try server.connect()
      return try (0..<120).map { _ in
        let from = Int.random(in: 0..<count, using: &random)
        let to = Int.random(in: 0..<count, using: &random)
        let answer = try client.moveRow(of: list, from: from, to: to)
        try #require(answer.status == 200)
        return Move(
          from: from, to: to, revision: try #require(answer.number("/revision")),
          isChange: answer.at("/changed") == true, delta: answer.at("/deltas/0"))
      }
    }.flatMap { $0 }

    let changes = moves.filter(\.isChange).sorted { $0.revision < $1.revision }
    #expect(moves.filter { !$0.isChange }.allSatisfy { $0.from == $0.to })
    #expect(changes.map(\.revision) == Array(start + 1...start + changes.count))
    var replayed = before.map(\.id)
    for move in changes {
      replayed.insert(replayed.remove(at: move.from), at: move.to)
      #expect(move.delta?["fromRevision"]?.number == move.revision - 1)
      #expect(move.delta?["toRevision"]?.number == move.revision)
      #expect(move.delta?["countAfter"]?.number == count)
    }
    let after = try client.get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
    #expect(after.rows.map(\.id) == replayed)
    #expect(after.number("/revision") == start + changes.count)
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
