import JSON
import Support
import Testing

@Suite("The sentinel is last, exactly once, after any history")
struct SentinelTests {
  private let folder: TemporaryFolder
  private let server: RunningServer
  private let client: Client
  private let lists: [String]

  init() throws {
    folder = try TemporaryFolder()
    server = try RunningServer(database: folder.database)
    client = try server.connect()
    let shelf = try client.makeList("Shelf")
    lists = ["root", shelf, try client.makeList("Box", in: shelf)]
  }

  @Test(arguments: [1, 2, 3])
  func `on whichever pages one walks`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for step in 0..<120 {
      let answer = try change(&random)
      #expect(answer.status < 500)
      if step % 20 == 19 {
        for list in lists { try look(at: list) }
      }
    }
    let count = try #require(try client.get("/v1/lists/\(lists[1])").number("/rowCount"))
    #expect(count > 0)
  }

  /// One random write, which may well be refused.
  private func change(_ random: inout SplitMix64) throws -> Answer {
    let list = lists.randomElement(using: &random) ?? "root"
    let rows = try client.rows(of: list)
    let index = Int.random(in: 0...rows.count + 2, using: &random)
    let row = rows.randomElement(using: &random)?.id ?? newID()
    let other = lists.randomElement(using: &random) ?? "root"
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      return try client.send(
        "POST", "/v1/lists/\(list)/items", ["name": "Thing", "position": ["index": .init(index)]])
    case 4:
      return try client.send(
        "POST", "/v1/lists/\(list)/items/random", ["position": ["after": .string(row)]])
    case 5:
      return try client.send(
        "POST", "/v1/lists",
        ["title": "Bag", "parentId": .string(list), "position": ["before": .string(row)]])
    case 6, 7:
      let to = Int.random(in: 0...rows.count + 2, using: &random)
      return try client.moveRow(of: list, from: index, to: to)
    case 8:
      return try client.send(
        "POST", "/v1/rows/\(row)/move", ["listId": .string(other), "position": "last"])
    case 9:
      return try client.send(
        "POST", "/v1/lists/\(other)/move-rows",
        ["ids": .array(rows.suffix(2).compactMap { $0.id.map(JSONValue.string) })])
    case 10: return try client.send("POST", "/v1/lists/\(list)/reorder", ["sort": "-title"])
    default:
      guard !lists.contains(row) else { return try client.get("/v1/lists/\(list)") }
      return try client.send("DELETE", "/v1/lists/\(list)/rows/\(index)?id=\(row)")
    }
  }

  /// Walks a list in every way there is.
  private func look(at list: String) throws {
    let list = try client.get("/v1/lists/\(list)")
    guard list.status == 200 else { return }
    let id = try #require(list.text("/id"))
    let count = try #require(list.number("/rowCount"))
    let base = "/v1/lists/\(id)/rows"
    for limit in [1, 7, 1000] {
      try expectLast(try walkByLinks("\(base)?limit=\(limit)"), count)
      try expectLast(try walkByAnchors(base, limit: limit), count)
      let without = try walkByLinks("\(base)?limit=\(limit)&sentinel=false")
      #expect(without.map(\.index) == Array(0..<count))
      #expect(without.allSatisfy { $0.type != "sentinel" })
    }
    for offset in [count, count + 1, count + 1000] {
      let past = try client.get("\(base)?offset=\(offset)").rows
      #expect(past.map(\.type) == ["sentinel"])
      #expect(past.map(\.index) == [count])
    }
  }

  private func expectLast(_ rows: [Row], _ count: Int) throws {
    #expect(rows.map(\.index) == Array(0...count))
    #expect(rows.filter { $0.type == "sentinel" }.count == 1)
    let last = try #require(rows.last)
    #expect(last.type == "sentinel")
    #expect(last.id == nil)
    #expect(last.title == "No more items!")
  }

  private func walkByLinks(_ first: String) throws -> [Row] {
    var rows: [Row] = []
    var next: String? = first
    while let target = next {
      let page = try client.get(target)
      try #require(page.status == 200)
      try #require(rows.count < 10_000)
      rows += page.rows
      next = page.link("next")
    }
    return rows
  }

  /// First by offset, then each page behind the last row of the one before.
  private func walkByAnchors(_ base: String, limit: Int) throws -> [Row] {
    var rows = try client.get("\(base)?limit=\(limit)").rows
    while rows.last?.type != "sentinel", let anchor = rows.last?.id {
      let page = try client.get("\(base)?limit=\(limit)&after=\(anchor)").rows
      try #require(!page.isEmpty && rows.count < 10_000)
      rows += page
    }
    return rows
  }

  @Test func `a list that hides it shows none, and the rules of indices stay`() throws {
    let list = lists[1]
    try client.makeThing("Lamp", in: list)
    let hidden = try client.send("PATCH", "/v1/lists/\(list)", ["sentinel": ["visible": false]])
    #expect(hidden.status == 200)
    #expect(try client.get("/v1/lists/\(list)/rows").rows.map(\.title) == ["Box", "Lamp"])
    let refused = try client.moveRow(of: list, from: 2, to: 0)
    #expect(refused.status == 409)
    #expect(refused.text("/code") == "sentinel_immovable")
  }

  @Test func `nothing lands below it`() throws {
    let list = lists[1]
    try client.makeThing("Lamp", in: list)
    let retargeted = try client.moveRow(of: list, from: 0, to: 2)
    #expect(retargeted.status == 200)
    #expect(retargeted.at("/retargeted") == true)
    let all = try client.get("/v1/lists/\(list)/rows").rows
    #expect(all.map(\.title) == ["Lamp", "Box", "No more items!"])
    let strict = try client.send(
      "POST", "/v1/lists/\(list)/move-row?strict=true", ["from": 0, "to": 2])
    #expect(strict.status == 409)
    #expect(strict.text("/code") == "sentinel_last")
    #expect(strict.number("/index") == 1)
  }
}
