import API
import Foundation
import JSON
import Storage
import Support
import Testing

/// The corpus of `SyncVector`, which the tests of both clients read too. `ROWHOUSE_VECTORS` names the file for it.
@Suite("The vectors of offline clients")
struct SyncVectorTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// In short runs, also seeds whose vectors once failed in a client.
  private static let seeds: [UInt64] =
    environment["ROWHOUSE_TEST_THOROUGH"] != nil
    ? Array(0..<10_000) : Array(0..<1_000) + [1026, 1405, 4913, 4978, 5121, 6897, 8070, 8185, 9819]

  private static func text(_ seeds: [UInt64]) -> Data {
    Data(seeds.reduce(into: []) { $0 += SyncVector.line(seed: $1) + [UInt8(ascii: "\n")] })
  }

  @Test(.enabled(if: environment["ROWHOUSE_VECTORS"] != nil))
  func `are written to a file for the clients`() throws {
    let file = URL(filePath: try #require(Self.environment["ROWHOUSE_VECTORS"]))
    try Self.text(Self.seeds).write(to: file, options: .atomic)
  }

  /// `ROWHOUSE_TEST_RECORD=1` rewrites it.
  @Test func `have a sample that is up to date`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Vectors/offline.ndjson")
    let text = Self.text(Array(0..<5))
    if Self.environment["ROWHOUSE_TEST_RECORD"] != nil { try text.write(to: file) }
    #expect(try Data(contentsOf: file) == text)
  }

  /// The seeds are parts of one test, because the vectors share a database.
  @Test func `hold for the server`() throws {
    let world = try VectorWorld()
    for seed in Self.seeds {
      do {
        try world.check(try JSONReader.parse(SyncVector.line(seed: seed)))
      } catch {
        Issue.record("The vector with the seed \(seed): \(error)")
        return
      }
    }
  }
}

/// A server that does what happens in vectors.
private final class VectorWorld {
  private let folder: TemporaryFolder
  private let database: DatabaseStore
  private let service: Service
  /// The number of the last command of each client.
  private var last: [String: Int] = [:]
  private let client = "c0000000-0000-4000-8000-000000000001"
  private let others = "c0000000-0000-4000-8000-000000000002"

  init() throws {
    folder = try TemporaryFolder()
    database = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    service = try Service(asking: database)
  }

  deinit { database.close() }

  private struct Mismatch: Error {
    let what: String
    let found: JSONValue?
    let expected: JSONValue?
  }

  private func expect(_ what: String, _ found: JSONValue?, _ expected: JSONValue?) throws {
    guard found == expected else { throw Mismatch(what: what, found: found, expected: expected) }
  }

  private func send(_ commands: [JSONValue], of client: String, from first: Int) throws -> Answer {
    let answer = try service.send(
      .post, "/v1/sync", SyncWorld.batch(commands, from: first, client: client))
    try expect("status", JSONValue(answer.status), 200)
    try expect("problem", answer["/problem"], .some(.null))
    last[client] = first - 1 + commands.count
    return answer
  }

  /// Has another client do commands. Returns the revision after them.
  @discardableResult
  private func make(_ commands: [JSONValue]) throws -> Int {
    guard !commands.isEmpty else { return 0 }
    return try send(commands, of: others, from: (last[others] ?? 0) + 1).number("/revision") ?? 0
  }

  func check(_ vector: JSONValue) throws {
    let world = vector["world"]?.array ?? []
    // The model counts from the first list on.
    let start = try make(Array(world.prefix(1)))
    var revision = max(start, try make(Array(world.dropFirst())))
    try check(vector["base"], at: revision - start)
    let queue = vector["queue"]?.array ?? []
    let outcomes = vector["outcomes"]?.array ?? []
    let before = last[client] ?? 0
    var answered = 0
    for step in vector["steps"]?.array ?? [] {
      revision = max(revision, try make(step["others"]?.array ?? []))
      let sent = Int(step["sent"]?.number?.int64 ?? 0)
      if answered < sent {
        // If the last answer was lost, some of them are sent again.
        let answer = try send(
          Array(queue[answered..<sent]), of: client, from: before + answered + 1)
        let found = (answer["/outcomes"]?.array ?? []).map {
          SyncServer.comparable($0, after: start)
        }
        let expected = outcomes[answered..<sent].map { outcome -> JSONValue in
          guard var outcome = SyncServer.comparable(outcome).object else { return .null }
          let number = Int(outcome["sequence"]?.number?.int64 ?? 0)
          outcome.set("sequence", to: JSONValue(before + number))
          return .object(outcome)
        }
        try expect("outcomes", .array(found), .array(expected))
        revision = answer.number("/revision") ?? 0
        if let given = step["answer"]?["outcomes"] {
          try expect("answer", given, .array(Array(outcomes[answered..<sent])))
          try expect("revision", JSONValue(revision - start), step["answer"]?["revision"])
          answered = sent
        }
      }
      try check(step["base"], at: revision - start)
    }
    for (list, rows) in vector["rows"]?.object?.members ?? [] {
      let page = try service.get("/v1/lists/\(list)/rows?limit=1000&sentinel=false")
      try expect("rows", .array(page.texts("/rows", "id").map(JSONValue.string)), rows)
    }
  }

  /// Compares what a client has read with what the server answers, if both are at one revision.
  private func check(_ known: JSONValue?, at revision: Int) throws {
    guard known?["revision"]?.number?.int64 == Int64(revision) else { return }
    for item in known?["items"]?.array ?? [] { try check(item, below: "/v1/items") }
    for list in known?["lists"]?.array ?? [] {
      let path = try check(list, below: "/v1/lists")
      try expect(path, try service.get("\(path)/rows?limit=1000")["/rows"], list["rows"])
    }
  }

  @discardableResult
  private func check(_ resource: JSONValue, below path: String) throws -> String {
    let path = "\(path)/\(resource["id"]?.text ?? "")"
    let answer = try service.get(path).json
    for (name, value) in resource.object?.members ?? [] where !Self.unknown.contains(name) {
      // The topmost list of a vector is a row of the root list.
      if name == "parentId", value == .null { continue }
      try expect("\(path) \(name)", answer?[name], value)
    }
    return path
  }

  private static let unknown = ["revision", "createdAt", "updatedAt", "rows"]
}
