import Foundation
import JSON
import Support
import Testing

@Suite("A person finds the place again")
struct BrowsingTests {
  private let folder: TemporaryFolder
  private let server: RunningServer
  private let phone: Client

  init() throws {
    folder = try TemporaryFolder()
    server = try RunningServer(database: folder.database)
    phone = try server.connect()
  }

  private func bar(_ answer: Answer, _ member: String) -> JSONValue? {
    answer.at("/navigationBar/\(member)")
  }

  /// The titles of the stack of the selected tab, of which there is one.
  private func stack(_ answer: Answer) -> [String] {
    (answer.at("/tabs/0/stack")?.elements ?? []).compactMap { screen in
      screen["navigationBar"]?["title"]?.text
    }
  }

  @Test func `over rooms and shelves, a restart, another phone, and a list that goes`() throws {
    let kitchen = try phone.makeList("Kitchen")
    let shelf = try phone.makeList("Shelf", in: kitchen)
    let box = try phone.makeList("Box", in: shelf)
    let kettle = try phone.makeThing("Kettle", in: box)
    let cellar = try phone.makeList("Cellar")

    // The home, with its rows in the same answer.
    let home = try phone.get("/v1/lists/root/screen?limit=50")
    #expect(bar(home, "leading") == .null)
    #expect(home.rows.map(\.title) == ["Kitchen", "Cellar", "No more items!"])
    let made = try phone.send("POST", "/v1/navigators", ["name": "Phone"])
    #expect(made.status == 201)
    let navigator = "/v1/navigators/\(try #require(made.text("/id")))"
    #expect(made["location"] == navigator)

    // Down three levels.
    var place = made
    for list in [kitchen, shelf, box] {
      place = try phone.send("POST", navigator + "/push", ["screen": ["listId": .string(list)]])
      #expect(place.status == 200)
    }
    #expect(stack(place) == ["Inventory", "Kitchen", "Shelf", "Box"])
    #expect(place.text("/tabs/0/stack/3/navigationBar/leading/title") == "Shelf")
    #expect(place.at("/tabs/0/stack/3/shortcuts")?.elements.count == 3)

    // Edit, and add.
    place = try phone.send("PATCH", navigator + "/top", ["mode": "edit", "state": ["y": 120]])
    #expect(place.text("/tabs/0/stack/3/navigationBar/leading/action") == "add")
    #expect(place.text("/tabs/0/stack/3/navigationBar/trailing/action") == "done")
    let adding = try phone.get("/v1/lists/\(box)/screen?mode=add&kind=thing")
    #expect(bar(adding, "title") == "Add thing")
    try phone.makeThing("Teapot", in: box)
    try phone.makeThing("Tray", in: box)

    // Move one to another room, with the prompt above.
    let moving = try phone.get("/v1/lists/\(cellar)/screen?mode=move&row=\(kettle)")
    #expect(bar(moving, "prompt") == "Move Kettle to another list.")
    #expect(moving.at("/navigationBar/trailing/enabled") == true)
    let moved = try phone.send("POST", "/v1/rows/\(kettle)/move", ["listId": .string(cellar)])
    #expect(moved.status == 200)
    #expect(try phone.titles(of: cellar) == ["Kettle"])

    // Turned to Arabic the arrows swap, and what they mean does not.
    let teapot = try #require(try phone.rows(of: box).first?.id)
    let english = try phone.get("/v1/items/\(teapot)/neighbours")
    let arabic = try phone.get("/v1/items/\(teapot)/neighbours", ["Accept-Language": "ar"])
    #expect(english.text("/rightArrow") == "next")
    #expect(arabic.text("/leftArrow") == "next")
    #expect(arabic.at("/next") == english.at("/next"))
    #expect(arabic["content-language"] == "ar")

    // The server is killed; another phone finds the place by its name.
    let left = try phone.get(navigator)
    try server.kill()
    let again = try RunningServer(database: folder.database)
    let tablet = try again.connect()
    let found = try tablet.get("/v1/navigators?name=Phone")
    #expect(found.number("/count") == 1)
    let id = try #require(found.text("/navigators/0/id"))
    let restored = try tablet.get("/v1/navigators/\(id)?restore=true")
    #expect(restored.body == left.body)
    #expect(restored.at("/tabs/0/stack/3/state/y") == 120)

    // A third client deletes the list under it: its nearest ancestor is what remains.
    let third = try again.connect()
    #expect(try third.send("DELETE", "/v1/lists/\(shelf)?recursive=true").status == 200)
    let landed = try tablet.get(navigator)
    #expect(stack(landed) == ["Inventory", "Kitchen"])
    #expect(try tablet.get(navigator)["etag"] == landed["etag"])
    #expect(try tablet.send("POST", navigator + "/pop").at("/popped/listId") == .string(kitchen))
    #expect(try again.stop() == .exit(0))
  }

  @Test func `steps that were answered survive kill -9`() throws {
    let list = try phone.makeList("Shelf")
    let made = try phone.send("POST", "/v1/navigators")
    let navigator = "/v1/navigators/\(try #require(made.text("/id")))"
    var database = server
    var client = phone
    var random = SplitMix64(seed: 5)
    var depth = 1
    for _ in 0..<5 {
      for _ in 0..<8 {
        let isPush = depth == 1 || Bool.random(using: &random)
        let answer =
          isPush
          ? try client.send(
            "POST", navigator + "/push", ["screen": ["listId": .string(list)]])
          : try client.send("POST", navigator + "/pop")
        #expect(answer.status == 200)
        depth += isPush ? 1 : -1
      }
      try database.kill()
      database = try RunningServer(database: folder.database)
      client = try database.connect()
      #expect(stack(try client.get(navigator)).count == depth)
    }
  }
}

@Suite("The about screen of a server")
struct AboutFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String) throws -> String {
    let path = folder.file("about.json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `has the texts of the file`() throws {
    let path = try file(
      #"{"name":" Smith's things ","company":"Smith","copyright":"© 2026 Smith","legal":"One\nTwo","#
        + #""contact":"smith@example.org","support":null,"credits":"All"}"#)
    let server = try RunningServer(database: folder.database, ["--about", path])
    let client = try server.connect()
    let about = try client.get("/v1/about")
    #expect(about.text("/name") == "Smith's things")
    #expect(about.text("/company") == "Smith")
    #expect(about.text("/copyright") == "© 2026 Smith")
    #expect(about.text("/legal") == "One\nTwo")
    #expect(about.text("/licence") == "MIT")
    #expect(about.text("/contact") == "smith@example.org")
    #expect(about.at("/support") == .null)
    #expect(about.text("/credits") == "All")
    let screen = try client.get("/v1/about/screen")
    #expect(screen.text("/navigationBar/title") == "About Smith's things")
  }

  @Test(arguments: [
    "", "[]", "{", #"{"nmae":"x"}"#, #"{"name":7}"#, #"{"name":" "}"#,
    #"{"credits":"\#(String(repeating: "x", count: 65_536))"}"#,
  ])
  func `a file that can't be understood is refused at the start`(text: String) throws {
    let result = try Rowhouse.run(
      "serve", "--db", folder.database, "--listen", "127.0.0.1:0", "--about", try file(text))
    #expect(result.ending == .exit(65))
    #expect(result.errors.contains("about.json"))
  }

  @Test func `a file that is not there is named`() throws {
    let missing = folder.file("missing.json")
    let result = try Rowhouse.run(
      "serve", "--db", folder.database, "--listen", "127.0.0.1:0", "--about", missing)
    #expect(result.ending == .exit(66))
    #expect(result.errors.contains(missing))
  }
}
