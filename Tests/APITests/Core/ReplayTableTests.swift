import API
import HTTP
import Inventory
import JSON
import Support
import Testing

/// Every write that takes a key is done, what it was done to goes, and the write is sent again.
@Suite("A write with a key, whatever has become of what it was done to")
struct ReplayTableTests {
  /// What becomes of the list that everything is done to and in.
  enum Fate: CaseIterable { case trashed, purged, movedOutOfSight }

  /// A scoped caller's list, and the list in it that goes.
  struct World {
    let all: Service
    let service: Service
    let list: Service.MadeList
    let sublist: Service.MadeList
    let photos: [String]
    let navigator: String
    let inventory: String
    /// An item in the trash, and the revision that brought it there.
    let trashed: String
    let revision: Int
    let export: [UInt8]

    init() throws {
      all = try Service()
      let scope = try all.makeList("Scope")
      let root = try #require(ListID(text: scope.id))
      service = try all.asked(by: .owner, root: root)
      list = try all.makeList("Shelf", in: scope.id, things: ["a", "b", "c"])
      sublist = try all.makeList("Box", in: list.id, things: ["d"])
      photos = try (0..<2).map { [all, list] number in
        let answer = try all.send(
          .post, "/v1/items/\(list.rows[0])/photos", bytes: SampleImage.png(100 + number))
        return try #require(answer.text("/id"))
      }
      trashed = try all.makeThing("t", in: list.id)
      let deletion = try all.send(.delete, "/v1/rows/\(trashed)")
      revision = try #require(deletion.number("/revision"))
      navigator = try #require(try service.send(.post, "/v1/navigators").text("/id"))
      inventory = try #require(try all.get("/v1/me").text("/inventoryId"))
      let other = try Service()
      let exported = try other.makeList("Other", things: ["x"])
      export = try other.download("/v1/export?listId=\(exported.id)").body
    }

    func end(_ fate: Fate) throws {
      switch fate {
      case .trashed, .purged:
        // It may be there no more.
        try all.send(.delete, list.path + "?recursive=true")
        if fate == .purged { try all.send(.delete, "/v1/trash/\(list.id)") }
      case .movedOutOfSight:
        let root = try #require(try all.get("/v1/lists/root").text("/id"))
        try all.send(
          .post, "/v1/rows/\(list.id)/move", ["listId": .string(root), "position": "last"])
      }
      try service.send(.delete, "/v1/navigators/\(navigator)")
    }
  }

  struct Line: Sendable, CustomTestStringConvertible {
    let route: String
    let target: @Sendable (World) -> String
    var body: (@Sendable (World) -> JSONValue)?
    var bytes: (@Sendable (World) -> [UInt8])?
    var type = "application/json"
    var testDescription: String { route }
    var method: String { String(route.prefix { $0 != " " }) }
  }

  private static func line(
    _ route: String, _ target: @escaping @Sendable (World) -> String,
    _ body: (@Sendable (World) -> JSONValue)? = nil
  ) -> Line { Line(route: route, target: target, body: body) }

  private static func navigator(_ route: String, _ body: JSONValue? = nil) -> Line {
    let path = String(route.drop { $0 != "/" })
    let target: @Sendable (World) -> String = { world in
      path.replacing("{navigatorId}", with: world.navigator)
    }
    guard let body else { return line(route, target) }
    return line(route, target) { _ in body }
  }

