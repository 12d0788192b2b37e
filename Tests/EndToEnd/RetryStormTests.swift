import Foundation
import JSON
import Support
import Synchronization
import Testing

@Suite("Writes with a key that are sent until they are answered")
struct RetryStormTests {
  private static let keys = 40

  private final class Storm: Sendable {
    let servers: RunningServers
    let answered = Atomic<Int>(0)
    init(_ servers: RunningServers) { self.servers = servers }
  }

  /// Even keys make a thing each, odd ones delete one that was there.
  private struct Write: Sendable {
    let key: Int
    let list: String
    let victims: [String]

    var isCreation: Bool { key % 2 == 0 }

    var bytes: [UInt8] {
      let body = #"{"name":"Thing \#(key)"}"#
      let head =
        isCreation
        ? "POST /v1/lists/\(list)/items HTTP/1.1\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n"
        : "DELETE /v1/rows/\(victims[key / 2]) HTTP/1.1\r\n"
      let fields = "Host: localhost\r\nIdempotency-Key: \"key-\(key)\"\r\n\r\n"
      return Array((head + fields + (isCreation ? body : "")).utf8)
    }
  }

  @Test func `happen once, and all who ask get one answer, also across kills and restarts`() throws
  {
    let servers = try RunningServers()
    let client = try servers.connect()
    let list = try client.makeList("Shelf")
    let victims = try (0..<Self.keys / 2).map { try client.makeThing("Victim \($0)", in: list) }
    let storm = Storm(servers)

    // Every key is sent by all threads, so that repetitions also meet the first one still running.
    let answers = try onThreads(4) { number in
      var random = SplitMix64(seed: UInt64(number))
      return try (0..<Self.keys).map { key in
        let write = Write(key: key, list: list, victims: victims)
        defer { storm.answered.add(1, ordering: .relaxed) }
        return try Self.send(write, storm, &random)
      }
    } meanwhile: {
      for goal in [Self.keys, Self.keys * 5 / 2] {
        _ = try poll("\(goal) answers") {
          storm.answered.load(ordering: .relaxed) >= goal ? true : nil
        }
        try servers.killOne()
      }
    }

    var made: Set<String> = []
    for key in 0..<Self.keys {
      let all = answers.map { $0[key] }
      #expect(all.allSatisfy { $0.status == (key % 2 == 0 ? 201 : 200) }, "key \(key)")
      #expect(Set(all.map(\.body)).count == 1, "key \(key)")
      #expect(Set(all.map { $0["rowhouse-revision"] ?? "" }).count == 1, "key \(key)")
      // At most one of them was the first.
      #expect(all.count { $0["idempotency-replayed"] == nil } <= 1, "key \(key)")
      if key % 2 == 0 { made.insert(try #require(all[0].text("/id"))) }
    }
    let rows = try servers.connect().rows(of: list)
    #expect(rows.count == Self.keys / 2)
    #expect(Set(rows.compactMap(\.id)) == made)
    #expect(try servers.stopAndCheck() == .exit(0))
  }

  /// Sends until an answer has been read; one of three times it goes away without reading it.
  private static func send(
    _ write: Write, _ storm: Storm, _ random: inout SplitMix64
  ) throws -> Answer {
    try poll("an answer to key \(write.key)") {
      guard let client = try? storm.servers.connect() else { return nil }
      guard (try? client.write(write.bytes)) != nil else { return nil }
      if Int.random(in: 0..<3, using: &random) == 0 { return nil }
      guard let answer = try? client.readAnswer(), answer.status != 503 else { return nil }
      return answer
    }
  }
}
