import HTTP
import Inventory
import JSON
import Testing

@Suite("A navigator's tabs over HTTP")
struct NavigatorTabTests: NavigatedHome {
  let house: NavigatedHouse

  init() throws { house = try NavigatedHouse() }

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
    #expect(made == RowID(text: made)?.description)

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
    let long = String(repeating: "x", count: 101)
    let invalid = try post("tabs/reorder", ["ids": ["", .string(long), "a\nb", "about"]])
    #expect(invalid.status == 422)
    #expect(invalid.faults == ["/ids/0", "/ids/1", "/ids/2"])

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
    #expect(try more(8) != nil)
    #expect(try more(9) == nil)
  }
}
