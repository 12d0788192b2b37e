import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Commands of a client that was offline")
struct SyncTests {
  typealias Backing = SyncWorld.Backing

  @Test(arguments: Backing.allCases)
  func `are done in order`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let (box, saw) = (SyncWorld.id(), SyncWorld.id())
    let answer = try world.sync([
      [
        "type": "createList", "listId": .string(world.list.id), "position": "first",
        "list": ["id": .string(box), "title": " Box "],
      ],
      [
        "type": "createItem", "listId": .string(box),
        "item": ["id": .string(saw), "name": "Saw", "createdAt": "2026-01-02T03:04:05Z"],
      ],
      world.edit(saw, ["name": "Big saw"], from: ["name": "Saw"]),
      world.edit(box, ["title": "Big box"], from: ["title": "Box"], type: "editList"),
      world.move([world.list.rows[2], saw], to: ["after": .string(box)]),
      world.delete(world.list.rows[0]),
      world.delete(box),
      ["type": "restore", "id": .string(world.list.rows[0]), "position": "first"],
      ["type": "restore", "id": .string(box)],
    ])
    #expect(answer.status == 200)
    #expect(answer.outcomes == Array(repeating: "done", count: 9))
    #expect(answer["/problem"] == .null)
    #expect(answer.text("/clientId") == SyncWorld.client)
    let first = try #require(answer.number("/outcomes/0/revision"))
    #expect(
      answer.all("/outcomes", "revision") == (first..<first + 9).map { JSONValue($0) })
    #expect(
      answer.texts("/outcomes", "undo") == (first..<first + 9).map { "/v1/changes/\($0)/undo" })
    #expect(answer.number("/revision") == first + 8)
    #expect(answer.fields["rowhouse-revision"] == String(first + 8))
    #expect(try world.titles() == ["a", "Big box", "c", "Big saw", "b"])
    let item = try world.service.get("/v1/items/\(saw)")
    #expect(item.text("/createdAt") == "2026-01-02T03:04:05Z")
  }

  @Test(arguments: Backing.allCases)
  func `change nothing where everything is as wanted`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let rows = world.list.rows
    try world.service.send(.patch, "/v1/items/\(rows[0])", ["notes": "new"])
    try world.service.send(.delete, "/v1/rows/\(rows[2])")
    let before = try world.revision()
    let answer = try world.sync([
      world.edit(rows[0], ["notes": "new"], from: ["notes": "old"]),
      world.move([rows[1]], to: ["after": .string(rows[0])]),
      world.delete(rows[2]),
      ["type": "restore", "id": .string(rows[0])],
      ["type": "restore", "id": .string(rows[0]), "listId": .string(world.list.id)],
      world.create("again", id: rows[0]),
    ])
    #expect(answer.outcomes == Array(repeating: "done", count: 6))
    for member in ["revision", "undo"] {
      #expect(answer.all("/outcomes", member) == Array(repeating: .null, count: 6))
    }
    #expect(try world.revision() == before)
    #expect(answer.number("/revision") == before)
  }

  @Test(arguments: Backing.allCases)
  func `are merged with what others did elsewhere`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let rows = world.list.rows
    try world.service.send(
      .patch, "/v1/items/\(rows[0])",
      ["notes": "theirs", "fields": ["colour": "red", "size": 3], "serialNumber": "S1"])
    let gone: JSONValue = .string(SyncWorld.id())
    try world.service.send(.delete, "/v1/rows/\(rows[1])")
    let edit = world.edit(
      rows[0], ["name": "mine", "fields": ["weight": 2]],
      from: [
        "name": "a", "notes": .null, "fields": ["size": 3, "colour": "blue"], "quantity": 1,
        "serialNumber": " S1 ", "revision": 1,
      ])
    let answer = try world.sync([
      edit,
      world.create(
        "d", at: ["after": .string(rows[1]), "else": ["before": .string(rows[2]), "else": "last"]]),
      world.create(
        "e", at: ["after": gone, "else": ["before": .string(rows[1]), "else": "first"]]),
      world.move([rows[2]], to: ["before": .string(rows[2]), "else": "last"]),
    ])
    #expect(answer.outcomes == ["merged", "merged", "merged", "merged"])
    #expect(answer["/outcomes/0/kept"] == ["/notes", "/fields/colour"])
    #expect(
      answer.all("/outcomes", "position")
        == [.null, ["before": .string(rows[2])], "first", "last"])
    #expect(try world.titles() == ["e", "mine", "d", "c"])
    let item = try world.service.get("/v1/items/\(rows[0])")
    #expect(item["/fields"] == ["colour": "red", "size": 3, "weight": 2])
    #expect(item.text("/notes") == "theirs")
  }

  @Test(arguments: Backing.allCases)
  func `overwrite the same member, one undo away`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let item = "/v1/items/\(world.list.rows[0])"
    try world.service.send(
      .patch, item,
      ["name": "theirs", "tags": ["x"], "fields": ["colour": "red", "n": ["deep": 1]]])
    let answer = try world.sync([
      world.edit(
        world.list.rows[0],
        [
          "name": "mine", "tags": ["y"], "quantity": 2, "notes": "new",
          "fields": ["colour": "green", "n": ["deep": 2, "other": 3]],
        ],
        from: ["name": "a", "tags": [], "quantity": 1, "valueInDollars": 9, "fields": ["n": [:]]])
    ])
    #expect(answer.outcomes == ["overwrote"])
    let overwritten: JSONValue = [
      "name": "theirs", "fields": ["colour": "red", "n": ["deep": 1]],
    ]
    #expect(answer["/outcomes/0/overwritten"] == overwritten)
    #expect(answer["/outcomes/0/kept"] == ["/tags", "/valueInDollars"])
    #expect(try world.service.get(item).text("/name") == "mine")
    let undo = try #require(answer.text("/outcomes/0/undo"))
    #expect(try world.service.send(.post, undo).status == 200)
    let undone = try world.service.get(item)
    #expect(undone.text("/name") == "theirs")
    #expect(undone["/tags"] == ["x"])
    #expect(undone["/notes"] == .null)
  }

  /// A client may leave out what is empty.
  @Test(arguments: [([:], "done"), (["tags": .null], "merged")] as [(JSONValue, String)])
  func `merge tags of an item that had none`(from: JSONValue, outcome: String) throws {
    let world = try SyncWorld()
    let item = "/v1/items/\(world.list.rows[0])"
    try world.service.send(.patch, item, ["tags": ["x"]])
    let added = try world.sync([world.edit(world.list.rows[0], ["tags": ["y"]], from: from)])
    // It tells what others have changed of the members in `from`.
    #expect(added.outcomes == [outcome])
    #expect(try world.service.get(item)["/tags"] == ["x", "y"])
  }

  @Test func `replace tags that together would be too many`() throws {
    func tags(_ start: String) -> JSONValue { .array((1...30).map { .string("\(start)\($0)") }) }
    let world = try SyncWorld()
    let item = "/v1/items/\(world.list.rows[0])"
    try world.service.send(.patch, item, ["tags": tags("x")])
    let answer = try world.sync([
      world.edit(world.list.rows[0], ["tags": tags("y")], from: ["tags": []])
    ])
    #expect(answer.outcomes == ["overwrote"])
    #expect(answer["/outcomes/0/overwritten"] == ["tags": tags("x")])
    #expect(try world.service.get(item)["/tags"] == tags("y"))
  }

  /// Tags are a set: two people who each add one both keep theirs.
  @Test(arguments: [
    (from: [], theirs: ["x"], mine: ["y"], merged: ["x", "y"]),
    (from: ["a", "b"], theirs: ["b", "x"], mine: ["a", "b", "y"], merged: ["b", "x", "y"]),
    (from: ["a", "b"], theirs: ["a", "b", "x"], mine: ["b"], merged: ["b", "x"]),
    (from: ["a"], theirs: ["a", "x"], mine: ["x", "y"], merged: ["x", "y"]),
  ])
  func `merge tags one by one`(
    from: [String], theirs: [String], mine: [String], merged: [String]
  ) throws {
    func list(_ tags: [String]) -> JSONValue { .array(tags.map { .string($0) }) }
    let world = try SyncWorld()
    let item = "/v1/items/\(world.list.rows[0])"
    try world.service.send(.patch, item, ["tags": list(theirs)])
    let answer = try world.sync([
      world.edit(world.list.rows[0], ["tags": list(mine)], from: ["tags": list(from)])
    ])
    #expect(answer.outcomes == ["merged"])
    #expect(answer["/outcomes/0/kept"] == ["/tags"])
    #expect(try world.service.get(item)["/tags"] == list(merged))
    let undo = try #require(answer.text("/outcomes/0/undo"))
    #expect(try world.service.send(.post, undo).status == 200)
    #expect(try world.service.get(item)["/tags"] == list(theirs))
  }

  @Test func `do not take a default text for somebody's edit`() throws {
    let world = try SyncWorld()
    func edit(_ patch: JSONValue, from: JSONValue) throws -> Answer {
      let number = 1 + edits
      edits += 1
      return try world.sync(
        [world.edit(world.list.id, patch, from: from, type: "editList")], from: number)
    }
    var edits = 0
    let shown = try world.service.get(world.list.path)
    let sentinel = try #require(shown["/sentinel"])
    let label = try #require(shown["/deleteLabel"])
    let first = try edit(
      ["sentinel": ["text": "That is all."]],
      from: ["sentinel": sentinel, "deleteLabel": label, "title": "Shelf"])
    #expect(first.outcomes == ["done"])
    let second = try edit(["sentinel": ["text": "End"]], from: ["sentinel": sentinel])
    #expect(second.outcomes == ["overwrote"])
    #expect(second["/outcomes/0/overwritten"] == ["sentinel": ["text": "That is all."]])
    let third = try edit(
      ["permissions": ["move": false]], from: ["permissions": ["move": true, "add": false]])
    #expect(third["/outcomes/0/kept"] == ["/permissions/add"])
  }

  @Test(arguments: Backing.allCases)
  func `are refused with the problem of the single call, and the next go on`(backing: Backing)
    throws
  {
    let world = try SyncWorld(backing)
    let service = world.service
    let rows = world.list.rows
    let locked = try service.makeList("Locked", things: ["l"])
    let cars = try service.makeList("Cars", in: world.list.id, ["itemKind": "car"])
    let box = try service.makeList("Box", in: cars.id)
    try service.permit(["add": false, "edit": false, "delete": false], in: locked)
    try service.send(.delete, "/v1/rows/\(rows[2])")
    let nowhere = SyncWorld.id()
    let root = try #require(try service.get("/v1/lists/root").text("/id"))
    // Each command, and the single call that does the same.
    let pairs: [(command: JSONValue, method: HTTP.Method, path: String, body: JSONValue?)] = [
      (
        world.edit(nowhere, ["name": "x"], from: [:]), .patch, "/v1/items/\(nowhere)",
        ["name": "x"]
      ),
      (
        world.edit(rows[2], ["name": "x"], from: [:]), .patch, "/v1/items/\(rows[2])",
        ["name": "x"]
      ),
      (
        world.edit(locked.rows[0], ["name": "x"], from: [:]), .patch,
        "/v1/items/\(locked.rows[0])", ["name": "x"]
      ),
      (
        [
          "type": "createItem", "listId": .string(locked.id),
          "item": ["id": .string(nowhere), "name": "x"],
        ], .post, "/v1/lists/\(locked.id)/items", ["id": .string(nowhere), "name": "x"]
      ),
      (
        [
          "type": "createList", "listId": .string(nowhere),
          "list": ["id": .string(nowhere), "title": ""],
        ], .post, "/v1/lists", ["parentId": .string(nowhere), "title": "x"]
      ),
      (world.delete(locked.rows[0]), .delete, "/v1/rows/\(locked.rows[0])", nil),
      (world.delete(world.list.id), .delete, "/v1/rows/\(world.list.id)", nil),
      (world.delete(root, recursive: true), .delete, "/v1/rows/\(root)?recursive=true", nil),
      (
        world.move([world.list.id], to: "last"), .post, "\(world.list.path)/move-rows",
        ["ids": [.string(world.list.id)]]
      ),
      (
        [
          "type": "moveRows", "ids": [.string(world.list.id)], "listId": .string(box.id),
        ], .post, "\(box.path)/move-rows", ["ids": [.string(world.list.id)]]
      ),
      (
        ["type": "moveRows", "ids": [.string(rows[0])], "listId": .string(cars.id)], .post,
        "\(cars.path)/move-rows", ["ids": [.string(rows[0])]]
      ),
      (
        world.move([rows[0]], to: ["after": .string(rows[0])]), .post,
        "\(world.list.path)/move-rows",
        ["ids": [.string(rows[0])], "position": ["after": .string(rows[0])]]
      ),
      (
        ["type": "restore", "id": .string(nowhere)], .post, "/v1/trash/\(nowhere)/restore", nil
      ),
      (
        ["type": "restore", "id": .string(rows[2]), "listId": .string(locked.id)], .post,
        "/v1/trash/\(rows[2])/restore", ["listId": .string(locked.id)]
      ),
      (
        [
          "type": "createItem", "listId": .string(box.id),
          "item": ["id": .string(rows[0]), "name": "x"],
        ], .post, "\(box.path)/items", ["id": .string(rows[0]), "name": "x"]
      ),
    ]
    let last: JSONValue = [
      "type": "createItem", "listId": "root",
      "item": ["id": .string(SyncWorld.id()), "name": "last"],
    ]
    let answer = try world.sync(pairs.map(\.command) + [last])
    #expect(answer.outcomes == Array(repeating: "refused", count: pairs.count) + ["done"])
    for (index, pair) in pairs.enumerated() {
      let single =
        if let body = pair.body { try service.send(pair.method, pair.path, body) } else {
          try service.send(pair.method, pair.path)
        }
      func told(_ problem: JSONValue?) -> JSONValue? {
        guard case .object(var object)? = problem else { return nil }
        object["instance"] = nil
        return .object(object)
      }
      #expect(told(answer["/outcomes/\(index)/problem"]) == told(single.json), "\(pair.command)")
    }
    #expect(
      Set(answer.refusals) == [
        "not_found", "in_trash", "list_forbids", "list_not_empty", "root_list", "cycle",
        "kind_mismatch", "anchor_gone", "id_taken",
      ])
    #expect(try world.titles() == ["a", "b", "Cars"])
    #expect(try service.get("/v1/lists/root/rows").texts("/rows", "title").contains("last"))
  }

  @Test(arguments: Backing.allCases)
  func `with content that breaks rules are refused, each error with its place`(backing: Backing)
    throws
  {
    let world = try SyncWorld(backing)
    let row = world.list.rows[0]
    let answer = try world.sync([
      [
        "type": "createItem", "listId": "root",
        "item": ["id": .string(SyncWorld.id()), "name": "", "quantity": "two", "nme": "x"],
      ],
      [
        "type": "createList", "listId": "root",
        "list": ["id": .string(SyncWorld.id()), "deleteLabel": 7],
      ],
      world.edit(row, ["name": .null, "car": ["year": "x"]], from: ["nme": 1]),
      world.edit(row, ["car": ["make": "Volvo"]], from: [:]),
      world.edit(world.list.id, ["title": ""], from: ["title": "Shelf"], type: "editList"),
    ])
    #expect(answer.refusals == Array(repeating: "invalid", count: 5))
    func pointers(_ index: Int) -> Set<String> {
      Set(answer.texts("/outcomes/\(index)/problem/errors", "pointer"))
    }
    #expect(pointers(0) == ["/item/name", "/item/quantity", "/item/nme"])
    #expect(pointers(1) == ["/list/title", "/list/deleteLabel"])
    #expect(pointers(2).isSuperset(of: ["/patch/car/year", "/from/nme"]))
    #expect(pointers(3) == ["/patch/car"])
    #expect(pointers(4) == ["/patch/title"])
    #expect(try world.titles() == ["a", "b", "c"])
  }

  @Test func `of a reader are refused as a whole, and so are those without a token`() throws {
    let world = try SyncWorld()
    let batch = SyncWorld.batch([world.delete(world.list.rows[0])])
    let reader = try world.service.asked(by: .reader)
    let answer = try reader.send(.post, "/v1/sync", batch)
    #expect(answer.code == "role_forbids")
    _ = try world.service.makeToken()
    let closed = try Service(store: world.service.store)
    #expect(
      try closed.send(.post, "/v1/sync", batch, ["Authorization": "Bearer x"]).status == 401)
    #expect(try world.titles() == ["a", "b", "c"])
  }

  @Test(arguments: Backing.allCases)
  func `on rows out of sight are refused as for unknown rows`(backing: Backing) throws {
    let world = try SyncWorld(backing)
    let other = try world.service.makeList("Other", things: ["x"])
    let made = try world.service.send(
      .post, "/v1/tokens", ["name": "Sam", "role": "editor", "listId": .string(other.id)])
    let fields: Fields = ["Authorization": "Bearer \(try #require(made.text("/token")))"]
    let answer = try world.sync(
      [
        world.delete(world.list.rows[0]),
        world.edit(world.list.rows[0], ["name": "y"], from: ["name": "a"]),
        world.create("x"),
        world.edit(other.rows[0], ["name": "y"], from: ["name": "x"]),
        [
          "type": "createItem", "listId": "root",
          "item": ["id": .string(SyncWorld.id()), "name": "z"],
        ],
      ], fields)
    #expect(answer.outcomes == ["refused", "refused", "refused", "done", "done"])
    #expect(answer.refusals == ["not_found", "not_found", "not_found"])
    #expect(try world.service.titles(of: other) == ["y", "z"])
    #expect(try world.titles() == ["a", "b", "c"])
  }
}
