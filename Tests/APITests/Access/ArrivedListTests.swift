import HTTP
import Inventory
import JSON
import Support
import Testing

/// A list that is moved into the list of a token: what was done to it before is not told to the token's holder.
@Suite struct `A list that was moved into a token's list` {
  private let service: Service
  private let scoped: Service
  private let shared: String
  private let secret: Service.MadeList
  /// Before the edits that the caller did not see.
  private let known: Int
  private let arrival: Int

  init() throws {
    service = try Service(store: ArrayStore())
    shared = try service.makeList("Shared").id
    secret = try service.makeList("Private", things: ["a", "b"])
    known = try #require(try service.get(secret.path).number("/revision"))
    for notes in ["PIN 1234", ""] {
      try service.send(.patch, "/v1/items/\(secret.rows[0])", ["notes": .string(notes)])
    }
    try service.send(.delete, "/v1/rows/\(secret.rows[1])")
    let receipt = try service.send(
      .post, "/v1/rows/\(secret.id)/move", ["listId": .string(shared)])
    arrival = try #require(receipt.number("/revision"))
    try service.makeThing("c", in: secret.id)
    scoped = try service.asked(by: .editor, root: ListID(text: shared))
  }

  private var resync: JSONValue { ["listId": .string(secret.id), "resync": true] }

  @Test func `has no changes since a revision before it`() throws {
    for since in known..<arrival {
      let answer = try scoped.get(secret.path + "/changes?since=\(since)")
      #expect(answer.status == 410)
      #expect(answer.code == "resync")
      #expect(answer.number("/revision") == arrival + 1)
    }
    let answer = try scoped.get(secret.path + "/changes?since=\(arrival)")
    #expect(answer.status == 200)
    #expect(answer["/deltas/0/inserts/0/row/title"] == "c")
  }

  @Test func `has no delta in refusals`() throws {
    for since in known..<arrival {
      let page = try scoped.get(secret.path + "/rows?revision=\(since)")
      #expect(page.status == 409)
      #expect(page["/delta"] == resync)
      let write = try scoped.send(
        .delete, secret.path + "/rows/0", fields: ["If-Match": "\"\(since)\""])
      #expect(write.status == 412)
      #expect(write["/delta"] == resync)
    }
  }

  @Test func `has its followers read it, and hides what was done to its items`() throws {
    for since in known..<arrival {
      let own = try scoped.follow(secret.path + "/events?since=\(since)").events()
      #expect(own.map(\.event) == ["resync"])
      let all = try scoped.follow("/v1/events", ["Last-Event-ID": "\(since)"]).events()
      #expect(all.map(\.event) == ["change"])
      let event = try #require(all.first)
      #expect(!Set(event.texts("/items")).contains(secret.rows[0]))
      #expect(!Set(event.texts("/items")).contains(secret.rows[1]))
      guard case .array(let deltas)? = event["/deltas"] else {
        Issue.record("There are no deltas.")
        return
      }
      #expect(deltas.contains(resync))
    }
    let later = try scoped.follow(secret.path + "/events?since=\(arrival)").events()
    #expect(later.first?["/deltas/0/inserts/0/row/title"] == "c")
  }

  @Test func `has those read everything again who had it before it went away`() throws {
    let before = arrival + 1
    try service.send(.post, "/v1/rows/\(secret.id)/move", ["listId": "root"])
    // No row shows notes, so no list changes.
    try service.send(.patch, "/v1/items/\(secret.rows[0])", ["notes": "Lent"])
    try service.send(.post, "/v1/rows/\(secret.id)/move", ["listId": .string(shared)])
    for path in ["/v1", secret.path] {
      let events = try scoped.follow("\(path)/events?since=\(before)").events()
      #expect(events.map(\.event) == ["resync"], "\(path)")
    }
  }
}