  static let lines: [Line] = [
    line("POST /v1/lists", { _ in "/v1/lists" }) {
      ["parentId": .string($0.list.id), "title": "New"]
    },
    line("PATCH /v1/lists/{listId}", { $0.list.path }) { _ in ["title": "Other"] },
    line("DELETE /v1/lists/{listId}", { $0.sublist.path + "?recursive=true" }),
    line("POST /v1/lists/{listId}/move-row", { $0.list.path + "/move-row" }) { _ in
      ["from": 0, "to": 1]
    },
    line("POST /v1/lists/{listId}/move-rows", { $0.list.path + "/move-rows" }) {
      ["ids": [.string($0.list.rows[2])], "position": "first"]
    },
    line("POST /v1/lists/{listId}/reorder", { $0.list.path + "/reorder" }) { _ in
      ["sort": "-title"]
    },
    line("POST /v1/lists/{listId}/batch", { $0.list.path + "/batch" }) { _ in
      ["deletes": [["index": 1]]]
    },
    line(
      "DELETE /v1/lists/{listId}/rows/{index}", { $0.list.path + "/rows/0?id=\($0.list.rows[0])" }),
    line("POST /v1/rows/{rowId}/move", { "/v1/rows/\($0.list.rows[0])/move" }) { _ in
      ["position": "last"]
    },
    line("DELETE /v1/rows/{rowId}", { "/v1/rows/\($0.list.rows[0])" }),
    line("POST /v1/lists/{listId}/items", { $0.list.path + "/items" }) { _ in ["name": "new"] },
    line("POST /v1/lists/{listId}/items/random", { $0.list.path + "/items/random" }),
    line("PATCH /v1/items/{itemId}", { "/v1/items/\($0.list.rows[0])" }) { _ in ["notes": "n"] },
    line("PUT /v1/items/{itemId}", { "/v1/items/\($0.list.rows[0])" }) { _ in ["name": "n"] },
    line("DELETE /v1/items/{itemId}", { "/v1/items/\($0.list.rows[0])" }),
    line("POST /v1/items/{itemId}/contents", { "/v1/items/\($0.list.rows[0])/contents" }),
    Line(
      route: "POST /v1/items/{itemId}/photos", target: { "/v1/items/\($0.list.rows[0])/photos" },
      bytes: { _ in SampleImage.jpeg(size: 150_000) }, type: "image/jpeg"),
    line(
      "POST /v1/items/{itemId}/photos/reorder",
      { "/v1/items/\($0.list.rows[0])/photos/reorder" }
    ) { ["ids": .array($0.photos.reversed().map { .string($0) })] },
    Line(
      route: "PUT /v1/items/{itemId}/photos/{photoId}/renditions/{size}",
      target: { "/v1/items/\($0.list.rows[0])/photos/\($0.photos[0])/renditions/96" },
      bytes: { _ in SampleImage.webp(96, 461) }, type: "image/webp"),
    line(
      "DELETE /v1/items/{itemId}/photos/{photoId}",
      { "/v1/items/\($0.list.rows[0])/photos/\($0.photos[0])" }),
    line("DELETE /v1/trash/{rowId}", { "/v1/trash/\($0.trashed)" }),
    line("POST /v1/trash/{rowId}/restore", { "/v1/trash/\($0.trashed)/restore" }),
    line("POST /v1/changes/{revision}/undo", { "/v1/changes/\($0.revision)/undo" }),
    Line(
      route: "POST /v1/import", target: { "/v1/import?listId=\($0.list.id)" }, bytes: \.export,
      type: "application/x-ndjson"),
    Line(
      route: "POST /v1/lists/{listId}/rows.csv", target: { $0.list.path + "/rows.csv" },
      bytes: { _ in Array("name,notes\nlamp,bright\n".utf8) }, type: "text/csv"),
    line("POST /v1/navigators", { _ in "/v1/navigators" }) {
      [
        "tabs": [
          [
            "id": "a", "title": "A",
            "stack": [["listId": .string($0.list.id)]],
          ]
        ]
      ]
    },
    navigator("PATCH /v1/navigators/{navigatorId}", ["name": "Phone"]),
    navigator("DELETE /v1/navigators/{navigatorId}"),
    navigator("POST /v1/navigators/{navigatorId}/push", ["screen": ["about": true]]),
    navigator("POST /v1/navigators/{navigatorId}/pop"),
    navigator("POST /v1/navigators/{navigatorId}/pop-to-root"),
  ]

  /// Those whose subject does not go, or whose line would be as another's.
  private static let others: Set<String> = [
    "PATCH /v1/inventories/{inventoryId}", "PUT /v1/appearance",
    "POST /v1/navigators/{navigatorId}/pop-to", "PUT /v1/navigators/{navigatorId}/stack",
    "POST /v1/navigators/{navigatorId}/open", "POST /v1/navigators/{navigatorId}/select-tab",
    "PUT /v1/navigators/{navigatorId}/tabs", "PATCH /v1/navigators/{navigatorId}/top",
    "POST /v1/navigators/{navigatorId}/tabs/reorder",
  ]

  @Test(arguments: lines, Fate.allCases)
  func `is answered as the first time`(line: Line, fate: Fate) throws {
    let world = try World()
    let method = HTTP.Method(line.method)
    let target = line.target(world)
    var bytes = line.bytes?(world) ?? []
    if let body = line.body?(world) {
      var writer = JSONWriter()
      writer.value(body)
      bytes = writer.finish()
    }
    var fields: Fields = ["Idempotency-Key": "k"]
    if !bytes.isEmpty { fields.append("Content-Type", line.type) }
    let first = try world.service.send(method, target, fields: fields, bytes: bytes)
    #expect(200..<300 ~= first.status, "\(String(decoding: first.body, as: UTF8.self))")
    #expect(first.fields["idempotency-replayed"] == nil)
    try world.end(fate)
    let again = try world.service.send(method, target, fields: fields, bytes: bytes)
    #expect(again.status == first.status)
    #expect(again.body == first.body)
    #expect(again.fields["idempotency-replayed"] == "true")
    guard !bytes.isEmpty else { return }
    // Another body under the key is another write, also there.
    let other = try world.service.send(
      method, target, fields: fields, bytes: line.body == nil ? bytes + bytes : Array("{}".utf8))
    #expect(again.body != other.body)
    #expect(other.status >= 400)
  }

  @Test func `is one of these lines, or its subject does not go`() throws {
    let document = try Service().get("/openapi.json")
    var keyed: Set<String> = []
    for path in document.keys("/paths") {
      let escaped = path.replacing("~", with: "~0").replacing("/", with: "~1")
      for method in document.keys("/paths/\(escaped)") {
        let parameters = document.texts("/paths/\(escaped)/\(method)/parameters", "$ref")
        if parameters.contains(where: { $0.hasSuffix("Idempotency-Key") }) {
          keyed.insert("\(method.uppercased()) \(path)")
        }
      }
    }
    #expect(keyed.count > 30)
    let known = Set(Self.lines.map(\.route)).union(Self.others)
    #expect(keyed.symmetricDifference(known) == [])
  }
}
