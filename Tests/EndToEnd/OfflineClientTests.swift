import Foundation
import JSON
import Support
import Testing

@Suite("A client that was offline")
struct OfflineClientTests {
  private static let kills = FaultyDisk.isThorough ? 100 : 6
  private static let size = 200

  private static func batch(_ round: Int) -> JSONValue {
    let commands = (0..<size).map { number -> JSONValue in
      [
        "sequence": .number(JSONNumber(Int64(round * size + number + 1))), "type": "createItem",
        "listId": "root", "item": ["id": .string(UUID().uuidString), "name": "thing"],
      ]
    }
    return ["clientId": "c0000000-0000-4000-8000-000000000001", "commands": .array(commands)]
  }

  /// Sends a request without waiting for its answer.
  private static func begin(_ batch: JSONValue, _ client: Client) throws {
    var writer = JSONWriter()
    writer.value(batch)
    let body = writer.finish()
    let head = """
      POST /v1/sync HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r
      Content-Length: \(body.count)\r\n\r\n
      """
    try client.write(Array(head.utf8) + body)
  }

  @Test func `loses no command and does none twice, when the server is killed amid its batches`()
    throws
  {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 3)
    var last = 0
    for round in 0..<Self.kills {
      let batch = Self.batch(round)
      do {
        let server = try RunningServer(database: folder.database)
        let client = try server.connect()
        try Self.begin(batch, client)
        usleep(UInt32.random(in: 0...60_000, using: &random))
        try server.kill()
      }
      let server = try RunningServer(database: folder.database)
      let answer = try server.connect().send("POST", "/v1/sync", batch)
      let outcomes = answer.at("/outcomes")?.elements ?? []
      #expect(outcomes.allSatisfy { $0["outcome"] == "done" })
      // Each command is one change, and nobody else makes any.
      #expect(
        outcomes.map { $0["revision"]?.number } == (last + 1...last + Self.size).map(Optional.init))
      last += Self.size
      #expect(try server.stop() == .exit(0))
    }
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }
}
