import HTTP
import Inventory
import JSON
import Testing

@Suite("A navigator's stack over HTTP")
struct NavigatorStackTests: NavigatedHome {
  let house: NavigatedHouse

  init() throws { house = try NavigatedHouse() }

  @Test func `screens are pushed and popped, each with its bar`() throws {
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

  @Test func `a momentary screen below the top of a stack that is set whole is left out`() throws {
    let splash: JSONValue = ["custom": "splash", "title": "Welcome", "momentary": true]
    var answer = try setStack([["listId": "root"], splash, list])
    #expect(titles(answer) == ["Home", "Kitchen"])
    #expect(answer["/tabs/0/stack/1/navigationBar/leading/title"] == "Home")
    #expect(try post("pop-to", ["screen": splash]).status == 404)
    #expect(titles(try post("pop", [:])) == ["Home"])
    answer = try setStack([["listId": "root"], splash])
    #expect(titles(answer) == ["Home", "Welcome"])
    let tab: JSONValue = ["id": "one", "stack": [["listId": "root"], splash, list, splash]]
    answer = try service.send(.put, path + "/tabs", ["tabs": [tab]])
    #expect(titles(answer) == ["Home", "Kitchen", "Welcome"])
    let made = try service.send(.post, "/v1/navigators", ["tabs": [tab]])
    #expect(titles(made) == ["Home", "Kitchen", "Welcome"])
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
    answer = try patch(["mode": "browse"])
    #expect(answer["/tabs/0/stack/1/state"] == ["scroll": 240])
    answer = try patch(["mode": .null, "state": .null])
    #expect(answer["/tabs/0/stack/1/state"] == .null)
    #expect(answer["/tabs/0/stack/1/mode"] == .null)
    // {"x":"…"} has eight bytes beside the text.
    let fits = JSONValue.string(String(repeating: "x", count: 4096 - 8))
    #expect(try patch(["state": ["x": fits]]).status == 200)
    #expect(try patch(["state": ["y": 1]]).faults == ["/state"])
    let over: JSONValue = ["x": .string(String(repeating: "x", count: 4096 - 7))]
    #expect(
      try push(["listId": .string(kitchen.id), "state": over]).faults == ["/screen/state"])
    #expect(try setStack([["about": true, "state": over]]).faults == ["/stack/0/state"])
    #expect(try patch(["state": 5]).faults == ["/state"])
    #expect(try patch(["mode": "move"]).faults == ["/mode"])
    #expect(try patch(["mode": "fly"]).faults == ["/mode"])
  }

  @Test func `an add screen of a kind can be on a stack`() throws {
    let scene: JSONValue = ["listId": .string(kitchen.id), "mode": "add", "kind": "car"]
    var answer = try push(scene)
    #expect(answer["/tabs/0/stack/1/kind"] == "car")
    #expect(titles(answer) == ["Home", "Add car"])
    #expect(answer["/tabs/0/stack/1/navigationBar/trailing/action"] == "save")
    #expect(titles(try service.get(path)) == ["Home", "Add car"])
    // What is read can be set, and so can another kind.
    let stack = try #require(answer["/tabs/0/stack"])
    answer = try service.send(.put, path + "/stack", ["stack": stack])
    #expect(answer["/version"] == 2)
    func patch(_ body: JSONValue) throws -> Answer {
      try service.send(.patch, path + "/top", body)
    }
    #expect(titles(try patch(["kind": "list"])) == ["Home", "Add list"])
    #expect(try patch(["mode": "edit", "kind": "list"]).faults == ["/kind"])
    answer = try patch(["mode": "browse"])
    #expect(titles(answer) == ["Home", "Kitchen"])
    #expect(answer["/tabs/0/stack/1/kind"] == .null)
    #expect(try patch(["kind": "thing"]).faults == ["/kind"])
    #expect(titles(try patch(["mode": "add", "kind": "car"])) == ["Home", "Add car"])
    #expect(titles(try patch(["kind": .null])) == ["Home", "Add thing"])
  }

  @Test func `a list too deep to be added can't be saved from a stack either`() throws {
    let inventory =
      "/v1/inventories/\(try #require(try service.get("/v1/me").text("/inventoryId")))"
    _ = try service.send(.patch, inventory, ["depthLimit": 3])
    func save(_ list: String, _ kind: JSONValue) throws -> JSONValue? {
      let scene: JSONValue = ["listId": .string(list), "mode": "add", "kind": kind]
      return try setStack([["listId": "root"], scene])[
        "/tabs/0/stack/1/navigationBar/trailing/enabled"]
    }
    #expect(try save(kitchen.id, "list") == true)
    #expect(try save(drawer.id, "list") == false)
    #expect(try save(drawer.id, "thing") == true)
  }

  @Test func `a client's own screen has a prompt and a trailing button`() throws {
    let help: JSONValue = [
      "custom": "help", "title": "Help", "prompt": " Drag rows by their handles. ",
      "trailing": ["action": "done", "title": "Start", "enabled": false],
    ]
    let answer = try push(help)
    let bar = "/tabs/0/stack/1/navigationBar"
    #expect(answer[bar + "/prompt"] == "Drag rows by their handles.")
    #expect(
      answer[bar + "/trailing"]
        == ["action": "done", "title": "Start", "image": "check", "enabled": false])
    #expect(
      answer["/tabs/0/stack/1/trailing"]
        == ["action": "done", "title": "Start", "enabled": false])
    let stack = try #require(answer["/tabs/0/stack"])
    #expect(try service.send(.put, path + "/stack", ["stack": stack])["/version"] == 2)
    // It is the same screen, whatever its bar says.
    let same: JSONValue = ["custom": "help", "title": "Aid"]
    #expect(titles(try post("pop-to", ["screen": same])) == ["Home", "Help"])
    let plain: JSONValue = ["custom": "x", "title": "x", "trailing": ["action": "next"]]
    _ = try push(plain)
    let arabic = try service.get(path, ["Accept-Language": "ar"])
    #expect(arabic["/tabs/0/stack/2/navigationBar/trailing/title"] == "التالي")
    #expect(arabic["/tabs/0/stack/2/trailing/title"] == .null)
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
    (#"{"listId":"root","kind":"car"}"#, ["/kind"]),
    (#"{"listId":"root","mode":"edit","kind":"car"}"#, ["/kind"]),
    (#"{"listId":"root","mode":"add","kind":"boat"}"#, ["/kind"]),
    (#"{"listId":"root","prompt":"x","trailing":{"action":"done"}}"#, ["/prompt", "/trailing"]),
    (#"{"custom":"x","title":"x","prompt":""}"#, ["/prompt"]),
    (#"{"custom":"x","title":"x","trailing":"Done"}"#, ["/trailing"]),
    (#"{"custom":"x","title":"x","trailing":{}}"#, ["/trailing/action"]),
    (#"{"custom":"x","title":"x","trailing":{"action":"back"}}"#, ["/trailing/action"]),
    (
      #"{"custom":"x","title":"x","trailing":{"action":"fly","title":""}}"#,
      ["/trailing/action", "/trailing/title"]
    ),
  ]

  @Test(arguments: references)
  func `an invalid screen is refused in every place`(text: String, faults: [String]) throws {
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
}

extension JSONValue {
  fileprivate func objectMember(_ name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }
}
