import HTTP
import Inventory
import JSON
import Testing

@Suite("What validators do")
struct PreconditionTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b", "c"])
  }

  private var itemPath: String { "/v1/items/\(list.rows[0])" }

  @Test func `an entity tag is the revision and the variant`() throws {
    for path in [list.path, list.path + "/rows", itemPath] {
      let answer = try service.get(path)
      let revision = try #require(answer.number("/revision"))
      #expect(answer.fields["etag"] == "\"\(revision)-en\"")
      let read = try service.asked(by: .reader).get(path)
      #expect(read.fields["etag"] == "\"\(revision)-en-r\"")
    }
  }

  @Test func `who sees a part of the tree gets tags of its own`() throws {
    let root = try #require(ListID(text: list.id))
    let scoped = try service.asked(by: .editor, root: root)
    let tag = try #require(try scoped.get("/v1/lists/root").fields["etag"])
    #expect(tag.hasSuffix("-en-\(list.id)\""))
    #expect(try scoped.get("/v1/lists/root", ["If-None-Match": tag]).status == 304)
    #expect(try service.get(list.path, ["If-None-Match": tag]).status == 200)
  }

  @Test(
    "what the client has is not sent again",
    arguments: ["TAG", "W/TAG", "\"1-xx\", TAG", "*", "\"a,b\",W/TAG"])
  func notModified(condition: String) throws {
    for path in [list.path, list.path + "/rows", itemPath] {
      let full = try service.get(path)
      let tag = try #require(full.fields["etag"])
      let field = condition.split(separator: "TAG", omittingEmptySubsequences: false)
        .joined(separator: tag)
      let answer = try service.get(path, ["If-None-Match": field])
      #expect(answer.status == 304)
      #expect(answer.body.isEmpty)
      for name in ["etag", "cache-control", "vary", "content-language"] {
        #expect(answer.fields[name] == full.fields[name])
      }
    }
  }

  @Test(
    "what is no tag of this revision does not match", arguments: ["\"1\"", "\"0-en\"", "x", "\"\""])
  func modified(condition: String) throws {
    #expect(try service.get(list.path, ["If-None-Match": condition]).status == 200)
  }

  @Test func `what is worked out from elsewhere has no validator`() throws {
    let paths = [
      "/v1/lists", list.path + "?subtree=true", list.path + "/path",
      "/v1/rows/\(list.rows[0])", itemPath + "/path", "/v1/resolve?path=/Shelf",
    ]
    for path in paths {
      let answer = try service.get(path, ["If-None-Match": "*"])
      #expect(answer.status == 200)
      #expect(answer.fields["etag"] == nil)
    }
  }

  @Test(
    "a change goes through where the revision is as expected",
    arguments: ["\"REV\"", "\"REV-en\"", "\"REV-de-r\"", "\"1\", \"REV\"", "*", " * "])
  func matches(condition: String) throws {
    let revision = try #require(try service.get(list.path).number("/revision"))
    let field = condition.split(separator: "REV", omittingEmptySubsequences: false)
      .joined(separator: String(revision))
    let answer = try service.send(
      .post, list.path + "/move-row", ["from": 0, "to": 1], ["If-Match": field])
    #expect(answer.status == 200)
  }

  @Test(
    "a change is refused where it is not",
    arguments: ["\"1\"", "\"999\"", "W/\"REV\"", "\"abc\"", "\"\"", "\"-en\""])
  func mismatches(condition: String) throws {
    let revision = try #require(try service.get(list.path).number("/revision"))
    let field = condition.split(separator: "REV", omittingEmptySubsequences: false)
      .joined(separator: String(revision))
    let answer = try service.send(
      .post, list.path + "/move-row", ["from": 0, "to": 1], ["If-Match": field])
    #expect(answer.status == 412)
    #expect(answer.code == "precondition_failed")
    #expect(answer["/delta/listId"] == .string(list.id))
    #expect(try service.titles(of: list) == ["a", "b", "c"])
  }

  @Test(arguments: ["*", "TAG", "W/TAG", "\"1-xx\", TAG"])
  func `a write that is not to happen while something is there does not`(condition: String) throws {
    let navigator = try service.send(.post, "/v1/navigators", ["name": "Phone"])
    let lines: [(HTTP.Method, path: String, shown: String, JSONValue?)] = [
      (.put, itemPath, itemPath, ["name": "other"]),
      (.patch, itemPath, itemPath, ["name": "other"]),
      (.delete, itemPath, itemPath, nil),
      (.delete, "/v1/rows/\(list.rows[0])", itemPath, nil),
      (.patch, list.path, list.path, ["title": "Other"]),
      (.delete, list.path + "?recursive=true", list.path, nil),
      (.delete, list.path + "/rows/0?id=\(list.rows[0])", list.path, nil),
      (.put, "/v1/appearance", "/v1/appearance", [:]),
      (
        .patch, "/v1/navigators/\(navigator.text("/id") ?? "")",
        "/v1/navigators/\(navigator.text("/id") ?? "")", ["name": "Tablet"]
      ),
    ]
    for (method, path, shown, body) in lines {
      let before = try service.get(shown)
      let field = condition.replacing("TAG", with: try #require(before.fields["etag"]))
      let fields: Fields = ["If-None-Match": field]
      let answer =
        try body.map { try service.send(method, path, $0, fields) }
        ?? service.send(method, path, fields: fields)
      #expect(answer.status == 412, "\(method.name) \(path)")
      #expect(answer.code == "precondition_failed")
      #expect(try service.get(shown).body == before.body)
    }
  }

  @Test func `a write that is not to happen at one revision happens at others`() throws {
    for condition in ["\"1\"", "\"999-en\"", "\"x\""] {
      let answer = try service.send(
        .patch, itemPath, ["name": .string(condition)], ["If-None-Match": condition])
      #expect(answer.status == 200)
    }
    let both: Fields = ["If-Match": "*", "If-None-Match": "*"]
    #expect(try service.send(.patch, itemPath, ["name": "x"], both).status == 412)
    let malformed = try service.send(.patch, itemPath, ["name": "x"], ["If-None-Match": "x"])
    #expect(malformed.code == "malformed_header")
  }

  @Test func `a part of an item does not replace the whole`() throws {
    let before = try service.get(itemPath).body
    for method in [HTTP.Method.put, .patch] {
      let answer = try service.send(
        method, itemPath, ["name": "x"], ["Content-Range": "bytes 0-12/300"])
      #expect(answer.status == 400)
      #expect(answer.code == "malformed_header")
    }
    #expect(try service.get(itemPath).body == before)
  }

  @Test func `what is to happen only where nothing is finds nothing in the way of a creation`()
    throws
  {
    let made = try service.send(
      .post, list.path + "/items", ["name": "d"], ["If-None-Match": "*"])
    #expect(made.status == 201)
    let nowhere = "/v1/items/00000000-0000-4000-8000-000000000000"
    let put = try service.send(.put, nowhere, ["name": "x"], ["If-None-Match": "*"])
    #expect(put.status == 404)
  }

  @Test(
    "a field that is no list of tags is malformed",
    arguments: ["41", "\"41", "W\"41\"", ",", "\"1\" \"2\"", ""])
  func malformed(field: String) throws {
    let answer = try service.send(
      .post, list.path + "/move-row", ["from": 0, "to": 1], ["If-Match": field])
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_header")
  }

  @Test func `a write to a stale list is answered with the changes since`() throws {
    let tag = try #require(try service.get(list.path).fields["etag"])
    try service.send(.post, list.path + "/move-row", ["from": 0, "to": 2])
    let answer = try service.send(
      .delete, list.path + "/rows/0", fields: ["If-Match": tag])
    #expect(answer.status == 412)
    #expect(answer["/delta/moves"] == [["from": 0, "to": 2]])
    #expect(try service.titles(of: list) == ["b", "c", "a"])
  }

  @Test func `a stale item is shown as it is now`() throws {
    let tag = try #require(try service.get(itemPath).fields["etag"])
    try service.send(.patch, itemPath, ["name": "newer"])
    for (method, body) in [(HTTP.Method.patch, "x"), (.put, "y")] {
      let answer = try service.send(method, itemPath, ["name": .string(body)], ["If-Match": tag])
      #expect(answer.status == 412)
      #expect(answer["/current/name"] == "newer")
      #expect(answer["/current"] == (try service.get(itemPath).json))
    }
    #expect(try service.send(.delete, itemPath, fields: ["If-Match": tag]).status == 412)
  }

  @Test func `a body is looked at before the precondition`() throws {
    let stale: Fields = ["If-Match": "\"1\""]
    let move = try service.send(.post, list.path + "/move-row", ["from": 0], stale)
    #expect(move.status == 422)
    let patch = try service.send(.patch, itemPath, ["quantity": -1], stale)
    #expect(patch.status == 422)
    let list = try service.send(.patch, list.path, ["title": ""], stale)
    #expect(list.status == 422)
  }

  @Test func `what is not there is not found before anything else is wrong`() throws {
    let nowhere = "00000000-0000-4000-8000-000000000000"
    for path in ["/v1/lists/\(nowhere)/move-row", "/v1/rows/\(nowhere)/move"] {
      #expect(try service.send(.post, path, text: "{").status == 404)
      #expect(try service.send(.post, path, text: "{}", type: "text/plain").status == 404)
      #expect(try service.send(.post, path + "?x=1", [:], ["If-Match": "x"]).status == 404)
    }
    let table = "/v1/lists/\(nowhere)/rows.csv"
    #expect(try service.send(.post, table, text: "name,nmae\nA,1", type: "text/csv").status == 404)
  }

  @Test func `a server may demand preconditions for indices`() throws {
    let strict = try Service(store: service.store, requiresPreconditions: true)
    let path = list.path + "/move-row"
    #expect(try strict.send(.post, path, ["from": 0, "to": 1]).status == 428)
    #expect(try strict.send(.post, path, ["from": 0, "to": 1], ["If-Match": "*"]).status == 200)
    let byID: JSONValue = ["from": 0, "to": 1, "id": .string(list.rows[1])]
    #expect(try strict.send(.post, path, byID).status == 200)
    let items = list.path + "/items"
    #expect(try strict.send(.post, items, ["name": "x", "position": ["index": 0]]).status == 428)
    #expect(try strict.send(.post, items, ["name": "x", "position": "first"]).status == 201)
  }

  /// Writes that say where by an index, and the same with the row's id or without an index.
  static let byIndex: [(path: String, index: String, other: String?)] = [
    ("LIST/move-row", #"{"from":0,"to":1}"#, #"{"from":0,"to":1,"id":"ROW"}"#),
    ("LIST/move-rows", #"{"ids":["ROW"],"position":{"index":1}}"#, #"{"ids":["ROW"]}"#),
    ("ROWS/move", #"{"position":{"index":1}}"#, #"{"position":"last"}"#),
    ("LIST/items", #"{"name":"x","position":{"index":1}}"#, #"{"name":"x","position":"first"}"#),
    ("LIST/items/random", #"{"position":{"index":1}}"#, "{}"),
    ("/v1/lists", #"{"title":"x","position":{"index":0}}"#, #"{"title":"x"}"#),
    ("LIST/batch", #"{"deletes":[{"index":0}]}"#, #"{"deletes":[{"index":0,"id":"ROW"}]}"#),
    ("LIST/batch", #"{"moves":[{"from":0,"to":1}]}"#, #"{"moves":[{"id":"ROW","to":1}]}"#),
    ("LIST/batch", #"{"inserts":[{"index":0,"item":{"name":"x"}}]}"#, nil),
    ("LIST/batch", #"{"deletes":[{"id":"ROW"},{"index":1}]}"#, #"{"deletes":[{"id":"ROW"}]}"#),
  ]

  @Test("a server that demands preconditions for indices demands all", arguments: byIndex)
  func demanded(path: String, index: String, other: String?) throws {
    let strict = try Service(store: service.store, requiresPreconditions: true)
    let target = path.replacing("LIST", with: list.path)
      .replacing("ROWS", with: "/v1/rows/\(list.rows[0])")
    func send(_ body: String, _ fields: Fields = Fields()) throws -> Answer {
      var fields = fields
      fields.append("Content-Type", "application/json")
      let bytes = Array(body.replacing("ROW", with: list.rows[0]).utf8)
      return try strict.send(.post, target, fields: fields, bytes: bytes)
    }
    let bare = try send(index)
    #expect(bare.status == 428)
    #expect(bare.code == "precondition_required")
    if let other { #expect(try send(other).status < 300) }
    // The row may have gone by now; what matters is that the check is passed.
    #expect(try send(index, ["If-Match": "*"]).status != 428)
  }

  @Test func `a caller without the role is refused before a precondition is demanded`() throws {
    let reader = try service.asked(by: .reader)
    #expect(try reader.send(.delete, list.path + "/rows/0").code == "role_forbids")
  }

  @Test func `a deletion by index takes a precondition or the row's id`() throws {
    let bare = try service.send(.delete, list.path + "/rows/0")
    #expect(bare.status == 428)
    #expect(bare.code == "precondition_required")
    let wrong = try service.send(.delete, list.path + "/rows/0?id=\(list.rows[1])")
    #expect(wrong.code == "row_moved")
    #expect(wrong["/index"] == 1)
    #expect(try service.send(.delete, list.path + "/rows/0?id=\(list.rows[0])").status == 200)
    let tag = try #require(try service.get(list.path).fields["etag"])
    #expect(
      try service.send(.delete, list.path + "/rows/0", fields: ["If-Match": tag]).status == 200)
    #expect(try service.titles(of: list) == ["c"])
  }
}
