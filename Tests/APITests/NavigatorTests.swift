import HTTP
import Inventory
import JSON
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
    #expect(made.keys("/tabs/0") == ["id", "title", "image", "stack"])
    #expect(
      made.keys("/tabs/0/stack/0") == [
        "listId", "itemId", "photos", "about", "custom", "title", "mode", "state", "momentary",
        "level", "navigationBar", "barTogglesOnTap", "shortcuts",
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
