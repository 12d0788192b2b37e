import HTTP
import Inventory
import JSON
import Testing

@Suite("Navigators over HTTP")
struct NavigatorTests {
  let service: Service
  let kitchen: Service.MadeList
  let drawer: Service.MadeList
  let root: String
  let path: String

  init() throws {
    service = try Service()
    kitchen = try service.makeList("Kitchen", things: ["Kettle"])
    drawer = try service.makeList("Drawer", in: kitchen.id, things: ["Spoon"])
    root = try #require(try service.get("/v1/lists/root").text("/id"))
    let made = try service.send(.post, "/v1/navigators", ["name": "Phone"])
    path = "/v1/navigators/\(try #require(made.text("/id")))"
  }

  private func post(_ call: String, _ body: JSONValue, _ fields: Fields = Fields()) throws -> Answer
  {
    try service.send(.post, path + "/" + call, body, fields)
  }

  private func push(_ screen: JSONValue) throws -> Answer { try post("push", ["screen": screen]) }

  private func setStack(_ stack: [JSONValue]) throws -> Answer {
    try service.send(.put, path + "/stack", ["stack": .array(stack)])
  }

  /// The titles on the bars of a tab's stack.
  private func titles(_ answer: Answer, tab: Int = 0) -> [String] {
    guard case .array(let screens) = answer["/tabs/\(tab)/stack"] else { return [] }
    return screens.indices.compactMap {
      answer.text("/tabs/\(tab)/stack/\($0)/navigationBar/title")
    }
  }

  private var list: JSONValue { ["listId": .string(kitchen.id)] }
  private var sublist: JSONValue { ["listId": .string(drawer.id)] }
  private var spoon: JSONValue { ["itemId": .string(drawer.rows[0])] }

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

