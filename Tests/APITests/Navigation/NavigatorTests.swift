import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Navigators over HTTP")
struct NavigatorTests: NavigatedHome {
  let house: NavigatedHouse

  init() throws { house = try NavigatedHouse() }

  @Test func `a new one has one tab on the root list, and every member`() throws {
    let made = try service.send(.post, "/v1/navigators")
    #expect(made.status == 201)
    let path = "/v1/navigators/\(try #require(made.text("/id")))"
    #expect(made.fields["location"] == path)
    #expect(
      made.keys() == [
        "id", "name", "version", "createdAt", "lastUsedAt", "selectedTab", "tabs", "more", "dir",
      ])
    #expect(made["/name"] == .null)
    #expect(made["/version"] == 1)
    #expect(made["/more"] == [])
    #expect(made["/selectedTab"] == made["/tabs/0/id"])
    let tab = try #require(made.text("/selectedTab"))
    #expect(tab == RowID(text: tab)?.description)
    #expect(made.keys("/tabs/0") == ["id", "title", "image", "stack"])
    #expect(
      made.keys("/tabs/0/stack/0") == [
        "listId", "itemId", "photos", "about", "custom", "title", "prompt", "trailing", "mode",
        "kind", "state", "momentary", "level", "navigationBar", "barTogglesOnTap", "shortcuts",
      ])
    #expect(made["/tabs/0/stack/0/listId"] == .string(root))
    #expect(made["/tabs/0/stack/0/navigationBar/leading"] == .null)
    #expect(titles(made) == ["Home"])
    let read = try service.get(path)
    #expect(read.body == made.body)
    #expect(read.fields["etag"] == made.fields["etag"])
    // It is no row: no revision was taken.
    #expect(made.fields["rowhouse-revision"] == read.fields["etag"].map { _ in "4" })
  }

  @Test func `what is read can be set again`() throws {
    _ = try push(list)
    _ = try push([
      "itemId": .string(drawer.rows[0]), "photos": true, "state": ["zoom": .decimal("1.5")],
    ])
    _ = try push(["custom": "help", "title": "Help"])
    let read = try service.get(path)
    let stack = try #require(read["/tabs/0/stack"])
    let set = try service.send(.put, path + "/stack", ["stack": stack])
    #expect(set.body == read.body)
    let tabs = try service.send(.put, path + "/tabs", ["tabs": try #require(read["/tabs"])])
    #expect(tabs.body == read.body)
    let patched = try service.send(.patch, path, try #require(read.json))
    #expect(patched.body == read.body)
  }

  @Test(arguments: [
    "push", "pop-to", "stack", "open", "select-tab", "tabs", "tabs/reorder", "pop", "pop-to-root",
    "top", "",
  ])
  func `members that a call does not know are refused`(call: String) throws {
    let method: HTTP.Method =
      switch call {
      case "stack", "tabs": .put
      case "top", "": .patch
      default: .post
      }
    let refused = try service.send(method, call.isEmpty ? path : path + "/" + call, ["surprise": 1])
    #expect(refused.status == 422)
    #expect(refused.faults.contains("/surprise"))
  }

  @Test func `validators go by the version, and by what the bars show`() throws {
    let read = try service.get(path)
    let etag = try #require(read.fields["etag"])
    #expect(try service.get(path, ["If-None-Match": etag]).status == 304)
    let stale = try post("push", ["screen": list], ["If-Match": "\"7\""])
    #expect(stale.status == 412)
    #expect(stale["/version"] == 1)
    let pushed = try post("push", ["screen": list], ["If-Match": etag])
    #expect(pushed.status == 200)
    let next = try #require(pushed.fields["etag"])
    #expect(next != etag)
    #expect(try service.get(path, ["If-None-Match": next]).status == 304)
    // A list on it gets another name: another answer at the same version.
    _ = try service.send(.patch, kitchen.path, ["title": "Cellar"])
    let renamed = try service.get(path, ["If-None-Match": next])
    #expect(renamed.status == 200)
    #expect(titles(renamed) == ["Home", "Cellar"])
    #expect(renamed["/version"] == 2)
    #expect(try post("pop", [:], ["If-Match": next]).status == 200)
  }

  @Test func `it is renamed, listed by name, copied and deleted`() throws {
    _ = try push(list)
    let renamed = try service.send(.patch, path, ["name": " Tablet "])
    #expect(renamed["/name"] == "Tablet")
    let copy = try service.send(
      .post, "/v1/navigators", ["name": "Other", "copyOf": renamed["/id"] ?? .null])
    #expect(copy.status == 201)
    #expect(titles(copy) == ["Home", "Kitchen"])
    #expect(copy["/version"] == 1)
    #expect(copy["/id"] != renamed["/id"])
    #expect(try service.get("/v1/navigators")["/count"] == 2)
    let found = try service.get("/v1/navigators?name=Tablet")
    #expect(found["/count"] == 1)
    #expect(found["/navigators/0/id"] == renamed["/id"])
    #expect(
      found.keys("/navigators/0") == [
        "id", "name", "version", "createdAt", "lastUsedAt", "selectedTab",
      ])
    #expect(try service.get("/v1/navigators?name=tablet")["/count"] == 0)
    let gone = try service.send(.delete, path)
    #expect(gone.status == 204)
    #expect(gone.body.isEmpty)
    #expect(try service.get(path).status == 404)
    #expect(try service.send(.delete, path).status == 404)
    #expect(try service.send(.patch, path, ["name": .null]).status == 404)
    #expect(
      try service.send(.post, "/v1/navigators", ["copyOf": renamed["/id"] ?? .null]).status == 404)
    #expect(
      try service.send(.post, "/v1/navigators", ["copyOf": copy["/id"] ?? .null, "tabs": [[:]]])
        .faults == ["/copyOf"])
  }

  @Test func `it is another token's neither to see, nor to use, nor to copy`() throws {
    func token(_ role: Role) -> Fields {
      let (credential, text) = Credential.random()
      service.store.administer(
        .createToken(NewToken(credential: credential, name: "Sam", role: role)), as: .local
      ) { _ in }
      return ["Authorization": "Bearer \(text)"]
    }
    let (phone, tablet) = (token(.reader), token(.admin))
    let made = try service.send(.post, "/v1/navigators", ["name": "Phone"], phone)
    let id = try #require(made.text("/id"))
    let own = "/v1/navigators/\(id)"
    #expect(try service.get(own, phone).status == 200)
    #expect(try service.get("/v1/navigators?name=Phone", phone)["/count"] == 1)
    #expect(try service.get("/v1/navigators?name=Phone", tablet)["/count"] == 0)
    for call in ["push", "pop", "pop-to", "pop-to-root", "open", "select-tab", "tabs/reorder"] {
      #expect(try service.send(.post, "\(own)/\(call)", [:], tablet).status == 404, "\(call)")
    }
    for call in ["stack", "tabs"] {
      #expect(try service.send(.put, "\(own)/\(call)", [:], tablet).status == 404, "\(call)")
    }
    #expect(try service.get(own, tablet).status == 404)
    #expect(try service.send(.patch, own, [:], tablet).status == 404)
    #expect(try service.send(.patch, own + "/top", [:], tablet).status == 404)
    #expect(try service.send(.delete, own, fields: tablet).status == 404)
    let copy: JSONValue = ["copyOf": .string(id)]
    #expect(try service.send(.post, "/v1/navigators", copy, tablet).status == 404)
    #expect(try service.send(.post, "/v1/navigators", copy, phone).status == 201)
  }

  @Test func `the last used one is first, with the time of its use`() throws {
    let clock = SetClock()
    let service = try Service(store: ArrayStore(clock: { clock.now }))
    var paths: [String] = []
    for name in ["Phone", "Tablet"] {
      clock.set(Timestamp(seconds: clock.now.seconds + 60))
      let made = try service.send(.post, "/v1/navigators", ["name": .string(name)])
      paths.append("/v1/navigators/\(try #require(made.text("/id")))")
      #expect(made["/lastUsedAt"] == made["/createdAt"])
    }
    func names() throws -> [String] {
      try service.get("/v1/navigators").texts("/navigators", "name")
    }
    #expect(try names() == ["Tablet", "Phone"])
    clock.set(Timestamp(seconds: clock.now.seconds + 60))
    let used = try service.send(.post, paths[0] + "/push", ["screen": ["about": true]])
    #expect(used.text("/lastUsedAt") == clock.now.description)
    #expect(used["/lastUsedAt"] != used["/createdAt"])
    #expect(try names() == ["Phone", "Tablet"])
  }

  @Test func `every call answers it whole, with all bars`() throws {
    let calls: [(HTTP.Method, String, JSONValue)] = [
      (.post, "/push", ["screen": list]), (.post, "/push", ["screen": sublist]),
      (.patch, "/top", ["mode": "edit"]), (.post, "/pop-to", ["index": 1]), (.post, "/pop", [:]),
      (.put, "/stack", ["stack": [list, spoon]]), (.post, "/pop-to-root", [:]),
      (.post, "/open", ["itemId": .string(drawer.rows[0])]),
      (.put, "/tabs", ["tabs": [["id": "a", "stack": [list]], ["id": "b"]]]),
      (.post, "/select-tab", ["tab": "b"]), (.post, "/tabs/reorder", ["ids": ["b", "a"]]),
      (.patch, "", ["name": "Tablet"]),
    ]
    for (method, call, body) in calls {
      let answer = try service.send(method, path + call, body)
      #expect(answer.status == 200, "\(call)")
      let read = try service.get(path)
      let popped = call == "/pop" ? ["popped"] : []
      #expect(answer.keys() == read.keys() + popped, "\(call)")
      for member in read.keys() { #expect(answer["/" + member] == read["/" + member], "\(call)") }
      #expect(answer.fields["etag"] == read.fields["etag"], "\(call)")
    }
  }

  @Test func `a hundred navigators, and no more`() throws {
    for _ in 1..<100 {
      #expect(try service.send(.post, "/v1/navigators").status == 201)
    }
    let refused = try service.send(.post, "/v1/navigators")
    #expect(refused.status == 409)
    #expect(refused.code == "too_many_navigators")
    #expect(refused["/limit"] == 100)
  }

  @Test func `a reader has navigators too`() throws {
    let reader = try service.asked(by: .reader)
    #expect(try reader.send(.post, "/v1/navigators").status == 201)
    let pushed = try reader.send(.post, path + "/push", ["screen": list])
    #expect(pushed["/tabs/0/stack/1/navigationBar/trailing"] == .null)
  }
}
