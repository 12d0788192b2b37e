import HTTP
import Inventory
import JSON
import Testing

@Suite("Screens over HTTP")
struct ScreenTests {
  let service: Service
  let kitchen: Service.MadeList
  let drawer: Service.MadeList

  init() throws {
    service = try Service()
    kitchen = try service.makeList("Kitchen", things: ["Kettle", "Mixer"])
    drawer = try service.makeList("Drawer", in: kitchen.id)
  }

  @Test func `a list's screen has every member`() throws {
    let screen = try service.get(kitchen.path + "/screen")
    #expect(screen.status == 200)
    #expect(
      screen.keys() == [
        "level", "navigationBar", "barTogglesOnTap", "toolbar", "row", "shortcuts", "dir",
      ])
    #expect(
      screen["/navigationBar"] == [
        "leading": ["action": "back", "title": "Home", "image": "chevron-left", "enabled": true],
        "title": "Kitchen", "titleFits": true, "prompt": .null,
        "trailing": ["action": "edit", "title": "Edit", "image": "pencil", "enabled": true],
      ])
    #expect(screen["/level"] == 2)
    #expect(screen["/toolbar"] == .null)
    #expect(screen["/barTogglesOnTap"] == false)
    #expect(
      screen["/row"] == [
        "canAdd": true, "canEdit": true, "canMove": true, "canDelete": true,
        "deleteLabel": "Remove",
      ])
    #expect(screen["/shortcuts"] == [])
    #expect(screen["/dir"] == "ltr")
    // What is worked out from elsewhere carries no validator.
    #expect(screen.fields["etag"] == nil)
    #expect(screen.fields["content-language"] == "en")
  }

  @Test func `the root list's screen is the first, and nothing leads back from it`() throws {
    let first = try service.get("/v1/lists/root/screen")
    #expect(first["/level"] == 1)
    #expect(first["/navigationBar/leading"] == .null)
    #expect(first["/navigationBar/title"] == "Home")
  }

  /// What is asked for below the kitchen, and its bar: leading, title, prompt, trailing, enabled.
  static let modes: [(String, [JSONValue?])] = [
    ("?mode=browse", ["back", "Kitchen", .null, "edit", true]),
    ("?mode=edit", ["add", "Kitchen", .null, "done", true]),
    ("?mode=details", ["cancel", "Edit Kitchen", .null, "save", true]),
    ("?mode=add&kind=list", ["cancel", "Add list", .null, "save", true]),
    ("?mode=add&kind=thing", ["cancel", "Add thing", .null, "save", true]),
    ("?mode=add&kind=car", ["cancel", "Add car", .null, "save", true]),
    ("?mode=add", ["cancel", "Add thing", .null, "save", true]),
  ]

  private func bar(_ screen: Answer) -> [JSONValue?] {
    [
      screen["/navigationBar/leading/action"] ?? screen["/navigationBar/leading"],
      screen["/navigationBar/title"], screen["/navigationBar/prompt"],
      screen["/navigationBar/trailing/action"] ?? screen["/navigationBar/trailing"],
      screen["/navigationBar/trailing/enabled"],
    ]
  }

  @Test(arguments: modes)
  func `each mode has its bar`(query: String, expected: [JSONValue?]) throws {
    let screen = try service.get(kitchen.path + "/screen" + query)
    #expect(screen.status == 200)
    #expect(bar(screen) == expected)
  }

  @Test(arguments: [
    ("?mode=fly", ["mode"]), ("?kind=list", ["kind"]), ("?mode=add&kind=boat", ["kind"]),
    ("?mode=move", ["row"]), ("?mode=edit&row=00000000-0000-4000-8000-000000000000", ["row"]),
    ("?mode=move&row=7", ["row"]), ("?limit=0", ["limit"]), ("?limit=1001", ["limit"]),
    ("?backTitleLimit=-1", ["backTitleLimit"]),
    ("?backTitleLimit=x&mode=", ["backTitleLimit", "mode"]),
  ])
  func `what is wrong with a query is named`(query: String, names: [String]) throws {
    let refused = try service.get(kitchen.path + "/screen" + query)
    #expect(refused.status == 422)
    #expect(Set(refused.faults) == Set(names))
  }

  @Test func `a move screen asks for a target, and disables Move where it is not allowed`() throws {
    let garage = try service.makeList("Garage", ["itemKind": "car"])
    let shed = try service.makeList("Shed")
    func move(_ row: String, to list: String) throws -> [JSONValue?] {
      let screen = try service.get("/v1/lists/\(list)/screen?mode=move&row=\(row)")
      #expect(screen.status == 200)
      return bar(screen)
    }
    let kettle = kitchen.rows[0]
    let prompt: JSONValue = "Move Kettle to another list."
    #expect(try move(kettle, to: shed.id) == ["cancel", "Shed", prompt, "move", true])
    #expect(try move(kettle, to: garage.id) == ["cancel", "Garage", prompt, "move", false])
    // A list goes anywhere but into itself and what is below it.
    #expect(try move(kitchen.id, to: garage.id).last == true)
    #expect(try move(kitchen.id, to: drawer.id).last == false)
    #expect(try move(kitchen.id, to: kitchen.id).last == false)
    try service.permit(["add": false], in: shed)
    #expect(try move(kettle, to: shed.id).last == false)
    try service.permit(["add": true], in: shed)
    try service.permit(["move": false], in: kitchen)
    #expect(try move(kettle, to: shed.id).last == false)
    #expect(
      try service.asked(by: .reader).get(
        shed.path + "/screen?mode=move&row=\(drawer.id)")["/navigationBar/trailing/enabled"]
        == false)
    let nothing = "00000000-0000-4000-8000-000000000000"
    #expect(try service.get(shed.path + "/screen?mode=move&row=\(nothing)").status == 404)
  }

  @Test func `a move succeeds exactly if the screen permits it`() throws {
    let lists = [
      kitchen, drawer, try service.makeList("Garage", ["itemKind": "car"]),
      try service.makeList("Shut", ["permissions": ["add": false, "move": false]]),
    ]
    let root = try #require(try service.get("/v1/lists/root").text("/id"))
    let item = kitchen.rows[0]
    let contents = try #require(
      try service.send(.post, "/v1/items/\(item)/contents").text("/id"))
    let rows = lists.map(\.id) + [item, kitchen.rows[1], contents, root]
    for row in rows {
      for list in lists.map(\.id) + [contents, root] {
        let fresh = try service.get("/v1/lists/\(list)/screen?mode=move&row=\(row)")
        // Each is tried on a copy of everything.
        let copy = try Service(store: service.store.copy())
        let moved = try copy.send(.post, "/v1/rows/\(row)/move", ["listId": .string(list)])
        #expect(
          fresh["/navigationBar/trailing/enabled"] == .bool(moved.status == 200),
          "\(row) into \(list): \(moved.code ?? "done")")
      }
    }
  }

  @Test func `a first page comes with it, at one revision`() throws {
    let screen = try service.get(kitchen.path + "/screen?limit=2")
    let page = try service.get(kitchen.path + "/rows?limit=2")
    #expect(screen["/rows"] == page["/rows"])
    #expect(screen["/revision"] == page["/revision"])
    #expect(screen["/count"] == 3)
    #expect(screen["/listId"] == .string(kitchen.id))
    #expect(screen["/navigationBar/title"] == "Kitchen")
    let whole = try service.get(kitchen.path + "/screen?limit=3")
    #expect(whole.texts("/rows", "title") == ["Kettle", "Mixer", "Drawer", "No more items!"])
    try service.send(.patch, kitchen.path, ["sentinel": ["visible": false]])
    #expect(
      try service.get(kitchen.path + "/screen?limit=9").texts("/rows", "title")
        == ["Kettle", "Mixer", "Drawer"])
    #expect(try service.get("/v1/items/\(kitchen.rows[0])/screen?limit=3").faults == ["limit"])
  }

  @Test func `an item's screen has its toolbar while it is looked at`() throws {
    let path = "/v1/items/\(kitchen.rows[0])/screen"
    let browse = try service.get(path)
    #expect(bar(browse) == ["back", "Kettle", .null, "edit", true])
    #expect(browse["/navigationBar/leading/title"] == "Kitchen")
    // Edit is in the bar alone.
    #expect(browse.keys("/toolbar") == ["previous", "photos", "next"])
    #expect(browse["/toolbar/previous/enabled"] == false)
    #expect(browse["/toolbar/photos/action"] == "photos")
    #expect(browse["/toolbar/next/enabled"] == true)
    let edit = try service.get(path + "?mode=edit")
    #expect(bar(edit) == ["cancel", "Edit Kettle", .null, "save", true])
    #expect(edit["/toolbar"] == .null)
    #expect(try service.get(path + "?mode=add").faults == ["mode"])
    #expect(
      try service.get("/v1/items/\(kitchen.rows[1])/screen")["/toolbar/next/enabled"] == false)
    let photos = try service.get("/v1/items/\(kitchen.rows[0])/photos/screen")
    #expect(bar(photos) == ["back", "Kettle", .null, .null, nil])
    #expect(photos["/navigationBar/leading/title"] == "Kettle")
    #expect(photos["/barTogglesOnTap"] == true)
    #expect(photos["/level"] == 4)
    #expect(photos["/toolbar"] == .null)
  }

  @Test func `the screen about the server leads back to the root list`() throws {
    let about = try service.get("/v1/about/screen")
    #expect(bar(about) == ["back", "About Rowhouse", .null, .null, nil])
    #expect(about["/navigationBar/leading/title"] == "Home")
    #expect(about["/row/canAdd"] == false)
  }

  @Test func `a reader sees no button that changes anything`() throws {
    let reader = try service.asked(by: .reader)
    #expect(try reader.get(kitchen.path + "/screen")["/navigationBar/trailing"] == .null)
    #expect(
      try reader.get(kitchen.path + "/screen?mode=details")["/navigationBar/trailing/enabled"]
        == false)
    #expect(
      try reader.get("/v1/items/\(kitchen.rows[0])/screen")["/navigationBar/trailing"] == .null)
  }

  @Test func `shortcuts come on the fourth level, and a deep one has nine`() throws {
    var path = [try #require(try service.get("/v1/lists/root").text("/id"))]
    var list = kitchen.id
    for level in 2...12 {
      let screen = try service.get("/v1/lists/\(list)/screen")
      #expect(screen["/level"] == JSONValue(level))
      let expected = level < 4 ? [] : path.count <= 9 ? path : path.prefix(1) + path.suffix(8)
      #expect(screen.texts("/shortcuts", "id") == Array(expected))
      path.append(list)
      list = try service.makeList("Level \(level + 1)", in: list).id
    }
    #expect(try service.get("/v1/lists/\(list)/screen").texts("/shortcuts", "title")[0] == "Home")
  }

  @Test func `a list that is gone has no screen`() throws {
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    #expect(try service.get(kitchen.path + "/screen").status == 410)
    #expect(try service.get("/v1/items/\(kitchen.rows[0])/screen").status == 410)
    #expect(try service.get("/v1/items/\(kitchen.rows[0])/photos/screen").status == 410)
    #expect(try service.get("/v1/items/\(drawer.id)/screen").status == 404)
  }

  @Test func `who sees a part of the tree starts there`() throws {
    let scoped = try service.asked(by: .owner, root: ListID(text: kitchen.id))
    let screen = try scoped.get("/v1/lists/root/screen")
    #expect(screen["/level"] == 1)
    #expect(screen["/navigationBar/leading"] == .null)
    #expect(try scoped.get(drawer.path + "/screen")["/level"] == 2)
  }
}
