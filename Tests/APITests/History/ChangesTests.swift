import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("The changes of a list since a revision")
struct ChangesTests {
  /// Stores that answer at once, and later.
  static let answersLater = [false, true]

  private func makeService(_ isLater: Bool) throws -> Service {
    let store = ArrayStore()
    return try Service(store: store, asking: isLater ? LaterStore(store) : nil)
  }

  @Test(arguments: answersLater)
  func `are one delta from that revision, whatever lies between`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b", "c"])
    let known = try #require(try service.get(list.path).number("/revision"))
    for number in 0..<40 { try service.makeThing("thing \(number)", in: list.id) }
    try service.send(.post, list.path + "/move-row", ["from": 2, "to": 0])
    let present = try #require(try service.get(list.path).number("/revision"))
    let answer = try service.get(list.path + "/changes?since=\(known)")
    #expect(answer.status == 200)
    #expect(answer.keys() == ["listId", "revision", "deltas"])
    #expect(answer.text("/listId") == list.id)
    #expect(answer.number("/revision") == present)
    #expect(answer.fields["etag"] == "\"\(present)-en\"")
    #expect(answer["/deltas/1"] == nil)
    #expect(answer.number("/deltas/0/fromRevision") == known)
    #expect(answer.number("/deltas/0/toRevision") == present)
    #expect(answer["/deltas/0/moves"] == [["from": 2, "to": 0]])
    #expect(answer.all("/deltas/0/inserts", "index").count == 40)

    let short = try service.get(list.path + "/changes?since=\(present - 1)")
    #expect(short["/deltas/0/moves"] == [["from": 2, "to": 0]])
    #expect(short["/deltas/0/inserts"] == [])
  }

  @Test(arguments: answersLater)
  func `are nothing for a list that was not touched`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    let other = try service.makeList("Other")
    try service.makeThing("c", in: other.id)
    let own = try #require(try service.get(list.path).number("/revision"))
    for since in [own, own + 1, own + 2] {
      let answer = try service.get(list.path + "/changes?since=\(since)")
      #expect(answer.status == 200)
      #expect(answer.number("/revision") == own)
      #expect(answer["/deltas/0/countAfter"] == 2)
      for part in ["deletes", "inserts", "moves", "reloads", "reloadsAfter"] {
        #expect(answer["/deltas/0/\(part)"] == [])
      }
    }
  }

  @Test(arguments: answersLater)
  func `are 304 for who has them`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    let path = list.path + "/changes?since=1"
    let tag = try #require(try service.get(path).fields["etag"])
    #expect(try service.get(path, ["If-None-Match": tag]).status == 304)
    try service.makeThing("c", in: list.id)
    #expect(try service.get(path, ["If-None-Match": tag]).status == 200)
  }

  @Test(arguments: answersLater)
  func `since a revision that never was are 410 with the present one`(isLater: Bool) throws {
    let service = try makeService(isLater)
    let list = try service.makeList(things: ["a", "b"])
    _ = try service.makeList("Other")
    let answer = try service.get(list.path + "/changes?since=5")
    #expect(answer.status == 410)
    #expect(answer.code == "resync")
    #expect(answer.number("/revision") == 4)
  }

  @Test func `that are too large are answered with a resync`() throws {
    let service = try makeService(false)
    let list = try service.makeList()
    let items = (0...Delta.maximumEntries).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Thing \(number)"))
    }
    let id = try #require(ListID(text: list.id))
    let context = WriteContext(caller: .local, requestID: "bulk")
    _ = try service.store.perform(.appendItems(items, to: .id(id)), context).get()
    let answer = try service.get(list.path + "/changes?since=1")
    #expect(answer.status == 200)
    #expect(answer["/deltas"] == [["listId": .string(list.id), "resync": true]])
  }

  @Test(
    "need a revision to start from",
    arguments: ["", "?since=", "?since=-1", "?since=x", "?since=1.5", "?since=9223372036854775808"])
  func since(query: String) throws {
    let service = try makeService(false)
    let list = try service.makeList()
    for path in [list.path + "/changes", "/v1/lists/root/changes"] {
      let answer = try service.get(path + query)
      #expect(answer.status == 422)
      #expect(answer.faults == ["since"])
    }
  }

  @Test func `are hidden from callers who cannot see the list`() throws {
    let service = try makeService(false)
    let list = try service.makeList()
    let other = try service.makeList("Other")
    let scoped = try service.asked(by: .reader, root: ListID(text: other.id))
    #expect(try scoped.get(list.path + "/changes?since=1").status == 404)
    #expect(try scoped.get("/v1/lists/root/changes?since=2").text("/listId") == other.id)
    try service.send(.delete, list.path)
    #expect(try service.get(list.path + "/changes?since=1").code == "in_trash")
  }
}
