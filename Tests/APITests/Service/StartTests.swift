import HTTP
import Inventory
import JSON
import Testing

@testable import API

@Suite("What a client shows first")
struct StartTests {
  let service: Service
  let list: String
  init() throws {
    service = try Service()
    let made = try service.send(.post, "/v1/lists", ["title": "Kitchen"])
    list = try #require(made.text("/id"))
    for name in ["Kettle", "Mixer", "Toaster"] {
      try service.send(.post, "/v1/lists/\(list)/items", ["name": .string(name)])
    }
  }

  @Test func `it is what the other calls answer`() throws {
    let start = try service.get("/v1/start?listId=\(list)")
    #expect(start.status == 200)
    #expect(start["/me"] == (try service.get("/v1/me")).json)
    #expect(start["/appearance"] == (try service.get("/v1/appearance")).json)
    #expect(start["/list/path"] == (try service.get("/v1/rows/\(list)"))["/path"])
    let screen = try service.get("/v1/lists/\(list)/screen?limit=50")
    for member in [
      "level", "navigationBar", "row", "shortcuts", "list", "listId", "revision", "count", "rows",
    ] {
      #expect(start["/list/\(member)"] == screen["/\(member)"], "\(member)")
    }
    let editing = try service.get("/v1/lists/\(list)/screen?mode=edit")
    #expect(start["/list/editBar"] == editing["/navigationBar"])
    #expect(start["/navigator"] == .null)
    #expect(start.number("/revision") == start.number("/list/revision"))
  }

  @Test func `it has the texts that the first screen needs`() throws {
    for language in ["en", "ar"] {
      let fields: Fields = ["Accept-Language": language]
      let first = try service.get("/v1/start", fields)
      let all = try service.get("/v1/texts", fields)
      for member in ["language", "name", "dir", "languages"] {
        #expect(first["/texts/\(member)"] == all["/\(member)"], "\(member)")
      }
      let names = first.keys("/texts/texts")
      for name in names {
        #expect(first["/texts/texts/\(name)"] == all["/texts/\(name)"], "\(name)")
      }
      #expect(Set(["offline", "keyAdd", "undo"]).isSubset(of: names))
      #expect(Set(["labelsPaper", "didReorder"]).isDisjoint(with: names))
    }
  }

  @Test func `it has no more rows than asked for`() throws {
    let start = try service.get("/v1/start?listId=\(list)&limit=2")
    #expect(start.text("/list/rows/1/title") == "Mixer")
    #expect(start["/list/rows/2"] == nil)
    #expect(start.number("/list/count") == 3)
    for query in ["limit=0", "limit=1001", "limit=x", "listId=x", "navigatorId=1", "other=1"] {
      #expect(try service.get("/v1/start?\(query)").status == 422, "\(query)")
    }
  }

  @Test func `without a list, it is that of the navigator, or the root list`() throws {
    #expect(try service.get("/v1/start").number("/list/level") == 1)
    let made = try service.send(.post, "/v1/navigators")
    let id = try #require(made.text("/id"))
    let opened = try service.send(.post, "/v1/navigators/\(id)/open", ["listId": .string(list)])
    let start = try service.get("/v1/start?navigatorId=\(id)")
    #expect(start["/navigator"] == opened.json)
    #expect(start.text("/list/listId") == list)
    #expect(try service.get("/v1/start?navigatorId=\(id)&listId=root").number("/list/level") == 1)
  }

  @Test func `what is gone is left out`() throws {
    let made = try service.send(.post, "/v1/navigators")
    let id = try #require(made.text("/id"))
    try service.send(.post, "/v1/navigators/\(id)/open", ["listId": .string(list)])
    try service.send(.delete, "/v1/lists/\(list)?recursive=true")
    let start = try service.get("/v1/start?navigatorId=\(id)&listId=\(list)")
    #expect(start.status == 200)
    #expect(start["/navigator"] == .null)
    #expect(start["/list"] == .null)
  }

  @Test func `a client that has it gets it again only after a change`() throws {
    let tag = try #require(try service.get("/v1/start").fields["etag"])
    #expect(try service.get("/v1/start", ["If-None-Match": tag]).status == 304)
    #expect(
      try service.get("/v1/start", ["If-None-Match": tag, "Accept-Language": "ar"]).status == 200)
    try service.send(.put, "/v1/appearance", ["button": "#123456"])
    #expect(try service.get("/v1/start", ["If-None-Match": tag]).status == 200)
  }

  @Test func `a token of one list starts there`() throws {
    let root = try #require(ListID(text: list))
    let scoped = try service.asked(by: .reader, root: root)
    let start = try scoped.get("/v1/start")
    #expect(start.text("/list/listId") == list)
    #expect(start.text("/me/rootListId") == list)
    #expect(start["/list/row/canAdd"] == .bool(false))
    let other = try service.send(.post, "/v1/lists", ["title": "Cellar"])
    let hidden = try scoped.get("/v1/start?listId=\(try #require(other.text("/id")))")
    #expect(hidden["/list"] == .null)
  }

  @Test func `it needs a token where the server does`() throws {
    let service = try Service { $0.demandsTokens = true }
    #expect(try service.get("/v1/start").status == 401)
  }
}
