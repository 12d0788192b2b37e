import HTTP
import Inventory
import JSON
import Testing

@Suite("An inventory's limit to how deep lists go")
struct DepthLimitTests {
  let service: Service
  let inventory: String
  /// On level 2; the box in it, which has contents, on level 3.
  let kitchen: Service.MadeList
  /// On level 3, below the kitchen.
  let drawer: Service.MadeList
  /// On level 2, and empty.
  let garage: Service.MadeList

  init() throws {
    service = try Service()
    inventory = "/v1/inventories/\(service.store.inventoryID)"
    kitchen = try service.makeList("Kitchen", things: ["Box", "Spoon"])
    drawer = try service.makeList("Drawer", in: kitchen.id)
    garage = try service.makeList("Garage")
  }

  private func limit(_ level: JSONValue) throws {
    let answer = try service.send(.patch, inventory, ["depthLimit": level])
    try #require(answer.status == 200)
    #expect(answer["/depthLimit"] == level)
  }

  private func expectTooDeep(_ answer: Answer, limit: JSONValue = 3) throws {
    #expect(answer.status == 409)
    #expect(answer.code == "too_deep")
    #expect(answer["/limit"] == limit)
  }

  private func move(_ row: String, to list: String) throws -> Answer {
    try service.send(.post, "/v1/rows/\(row)/move", ["listId": .string(list)])
  }