  @Test func `screens go on and off, each with its bar worked out`() throws {
    var answer = try push(list)
    #expect(answer.status == 200)
    answer = try push(sublist)
    answer = try push(spoon)
    #expect(titles(answer) == ["Home", "Kitchen", "Drawer", "Spoon"])
    #expect(
      (0...3).map { answer.text("/tabs/0/stack/\($0)/navigationBar/leading/title") } == [
        nil, "Home", "Kitchen", "Drawer",
      ])
    #expect(answer["/version"] == 4)
    #expect(answer.texts("/tabs/0/stack/3/shortcuts", "title") == ["Home", "Kitchen", "Drawer"])
    #expect(answer["/tabs/0/stack/2/shortcuts"] == [])
    #expect(answer["/popped"] == nil)
    answer = try post("pop", [:])
    #expect(answer["/popped/itemId"] == spoon.objectMember("itemId"))
    #expect(titles(answer) == ["Home", "Kitchen", "Drawer"])
    answer = try post("pop-to", ["screen": ["listId": "root", "mode": "edit"]])
    #expect(titles(answer) == ["Home"])
  }

  @Test func `at the root a pop does nothing, with or without a body`() throws {
    let before = try service.get(path)
    let popped = try service.send(.post, path + "/pop")
    #expect(popped.status == 200)
    #expect(popped["/popped"] == .null)
    #expect(popped["/version"] == 1)
    #expect(try service.get(path).fields["etag"] == before.fields["etag"])
    #expect(try service.send(.post, path + "/pop-to-root")["/version"] == 1)
  }

  @Test func `back from view 3 leads to view 1 where view 2 was momentary`() throws {
    var splash: JSONValue = ["custom": "splash", "title": "Welcome", "momentary": true]
    var answer = try push(splash)
    #expect(titles(answer) == ["Home", "Welcome"])
    splash = ["about": true, "momentary": true]
    answer = try push(splash)
    #expect(titles(answer) == ["Home", "About Rowhouse"])
    answer = try push(list)
    #expect(titles(answer) == ["Home", "Kitchen"])
    #expect(answer["/tabs/0/stack/1/navigationBar/leading/title"] == "Home")
    #expect(titles(try post("pop", [:])) == ["Home"])
  }

  @Test func `a restored place is without its momentary screens, and stays so`() throws {
    _ = try push(list)
    _ = try push(["custom": "help", "title": "Help", "momentary": true])
    #expect(titles(try service.get(path)) == ["Home", "Kitchen", "Help"])
    let restored = try service.get(path + "?restore=true")
    #expect(titles(restored) == ["Home", "Kitchen"])
    #expect(titles(try service.get(path)) == ["Home", "Kitchen"])
    #expect(titles(try post("pop", [:])) == ["Home"])
  }

  @Test func `popping to what is not on the stack is 404`() throws {
    _ = try push(list)
    for body: JSONValue in [
      ["index": 2], ["screen": sublist], ["screen": ["about": true]],
      ["screen": ["itemId": .string(kitchen.id)]],
    ] {
      let refused = try post("pop-to", body)
      #expect(refused.status == 404)
      #expect(refused.code == "not_found")
    }
    #expect(titles(try post("pop-to", ["index": 1])) == ["Home", "Kitchen"])
    #expect(titles(try post("pop-to", ["index": 0])) == ["Home"])
    _ = try push(list)
    _ = try push(sublist)
    _ = try push(list)
    _ = try push(["about": true])
    #expect(
      titles(try post("pop-to", ["screen": list])) == ["Home", "Kitchen", "Drawer", "Kitchen"])
    #expect(titles(try post("pop-to-root", [:])) == ["Home"])
  }

  @Test func `a stack is set whole, of one to sixty-four screens`() throws {
    let full = [JSONValue](repeating: list, count: 64)
    #expect(titles(try setStack(full)).count == 64)
    let refused = try push(sublist)
    #expect(refused.status == 409)
    #expect(refused.code == "stack_full")
    #expect(refused["/limit"] == 64)
    #expect(try setStack(full + [list]).faults == ["/stack"])
    #expect(try setStack([]).faults == ["/stack"])
    #expect(
      try setStack([["about": true, "momentary": true]]).faults == ["/stack/0/momentary"])
    #expect(titles(try setStack([spoon])) == ["Spoon"])
    // The first screen has nothing to go back by, whatever it is.
    #expect(try service.get(path)["/tabs/0/stack/0/navigationBar/leading"] == .null)
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

  @Test func `opening sets the way down from the root`() throws {
    #expect(
      titles(try post("open", ["itemId": .string(drawer.rows[0])]))
        == ["Home", "Kitchen", "Drawer", "Spoon"])
    #expect(titles(try post("open", ["listId": .string(kitchen.id)])) == ["Home", "Kitchen"])
    #expect(titles(try post("open", ["listId": "root"])) == ["Home"])
    #expect(try post("open", ["listId": .string(drawer.rows[0])]).status == 404)
    for body: JSONValue in [[:], ["listId": "root", "itemId": .string(drawer.rows[0])]] {
      #expect(try post("open", body).status == 422)
    }
    var deep = drawer.id
    for level in 4...70 { deep = try service.makeList("Level \(level)", in: deep).id }
    let opened = titles(try post("open", ["listId": .string(deep)]))
    #expect(opened == ["Home"] + (8...70).map { "Level \($0)" })
  }

  @Test func `tabs keep their stacks by id`() throws {
    _ = try push(list)
    let first = try #require(try service.get(path).text("/selectedTab"))
    var answer = try service.send(
      .put, path + "/tabs",
      [
        "tabs": [
          ["id": "about", "title": "About", "image": "info", "stack": [["about": true]]],
          ["id": .string(first), "title": "Home"], ["title": "New"],
        ]
      ])
    #expect(answer.status == 200)
    #expect(answer["/tabs/0/image"] == "info")
    #expect(titles(answer, tab: 0) == ["About Rowhouse"])
    #expect(titles(answer, tab: 1) == ["Home", "Kitchen"])
    #expect(titles(answer, tab: 2) == ["Home"])
    #expect(answer.text("/selectedTab") == first)
    let made = try #require(answer.text("/tabs/2/id"))

    answer = try post("select-tab", ["tab": .string(first)])
    #expect(titles(answer, tab: 1) == ["Home"])
    answer = try post("select-tab", ["tab": .string(made)])
    #expect(answer.text("/selectedTab") == made)
    #expect(try post("select-tab", ["tab": "nothing"]).status == 404)
    answer = try push(list)
    #expect(titles(answer, tab: 2) == ["Home", "Kitchen"])
    #expect(titles(answer, tab: 1) == ["Home"])

    answer = try post("tabs/reorder", ["ids": [.string(made), "about", .string(first)]])
    #expect(answer.texts("/tabs", "id") == [made, "about", first])
    #expect(answer.text("/selectedTab") == made)
    let refused = try post("tabs/reorder", ["ids": ["about", "about", "x"]])
    #expect(refused.status == 409)
    #expect(refused.code == "not_the_present_tabs")
    #expect(refused["/missing"] == [.string(made), .string(first)])
    #expect(refused["/unknown"] == ["x"])
    #expect(refused["/duplicate"] == ["about"])

    answer = try service.send(.put, path + "/tabs", ["tabs": [["id": "about"], ["id": "b"]]])
    #expect(answer["/selectedTab"] == "about")
  }

  @Test func `a tab can be selected by an edit, which leaves its stack`() throws {
    _ = try service.send(
      .put, path + "/tabs",
      ["tabs": [["id": "a"], ["id": "b", "stack": [["about": true], list]]]])
    let edited = try service.send(.patch, path, ["selectedTab": "b"])
    #expect(edited["/selectedTab"] == "b")
    #expect(titles(try service.send(.patch, path, ["selectedTab": "b"]), tab: 1).count == 2)
    #expect(try service.send(.patch, path, ["selectedTab": "c"]).status == 404)
    #expect(try service.send(.patch, path, ["selectedTab": .null]).faults == ["/selectedTab"])
    #expect(try service.get(path)["/name"] == "Phone")
    #expect(try service.send(.patch, path, ["name": .null])["/name"] == .null)
  }

  @Test func `more than five tabs show the first four, and more`() throws {
    func more(_ count: Int) throws -> JSONValue? {
      let tabs = (1...count).map { JSONValue.object(JSONObject([("id", .string("\($0)"))])) }
      return try service.send(.put, path + "/tabs", ["tabs": .array(tabs)])["/more"]
    }
    #expect(try more(5) == [])
    #expect(try more(7) == ["5", "6", "7"])
    #expect(try more(20) != nil)
    #expect(try more(21) == nil)
  }

  @Test func `the top keeps its mode and state, merged as a patch`() throws {
    func patch(_ body: JSONValue) throws -> Answer {
      try service.send(.patch, path + "/top", body)
    }
    _ = try push(list)
    var answer = try patch(["mode": "edit", "state": ["scroll": 120, "zoom": .decimal("1.50")]])
    #expect(answer["/tabs/0/stack/1/mode"] == "edit")
    #expect(answer["/tabs/0/stack/1/navigationBar/trailing/action"] == "done")
    #expect(answer["/tabs/0/stack/1/state"] == ["scroll": 120, "zoom": .decimal("1.5")])
    answer = try patch(["state": ["scroll": 240, "zoom": .null]])
    #expect(answer["/tabs/0/stack/1/state"] == ["scroll": 240])
    #expect(answer["/tabs/0/stack/1/mode"] == "edit")
    answer = try patch(["mode": .null, "state": .null])
    #expect(answer["/tabs/0/stack/1/state"] == .null)
    #expect(answer["/tabs/0/stack/1/mode"] == .null)
    // {"x":"…"} has eight bytes beside the text.
    let fits = JSONValue.string(String(repeating: "x", count: 4096 - 8))
    #expect(try patch(["state": ["x": fits]]).status == 200)
    #expect(try patch(["state": ["y": 1]]).faults == ["/state"])
    #expect(try patch(["state": 5]).faults == ["/state"])
    #expect(try patch(["mode": "move"]).faults == ["/mode"])
    #expect(try patch(["mode": "fly"]).faults == ["/mode"])
  }

  /// A reference that is none, and what is wrong with it.
  static let references: [(String, [String])] = [
    ("{}", [""]), (#"{"listId":"root","about":true}"#, [""]), (#"{"listId":7}"#, ["/listId"]),
    (#"{"listId":null}"#, [""]), (#"{"about":false}"#, [""]), (#"{"custom":"x"}"#, ["/title"]),
    (#"{"custom":"","title":"x"}"#, ["/custom"]), (#"{"listId":"root","title":"x"}"#, ["/title"]),
    (#"{"listId":"root","photos":true}"#, ["/photos"]), (#"{"about":1}"#, ["/about"]),
    (#"{"listId":"root","mode":"move"}"#, ["/mode"]), (#"{"about":true,"mode":"edit"}"#, ["/mode"]),
    (#"{"listId":"root","state":[]}"#, ["/state"]), (#"{"list":"root"}"#, ["/list", ""]),
    (#"{"listId":"root","momentary":"yes"}"#, ["/momentary"]),
  ]

  @Test(arguments: references)
  func `what is no screen is refused, wherever it stands`(text: String, faults: [String]) throws {
    let before = try service.get(path).body
    let pushed = try service.send(.post, path + "/push", text: #"{"screen":\#(text)}"#)
    #expect(pushed.status == 422)
    #expect(Set(pushed.faults) == Set(faults.map { "/screen" + $0 }))
    let set = try service.send(
      .put, path + "/stack", text: #"{"stack":[{"about":true},\#(text)]}"#)
    #expect(Set(set.faults) == Set(faults.map { "/stack/1" + $0 }))
    let tabs = try service.send(
      .put, path + "/tabs", text: #"{"tabs":[{"id":"a"},{"stack":[\#(text)]}]}"#)
    #expect(Set(tabs.faults) == Set(faults.map { "/tabs/1/stack/0" + $0 }))
    #expect(try service.get(path).body == before)
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

  @Test func `a screen of what is not there, or out of sight, is 404`() throws {
    let nothing: JSONValue = "00000000-0000-4000-8000-000000000000"
    for screen: JSONValue in [
      ["listId": nothing], ["itemId": nothing], ["itemId": .string(kitchen.id)],
      ["listId": .string(drawer.rows[0])],
    ] {
      #expect(try push(screen).status == 404)
      #expect(try setStack([["about": true], screen]).status == 404)
      #expect(
        try service.send(.put, path + "/tabs", ["tabs": [["stack": [screen]]]]).status == 404)
      #expect(
        try service.send(.post, "/v1/navigators", ["tabs": [["stack": [screen]]]]).status == 404)
    }
    let scoped = try service.asked(by: .owner, root: ListID(text: drawer.id))
    let made = try scoped.send(.post, "/v1/navigators")
    #expect(titles(made) == ["Drawer"])
    let own = "/v1/navigators/\(try #require(made.text("/id")))"
    #expect(try scoped.send(.post, own + "/push", ["screen": list]).status == 404)
    #expect(
      titles(try scoped.send(.post, own + "/push", ["screen": spoon])) == ["Drawer", "Spoon"])
  }

  @Test func `a list that another client deletes takes its screens with it, at the next read`()
    throws
  {
    _ = try push(list)
    _ = try push(sublist)
    _ = try push(spoon)
    _ = try push(["custom": "help", "title": "Help"])
    let version = try service.get(path)["/version"]
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    let settled = try service.get(path)
    #expect(titles(settled) == ["Home", "Kitchen"])
    #expect(settled["/version"] != version)
    #expect(try service.get(path).body == settled.body)
  }

  @Test func `it is read, and shown without what is gone, while nothing can be written`() throws {
    _ = try push(list)
    _ = try push(sublist)
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    let before = service.store.copy()
    for error in [InventoryError.storageFull, .overloaded] {
      let full = try Service(
        store: service.store, asking: RefusingStore(error, reading: service.store))
      let shown = try full.get(path)
      #expect(shown.status == 200)
      #expect(titles(shown) == ["Home", "Kitchen"])
      #expect(shown.fields["etag"] == nil)
      #expect(try full.send(.post, path + "/pop").status >= 500)
    }
    #expect(try Service(store: before).get(path)["/version"] == service.get(path)["/version"])
    #expect(try service.get(path).fields["etag"] != nil)
  }

  @Test func `back from a list that is gone leads one back, not two`() throws {
    _ = try push(list)
    _ = try push(sublist)
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    let popped = try post("pop", [:])
    #expect(popped["/popped/listId"] == .string(drawer.id))
    #expect(titles(popped) == ["Home", "Kitchen"])
  }

  @Test func `where the root screen goes, its nearest ancestor takes its place`() throws {
    _ = try setStack([sublist, spoon])
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    #expect(titles(try service.get(path)) == ["Kitchen"])
    _ = try setStack([["itemId": .string(kitchen.rows[0])]])
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    #expect(titles(try service.get(path)) == ["Home"])
  }

  @Test func `a tab that is not selected is settled too`() throws {
    let tabs: JSONValue = [["id": "a"], ["id": "b", "stack": [list, sublist]]]
    _ = try service.send(.put, path + "/tabs", ["tabs": tabs])
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    #expect(titles(try service.get(path), tab: 1) == ["Home"])
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

  @Test func `a back title is as long as the client has room for`() throws {
    _ = try push(list)
    let answer = try service.send(.post, path + "/push?backTitleLimit=4", ["screen": sublist])
    #expect(answer["/tabs/0/stack/1/navigationBar/leading/title"] == "Home")
    #expect(answer["/tabs/0/stack/2/navigationBar/leading/title"] == "Back")
    let arabic = try service.get(path + "?backTitleLimit=4", ["Accept-Language": "ar"])
    #expect(arabic["/tabs/0/stack/2/navigationBar/leading/title"] == "رجوع")
    #expect(arabic["/tabs/0/stack/2/navigationBar/leading/image"] == "chevron-right")
    #expect(arabic["/dir"] == "rtl")
  }

  @Test func `a store that answers later answers all the same`() throws {
    let later = try Service(store: service.store, asking: LaterStore(service.store))
    _ = try push(sublist)
    #expect(titles(try later.get(path)) == ["Home", "Drawer"])
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    #expect(titles(try later.get(path)) == ["Home"])
    #expect(try later.get("/v1/navigators/\(root)").status == 404)
  }
}

extension JSONValue {
  fileprivate func objectMember(_ name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }
}