  @Test func `is none at first, is set, shown and lifted`() throws {
    let first = try service.get(inventory)
    #expect(first.status == 200)
    #expect(
      first.keys() == ["id", "rootListId", "title", "revision", "createdAt", "depthLimit"])
    #expect(first["/depthLimit"] == .null)
    #expect(first["/title"] == "Home")
    try limit(3)
    #expect(try service.get(inventory)["/depthLimit"] == 3)
    #expect(try service.get("/v1/inventories")["/inventories/0/depthLimit"] == 3)
    // It is no change of rows.
    #expect(try service.get(inventory)["/revision"] == first["/revision"])
    // What the body does not name stays, and what is read can be sent back.
    #expect(try service.send(.patch, inventory, [:])["/depthLimit"] == 3)
    let read = try #require(try service.get(inventory).json)
    #expect(try service.send(.patch, inventory, read)["/depthLimit"] == 3)
    try limit(.null)
    #expect(try service.get(inventory)["/depthLimit"] == .null)
  }

  @Test(
    arguments: [0, 10_001, -1, "3", true, [3], .decimal("2.5"), .decimal("1e300")] as [JSONValue])
  func `is a level, or null`(level: JSONValue) throws {
    let refused = try service.send(.patch, inventory, ["depthLimit": level])
    #expect(refused.status == 422)
    #expect(refused.faults == ["/depthLimit"])
    let made = try service.send(
      .post, "/v1/inventories", ["title": "Second home", "depthLimit": level])
    #expect(made.faults == ["/depthLimit"])
    #expect(try service.send(.patch, inventory, ["depth": 3]).faults == ["/depth"])
    #expect(try service.get(inventory)["/depthLimit"] == .null)
  }

  @Test func `is its owner's to set, and for all to read who see the whole inventory`() throws {
    for (role, status) in [(Role.reader, 403), (.editor, 403), (.owner, 200), (.admin, 200)] {
      let other = try service.asked(by: role)
      #expect(try other.get(inventory).status == 200)
      #expect(try other.send(.patch, inventory, ["depthLimit": 5]).status == status)
    }
    let scoped = try service.asked(by: .owner, root: ListID(text: kitchen.id))
    #expect(try scoped.get(inventory).status == 404)
    #expect(try scoped.send(.patch, inventory, ["depthLimit": 9]).status == 404)
    #expect(try scoped.send(.patch, inventory, ["depthLimit": "x"]).status == 404)
    let foreign = "/v1/inventories/\(InventoryID(.version7()))"
    #expect(try service.get(foreign).status == 404)
    #expect(try service.send(.patch, foreign, ["depthLimit": 9]).status == 404)
    let here: Fields = ["Rowhouse-Inventory": service.store.inventoryID.description]
    #expect(try service.get(foreign, here).status == 404)
    #expect(try service.get(inventory, here)["/depthLimit"] == 5)
  }

  @Test func `keeps lists from being made below it, and lets items be`() throws {
    try limit(3)
    let below: JSONValue = ["title": "Tray", "parentId": .string(drawer.id)]
    try expectTooDeep(try service.send(.post, "/v1/lists", below))
    let batch: JSONValue = ["inserts": [["index": 0, "list": ["title": "Tray"]]]]
    try expectTooDeep(try service.send(.post, drawer.path + "/batch", batch))
    // The spoon is on level 3, and its contents would be on level 4.
    try expectTooDeep(try service.send(.post, "/v1/items/\(kitchen.rows[1])/contents"))
    try service.makeThing("Fork", in: drawer.id)
    #expect(try service.makeList("Shelf", in: kitchen.id).id != drawer.id)
    let top = try service.makeThing("Bag", in: "root")
    #expect(try service.send(.post, "/v1/items/\(top)/contents").status == 201)
    #expect(try service.send(.post, kitchen.path + "/batch", batch).status == 200)
  }

  @Test func `counts what a row brings along when it is moved`() throws {
    try limit(3)
    try expectTooDeep(try move(kitchen.id, to: garage.id))
    try expectTooDeep(
      try service.send(.post, garage.path + "/move-rows", ["ids": [.string(kitchen.id)]]))
    #expect(try move(drawer.id, to: garage.id).status == 200)
    #expect(try move(kitchen.id, to: garage.id).status == 200)
    // Items without contents go anywhere.
    #expect(try move(kitchen.rows[1], to: drawer.id).status == 200)
  }

  @Test func `counts an item's contents as a level below the item`() throws {
    let bag = try service.makeThing("Bag", in: "root")
    _ = try service.send(.post, "/v1/items/\(bag)/contents")
    try limit(3)
    try expectTooDeep(try move(bag, to: garage.id))
    try limit(4)
    #expect(try move(bag, to: garage.id).status == 200)
    try expectTooDeep(try move(bag, to: drawer.id), limit: 4)
  }

  @Test func `lets stay what was deeper before, and move where it goes no deeper`() throws {
    let tray = try service.makeList("Tray", in: drawer.id)
    let shelf = try service.makeList("Shelf", in: garage.id)
    try limit(2)
    #expect(try service.get(tray.path).status == 200)
    #expect(try service.send(.patch, tray.path, ["title": "Big tray"]).status == 200)
    #expect(try move(tray.id, to: shelf.id).status == 200)
    #expect(try move(shelf.id, to: kitchen.id).status == 200)
    try expectTooDeep(try move(kitchen.id, to: garage.id), limit: 2)
    #expect(try move(shelf.id, to: "root").status == 200)
    try expectTooDeep(try move(shelf.id, to: kitchen.id), limit: 2)
  }

  @Test func `keeps what comes out of the trash from standing below it`() throws {
    _ = try service.makeList("Tray", in: drawer.id)
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    try limit(3)
    try expectTooDeep(try service.send(.post, "/v1/trash/\(drawer.id)/restore"))
    let higher = try service.send(
      .post, "/v1/trash/\(drawer.id)/restore", ["listId": "root"])
    #expect(higher.status == 200)
  }

  @Test func `keeps an undo from taking lists below it`() throws {
    let raised = try move(drawer.id, to: "root")
    let undo = try #require(raised.text("/undo"))
    try limit(2)
    try expectTooDeep(try service.send(.post, undo), limit: 2)
    #expect(try service.get("/v1/rows/\(drawer.id)")["/level"] == 2)
    try limit(3)
    #expect(try service.send(.post, undo).status == 200)
    #expect(try service.get("/v1/rows/\(drawer.id)")["/level"] == 3)

    let deleted = try service.send(.delete, drawer.path)
    try limit(2)
    try expectTooDeep(
      try service.send(.post, try #require(deleted.text("/undo"))), limit: 2)
  }

  @Test func `lets an undo bring back what stood deeper than it did before`() throws {
    let lowered = try move(garage.id, to: drawer.id)
    try limit(2)
    #expect(try service.send(.post, try #require(lowered.text("/undo"))).status == 200)
  }

  @Test func `names the lines of an import that go below it`() throws {
    let source = try Service()
    let shelf = try source.makeList("Shelf", things: ["Bag"])
    _ = try source.send(.post, "/v1/items/\(shelf.rows[0])/contents")
    let text = String(
      decoding: try source.download("/v1/export?listId=\(shelf.id)").body, as: UTF8.self)
    func bring(_ query: String) throws -> Answer {
      try service.send(.post, "/v1/import" + query, text: text, type: "application/x-ndjson")
    }
    try limit(4)
    #expect(try bring("?listId=root&dryRun=true").status == 200)
    for query in ["?listId=\(garage.id)", "?listId=\(garage.id)&dryRun=true"] {
      let refused = try bring(query)
      #expect(refused.status == 409)
      #expect(refused.code == "line_conflicts")
      #expect(refused["/line"] == 4)
      #expect(refused.texts("/conflicts", "reason") == ["too_deep"])
    }
    try limit(2)
    let replaced = try bring("?mode=replace")
    #expect(replaced.status == 409)
    #expect(replaced.texts("/conflicts", "reason") == ["too_deep"])
    try limit(3)
    #expect(try bring("?mode=replace").status == 200)
    #expect(try service.get(inventory)["/depthLimit"] == 3)
    #expect(try service.get("/v1/lists/root")["/title"] == "Shelf")
  }

  @Test func `is counted from the root of who asks`() throws {
    try limit(3)
    let scoped = try service.asked(by: .owner, root: ListID(text: kitchen.id))
    let below: JSONValue = ["title": "Tray", "parentId": .string(drawer.id)]
    try expectTooDeep(try scoped.send(.post, "/v1/lists", below), limit: 2)
    try limit(1)
    try expectTooDeep(
      try scoped.send(.post, "/v1/lists", ["title": "Tray"]), limit: 1)
    #expect(
      try service.send(.post, "/v1/lists", ["title": "Attic"]).text("/detail")
        == "Lists nest down to level 1 here. The root list is level 1.")
  }

  @Test func `disables on screens what it forbids`() throws {
    func isEnabled(_ list: String, _ query: String) throws -> JSONValue? {
      try service.get("/v1/lists/\(list)/screen?mode=\(query)")["/navigationBar/trailing/enabled"]
    }
    try limit(3)
    #expect(try isEnabled(garage.id, "move&row=\(kitchen.id)") == false)
    #expect(try isEnabled(garage.id, "move&row=\(drawer.id)") == true)
    #expect(try isEnabled(drawer.id, "move&row=\(kitchen.rows[1])") == true)
    #expect(try isEnabled(garage.id, "add&kind=list") == true)
    #expect(try isEnabled(drawer.id, "add&kind=list") == false)
    #expect(try isEnabled(drawer.id, "add&kind=thing") == true)
    #expect(try isEnabled(drawer.id, "add") == true)
    try limit(.null)
    #expect(try isEnabled(drawer.id, "add&kind=list") == true)
    #expect(try isEnabled(garage.id, "move&row=\(kitchen.id)") == true)
  }
}
