import API
import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Exports, and their imports")
struct TransferTests {
  private let type = "application/x-ndjson"

  private func filled(_ seed: UInt64) throws -> Service {
    let service = try Service()
    try RandomImports.fill(service.store, and: ArrayStore(), seed: seed)
    return service
  }

  private func send(_ text: String, to service: Service, _ query: String = "") throws -> Answer {
    try service.send(.post, "/v1/import" + query, text: text, type: type)
  }

  private func export(_ service: Service, _ query: String = "") throws -> String {
    let answer = try service.download("/v1/export" + query)
    try #require(answer.status == 200)
    #expect(answer.fields["content-type"] == type)
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test(arguments: 0..<30)
  func `an export that replaces another inventory is exported byte for byte`(seed: UInt64) throws {
    let exported = try export(try filled(seed))
    let other = try filled(seed &+ 500)
    let answer = try send(exported, to: other, "?mode=replace")
    #expect(answer.status == 200, "seed \(seed): \(String(decoding: answer.body, as: UTF8.self))")
    #expect(try export(other) == exported, "seed \(seed)")
    #expect(answer.fields["rowhouse-revision"] != nil)
  }

  @Test func `it begins with what it is and ends with how much it was`() throws {
    let service = try Service()
    let list = try service.makeList(things: ["A", "B"])
    let lines = try export(service).split(separator: "\n").map {
      try JSONReader.parse(Array($0.utf8))
    }
    #expect(lines.count == 6)
    guard case .object(let header) = lines[0], case .object(let last) = lines[5],
      case .object(let shelf) = lines[2]
    else {
      Issue.record("no objects")
      return
    }
    #expect(header["format"] == "rowhouse")
    #expect(header["version"] == 1)
    #expect(last == JSONObject([("end", true), ("lists", 2), ("items", 2), ("photos", 0)]))
    #expect(shelf["id"] == .string(list.id))
    #expect(shelf["sentinel"] == ["text": .null, "visible": true])
  }

  @Test func `merged where it came from it changes nothing, and edits are made by id`() throws {
    let service = try filled(3)
    let exported = try export(service)
    let same = try send(exported, to: service)
    #expect(same["/created"] == 0)
    #expect(same["/updated"] == 0)
    #expect(same["/receipt/changed"] == false)
    #expect(try export(service) == exported)

    // Whatever the history has left of its permissions.
    let opening = Command.editList(.root) { (old) throws(InventoryError) in
      var new = old
      new.permissions = .all
      return new
    }
    _ = try service.store.perform(opening, WriteContext(caller: .local, requestID: "test")).get()
    let list = try service.makeList(things: ["Before"])
    let edited = try export(service).replacing("\"Before\"", with: "\"After\"")
    let answer = try send(edited, to: service)
    #expect(answer["/updated"] == 1)
    #expect(try service.titles(of: list) == ["After"])
  }

  @Test func `the currency and the tints replace those of another inventory`() throws {
    let source = try Service()
    _ = try source.send(
      .put, "/v1/appearance", ["currency": "EUR", "title": "#112233"])
    let list = try source.makeList("Inner")
    for query in ["", "?listId=\(list.id)"] {
      let exported = try export(source, query)
      let target = try Service()
      let trial = try send(exported, to: target, "?mode=replace&dryRun=true")
      #expect(trial.status == 200)
      #expect(try send(exported, to: target).status == 200)
      #expect(try target.get("/v1/appearance")["/version"] == 0)
      #expect(try send(exported, to: target, "?mode=replace").status == 200)
      let appearance = try target.get("/v1/appearance")
      #expect(appearance["/currency"] == "EUR")
      #expect(appearance["/title"] == "#112233")
      #expect(appearance["/version"] == 1)
    }
    // So that euros do not become dollars, or dollars euros.
    let target = try Service()
    _ = try target.send(.put, "/v1/appearance", ["currency": "EUR"])
    #expect(try send(try export(try Service()), to: target, "?mode=replace").status == 200)
    #expect(try target.get("/v1/appearance")["/currency"] == .null)
  }

  @Test func `values are not merged into an inventory with another currency`() throws {
    let source = try Service()
    _ = try source.send(.put, "/v1/appearance", ["currency": "EUR"])
    let list = try source.makeList(things: ["Lamp"])
    let file = try export(source)
    let bare = try Service()
    // Without values there is nothing that changes its meaning.
    #expect(try send(file, to: bare).status == 200)
    _ = try source.send(.patch, "/v1/items/\(list.rows[0])", ["valueInDollars": 350])
    let priced = try export(source)
    let target = try Service()
    for query in ["", "?dryRun=true"] {
      let answer = try send(priced, to: target, query)
      #expect(answer.status == 422)
      #expect(answer.text("/lines/0/pointer") == "/valueInDollars")
      #expect(answer.text("/lines/0/detail")?.contains("EUR") == true)
      #expect(answer.text("/lines/0/detail")?.contains("USD") == true)
    }
    #expect(try target.get("/v1/lists/root/rows?sentinel=false")["/count"] == 0)
    _ = try target.send(.put, "/v1/appearance", ["currency": "EUR"])
    #expect(try send(priced, to: target).status == 200)
    // No code means US dollars.
    let dollars = try Service()
    let bed = try dollars.makeThing("Bed", in: "root")
    _ = try dollars.send(.patch, "/v1/items/\(bed)", ["valueInDollars": 10])
    let own = try export(dollars)
    _ = try dollars.send(.put, "/v1/appearance", ["currency": "USD"])
    #expect(try send(own, to: dollars).status == 200)
  }

  @Test func `a header without the currency and the tints leaves those that are set`() throws {
    let header = #"{"format":"rowhouse","version":1,"later":7}"#
    let lines = [header] + (try small().dropFirst())
    let target = try Service()
    _ = try target.send(.put, "/v1/appearance", ["currency": "EUR"])
    let text = lines.joined(separator: "\n")
    #expect(try send(text, to: target, "?mode=replace").status == 200)
    #expect(try target.get("/v1/appearance")["/currency"] == "EUR")
  }

  @Test func `members of later servers are ignored`() throws {
    let header =
      #"{"format":"rowhouse","version":1,"later":1,"appearance":{"currency":"EUR","later":1}}"#
    let target = try Service()
    let text = ([header] + (try small().dropFirst())).joined(separator: "\n")
    #expect(try send(text, to: target, "?mode=replace").status == 200)
    #expect(try target.get("/v1/appearance")["/currency"] == "EUR")
  }

  @Test(
    arguments: [
      (#"{"currency":"EU"}"#, "/appearance/currency"), (#""EUR""#, "/appearance"),
      (#"{"title":"red"}"#, "/appearance/title"),
    ], ["", "?mode=replace"])
  func `an invalid currency or tint is an error of line 1`(
    appearance: (String, String), query: String
  ) throws {
    let header = #"{"format":"rowhouse","version":1,"appearance":\#(appearance.0)}"#
    let lines = [header] + (try small().dropFirst())
    let answer = try send(lines.joined(separator: "\n"), to: try Service(), query)
    #expect(answer.status == 422)
    #expect(answer["/lines/0/line"] == 1)
    #expect(answer["/lines/0/pointer"] == .string(appearance.1))
  }

  @Test func `elsewhere it becomes a list at the end of the one that is asked for`() throws {
    let source = try Service()
    let inner = try source.makeList("Inner", things: ["A"])
    let target = try Service()
    let shelf = try target.makeList(things: ["There"])
    let exported = try export(source, "?listId=\(inner.id)")
    let trial = try send(exported, to: target, "?listId=\(shelf.id)&dryRun=true")
    #expect(trial["/created"] == 2)
    #expect(trial["/receipt"] == .null)
    #expect(try target.titles(of: shelf) == ["There"])
    let answer = try send(exported, to: target, "?listId=\(shelf.id)")
    #expect(answer["/lists"] == 1)
    #expect(answer["/items"] == 1)
    #expect(answer["/created"] == 2)
    #expect(try target.titles(of: shelf) == ["There", "Inner"])
    #expect(try export(target, "?listId=\(inner.id)").contains("\"A\""))
  }

  @Test func `a tree of more rows than one change takes comes in steps`() throws {
    let source = try Service()
    let list = try source.makeList("Many")
    let id = try #require(ListID(text: list.id))
    for start in [0, 6_000] {
      let items = (start..<start + 6_000).map {
        NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\($0)"))
      }
      _ = try source.store.perform(
        .appendItems(items, to: .id(id)), WriteContext(caller: .local, requestID: "test")
      ).get()
    }
    let exported = try export(source, "?listId=\(list.id)")
    let target = try Service()
    let answer = try send(exported, to: target)
    #expect(answer.status == 200)
    #expect(answer["/created"] == 12_001)
    #expect(try export(target, "?listId=\(list.id)").split(separator: "\n").count == 12_003)
    // By now it is there, and too much to be compared with at once.
    let again = try send(exported, to: target)
    #expect(again.status == 422)
    #expect(again.code == "too_many_rows")
    #expect(again["/limit"] == 10_000)
  }

  /// The lines of an export of one list with one thing.
  private func small() throws -> [String] {
    let service = try Service()
    let list = try service.makeList(things: ["A"])
    return try export(service, "?listId=\(list.id)").split(separator: "\n").map(String.init)
  }

  @Test(
    "an error is reported with its line, and nothing changes",
    arguments: [
      ("cut", 4), ("cut in a line", 4), ("counts", 4), ("behind the end", 5), ("no JSON", 3),
      ("no object", 3), ("no header", 1), ("another version", 1), ("unknown member", 3),
      ("no name", 3), ("no id", 3), ("no type", 3), ("bad text", 3), ("nothing", 1),
    ], ["", "?mode=replace"])
  func refuses(fault: (String, Int), query: String) throws {
    var lines = try small()
    switch fault.0 {
    case "cut": lines.removeLast()
    case "cut in a line": lines[3] = String(lines[3].dropLast(3))
    case "counts": lines[3] = #"{"end":true,"lists":1,"items":2}"#
    case "behind the end": lines.append(lines[2])
    case "no JSON": lines[2] = "{"
    case "no object": lines[2] = "[]"
    case "no header": lines.removeFirst()
    case "another version": lines[0] = #"{"format":"rowhouse","version":2}"#
    case "unknown member": lines[2] = lines[2].replacing("\"name\"", with: "\"nmae\"")
    case "no name": lines[2] = lines[2].replacing("\"A\"", with: "null")
    case "no id": lines[2] = lines[2].replacing("\"id\"", with: "\"contentsListId\"")
    case "no type": lines[2] = lines[2].replacing("\"item\"", with: "\"box\"")
    case "bad text": lines[2] = lines[2].replacing("\"A\"", with: "\"\\uD800\"")
    default: lines = []
    }
    let service = try Service()
    let before = try export(service)
    let answer = try send(lines.map { $0 + "\n" }.joined(), to: service, query)
    #expect(answer.status == 422, "\(fault.0)")
    #expect(answer.code == "invalid_lines", "\(fault.0)")
    #expect(answer["/line"] == JSONValue(fault.1), "\(fault.0)")
    #expect(try export(service) == before)
    // Nothing of it is in the way.
    #expect(try send(try small().joined(separator: "\n"), to: service, query).status == 200)
  }

  @Test func `a merge leaves alone what a line leaves out`() throws {
    let service = try Service()
    let list = try service.makeList()
    try service.send(
      .patch, list.path,
      [
        "permissions": ["move": false], "sentinel": ["text": "Fin", "visible": false],
        "deleteLabel": "Weg", "glyph": "🔧", "colour": "red",
      ])
    let things: [JSONValue] = [
      [
        "name": "Lamp", "quantity": 7, "valueInDollars": 80, "notes": "n", "tags": ["t"],
        "fields": ["a": .null], "serialNumber": "S",
      ],
      ["name": "Car", "car": ["make": "Saab", "model": "900", "year": 1984, "fuelAmount": 3]],
    ]
    let ids = try things.map {
      try #require(try service.send(.post, list.path + "/items", $0).text("/id"))
    }
    func merge(_ list: String, _ thing: String, _ car: String) throws -> Answer {
      let head = #"{"format":"rowhouse","version":1}"#
      let end = #"{"end":true,"lists":1,"items":2}"#
      return try send([head, list, thing, car, end].joined(separator: "\n"), to: service)
    }
    func item(_ number: Int) throws -> JSONObject {
      guard case .object(var item)? = try service.get("/v1/items/\(ids[number])").json else {
        return JSONObject()
      }
      for name in ["revision", "updatedAt"] { item.remove(name) }
      return item
    }
    let before = (try item(0), try item(1), try export(service))
    let row = #""type":"item","listId":"\#(list.id)","id":"#
    let answer = try merge(
      #"{"type":"list","id":"\#(list.id)","title":"Shelf"}"#,
      #"{\#(row)"\#(ids[0])","name":"Lamp"}"#, #"{\#(row)"\#(ids[1])","name":"Car"}"#)
    #expect(answer["/updated"] == 0)
    #expect(try export(service) == before.2)

    let edit = try merge(
      #"{"type":"list","id":"\#(list.id)","title":"Shelf","sentinel":{"text":null},"#
        + #""permissions":{"add":true}}"#,
      #"{\#(row)"\#(ids[0])","name":"Lamp","notes":null,"quantity":8}"#,
      #"{\#(row)"\#(ids[1])","name":"Car","car":{"model":"99","year":null}}"#)
    #expect(edit["/updated"] == 3)
    var (lamp, car) = (before.0, before.1)
    lamp.set("notes", to: .null)
    lamp.set("quantity", to: 8)
    car.set("car", to: ["make": "Saab", "model": "99", "year": .null, "fuelAmount": 3])
    #expect(try item(0) == lamp)
    #expect(try item(1) == car)
    let shelf = try service.get(list.path)
    #expect(shelf["/permissions/move"] == false)
    #expect(shelf["/sentinel/text"] == "No more items!")
    #expect(shelf["/sentinel/visible"] == false)
    #expect(shelf["/deleteLabel"] == "Weg")
    #expect(shelf["/glyph"] == "🔧")
    #expect(shelf["/colour"] == "red")
  }

  @Test func `rows that were moved since the export are updated where they are`() throws {
    let service = try Service()
    let shelf = try service.makeList("Shelf", things: ["A", "B"])
    let box = try service.makeList("Box", in: shelf.id, things: ["C"])
    let exported = try export(service)
    let other = try service.makeList("Other")
    for row in [shelf.rows[0], box.id] {
      let moved = try service.send(
        .post, "/v1/rows/\(row)/move", ["listId": .string(other.id)])
      #expect(moved.status == 200)
    }
    let same = try send(exported, to: service)
    #expect(same.status == 200)
    #expect(same["/receipt/changed"] == false)
    let new = #"{"type":"item","id":"\#(newID())","listId":"\#(box.id)","name":"D"}"#
    let edited = exported.replacing("\"A\"", with: "\"A!\"").replacing("\"Box\"", with: "\"Box!\"")
      .replacing("{\"end\"", with: new + "\n{\"end\"").replacing("\"items\":3", with: "\"items\":4")
    let answer = try send(edited, to: service)
    #expect(answer["/updated"] == 2)
    #expect(answer["/created"] == 1)
    #expect(try service.titles(of: other) == ["A!", "Box!"])
    #expect(try service.titles(of: shelf) == ["B"])
    #expect(try service.titles(of: box) == ["C", "D"])
    // The list of the row as it is now decides what is permitted.
    try service.send(.patch, other.path, ["permissions": ["edit": false]])
    let refused = try send(edited.replacing("\"A!\"", with: "\"A\""), to: service)
    #expect(refused.code == "list_forbids")
  }

  // With 900 rows, the new ones are staged in steps.
  @Test(arguments: [0, 900])
  func `a moved row is updated where it is if its old list is new again`(count: Int) throws {
    let service = try Service()
    let shelf = try service.makeList("Shelf", things: ["A"])
    let other = try service.makeList("Other")
    let exported = try export(service, "?listId=\(shelf.id)")
    _ = try service.send(.post, "/v1/rows/\(shelf.rows[0])/move", ["listId": .string(other.id)])
    _ = try service.send(.delete, shelf.path)
    #expect(try service.send(.delete, "/v1/trash/\(shelf.id)").status == 204)
    let rows = (0..<count).map { number in
      #"{"type":"item","id":"\#(newID())","listId":"\#(shelf.id)","name":"\#(number)"}"# + "\n"
    }
    let text = exported.replacing("\"A\"", with: "\"A!\"")
      .replacing("{\"end\"", with: rows.joined() + "{\"end\"")
      .replacing("\"items\":1", with: "\"items\":\(count + 1)")
    let answer = try send(text, to: service)
    #expect(answer.status == 200)
    #expect(answer["/created"] == JSONValue(count + 1))
    #expect(try service.titles(of: other) == ["A!"])
    #expect(try service.get(shelf.path + "/rows?sentinel=false")["/count"] == JSONValue(count))
  }

  @Test func `a row that exists keeps a name that its line leaves out`() throws {
    let service = try Service()
    let list = try service.makeList(things: ["A"])
    let car = try #require(
      try service.send(
        .post, list.path + "/items", ["car": ["make": "Saab", "year": 1984]]
      ).text("/id"))
    func merge(_ lines: String..., query: String = "") throws -> Answer {
      let items = lines.count { $0.contains("item") }
      return try send(
        ([#"{"format":"rowhouse","version":1}"#, #"{"type":"list","id":"\#(list.id)"}"#] + lines
          + [#"{"end":true,"lists":1,"items":\#(items)}"#]).joined(separator: "\n"),
        to: service, query)
    }
    func line(_ id: String, _ members: String) -> String {
      #"{"type":"item","id":"\#(id)","listId":"\#(list.id)",\#(members)}"#
    }
    let edited = try merge(line(list.rows[0], #""quantity":3"#), line(car, #""quantity":4"#))
    #expect(edited["/updated"] == 2)
    #expect(try service.titles(of: list) == ["A", "1984 Saab"])
    #expect(try service.get(list.path)["/title"] == "Shelf")
    #expect(try service.get("/v1/items/\(car)")["/quantity"] == 4)

    let nothing = try merge(
      line(newID(), #""quantity":3"#), line(list.rows[0], #""name":null"#))
    #expect(nothing["/lines/0/pointer"] == "/name")
    let new = try merge(
      line(newID(), #""quantity":3"#), line(car, #""car":{"make":null,"year":null}"#))
    #expect(new.status == 422)
    #expect(new.code == "invalid_lines")
    #expect(new.texts("/lines", "pointer") == ["/name", "/car"])
    #expect(new["/lines/0/line"] == 3)
    #expect(new["/lines/0/detail"] == "Enter a name.")
    // What replaces everything has no row to keep a name of.
    let replaced = try merge(query: "?mode=replace")
    #expect(replaced["/lines/0/pointer"] == "/title")
  }

  @Test(
    "what is new keeps both of its times", arguments: [3, 150, 10_500], ["merge", "replace"])
  func times(rows: Int, mode: String) throws {
    let service = try Service()
    let times = #""createdAt":"2020-01-01T00:00:00Z","updatedAt":"2021-01-01T00:00:00Z""#
    let (list, contents) = (ListID(.version7()), ListID(.version7()))
    let items = (0..<rows).map { _ in ItemID(.version7()) }
    var lines = [
      #"{"format":"rowhouse","version":1}"#,
      #"{"type":"list","id":"\#(list)","title":"Attic",\#(times)}"#,
    ]
    for item in items {
      lines.append(#"{"type":"item","id":"\#(item)","listId":"\#(list)","name":"A",\#(times)}"#)
    }
    lines.append(
      #"{"type":"list","id":"\#(contents)","itemId":"\#(items[rows - 1])","title":"A",\#(times)}"#)
    lines.append(#"{"end":true,"lists":2,"items":\#(rows)}"#)
    let answer = try send(lines.joined(separator: "\n"), to: service, "?mode=\(mode)")
    #expect(answer.status == 200)
    for path in [
      "lists/\(list)", "lists/\(contents)", "items/\(items[0])", "items/\(items[rows - 1])",
    ] {
      let shown = try service.get("/v1/" + path)
      #expect(shown["/createdAt"] == "2020-01-01T00:00:00Z")
      #expect(shown["/updatedAt"] == "2021-01-01T00:00:00Z", "\(path)")
    }
  }

  @Test func `a line has its limit`() throws {
    let service = try Service()
    let line = String(repeating: " ", count: (1 << 20) + 2)
    let answer = try send(try small()[0] + "\n" + line + "\n", to: service)
    #expect(answer.status == 422)
    #expect(answer["/line"] == 2)
  }

  @Test func `all conflicts are reported at once`() throws {
    let service = try Service()
    let list = try service.makeList("Here", things: ["A", "B"])
    var lines = try export(service, "?listId=\(list.id)").split(separator: "\n").map(String.init)
    let other = try service.makeList("Other")
    lines[2] = lines[2].replacing(list.rows[0], with: other.id)
    lines[3] = lines[3].replacing("\"listId\":\"\(list.id)", with: "\"listId\":\"\(newID())")
    let answer = try send(lines.joined(separator: "\n"), to: service)
    #expect(answer.status == 409)
    #expect(answer.code == "line_conflicts")
    #expect(answer.texts("/conflicts", "reason") == ["other_kind", "no_parent"])
    #expect(answer["/line"] == 3)
  }

  @Test func `a list in a list does not become an item's contents`() throws {
    let service = try Service()
    let list = try service.makeList("Here", things: ["A"])
    let inner = try service.makeList("Inner", in: list.id)
    let exported = try export(service, "?listId=\(list.id)")
    let text = exported.replacing(
      "\"parentId\":\"\(list.id)\"", with: "\"itemId\":\"\(list.rows[0])\"")
    let answer = try send(text, to: service)
    #expect(answer.texts("/conflicts", "id") == [inner.id])
    #expect(answer.texts("/conflicts", "reason") == ["elsewhere"])
  }

  @Test func `an item's contents do not become those of another item`() throws {
    let service = try Service()
    let list = try service.makeList("Here", things: ["Bag", "Box"])
    let made = try service.send(.post, "/v1/items/\(list.rows[0])/contents")
    let text = try export(service, "?listId=\(list.id)").replacing(
      "\"itemId\":\"\(list.rows[0])\"", with: "\"itemId\":\"\(list.rows[1])\"")
    let answer = try send(text, to: service)
    #expect(answer.texts("/conflicts", "id") == [made.text("/id")])
    #expect(answer.texts("/conflicts", "reason") == ["elsewhere"])
  }

  @Test(arguments: [
    ("?mode=both", "mode"), ("?dryRun=yes", "dryRun"), ("?list=x", "list"),
    ("?mode=replace&listId=root", "listId"), ("?listId=7", "listId"),
  ])
  func `a parameter that means nothing is refused`(query: String, name: String) throws {
    let answer = try send(try small().joined(separator: "\n"), to: try Service(), query)
    #expect(answer.status == 422)
    #expect(answer.faults == [name])
  }

  @Test func `what waits in files is bounded in all, and given back`() throws {
    let service = try Service { $0.spools = SpoolRoom(limit: 3_000) }
    let list = try service.makeList(things: ["A", "B"])
    let text = try small().joined(separator: "\n")
    let tooMuch = text + String(repeating: "\n", count: 3_000)
    for _ in 0..<3 {
      let refused = try send(tooMuch, to: service)
      #expect(refused.status == 503)
      #expect(refused.code == "overloaded")
      #expect(refused.fields["retry-after"] == "1")
      #expect(try send(text, to: service).status == 200)
      #expect(try export(service, "?listId=\(list.id)").contains(list.id))
    }
    for index in 0..<20 { try service.makeThing("Thing \(index)", in: list.id) }
    #expect(try service.send(.get, "/v1/export").status == 503)
  }

  @Test func `an export waits for others, and is not refused`() throws {
    let held = HeldReadStore()
    let service = try Service(store: held.store, asking: held)
    let inboxes = try ["/v1/export", "/v1/export", "/v1/lists/root/rows.csv"].map { target in
      let inbox = Inbox()
      let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: inbox)
      let head = try RequestHead(method: .get, target: target, fields: Fields())
      guard case .later = service.handler.answer(head, by: responder) else {
        throw Service.Unanswered()
      }
      return inbox
    }
    #expect(held.letGo() == 3)
    for inbox in inboxes { #expect(try inbox.wait().status == 200) }
  }

  @Test func `the files that transfers wait in are bounded in number, too`() throws {
    let service = try Service { $0.spools = SpoolRoom(count: 1) }
    let text = try small().joined(separator: "\n")
    for _ in 0..<3 {
      let head = try RequestHead(
        method: .post, target: "/v1/import",
        fields: ["Content-Type": type, "Content-Length": "1000"])
      var admission: Admission? = service.handler.begin(head)
      guard case .stream(let receiver)? = admission else {
        Issue.record("The first is not admitted.")
        return
      }
      #expect(try send(text, to: service).code == "overloaded")
      #expect(try service.send(.get, "/v1/export").status == 503)
      receiver.brokenOff()
      admission = nil
    }
    #expect(try send(text, to: service).status == 200)
  }

  @Test func `only exports are read, into lists that are there, by those who may`() throws {
    let service = try Service()
    let text = try small().joined(separator: "\n")
    #expect(
      try service.send(.post, "/v1/import", text: text, type: "application/json").status == 415)
    #expect(try service.send(.post, "/v1/import").status == 422)
    #expect(try send(text, to: service, "?listId=\(newID())").status == 404)
    #expect(try send(text, to: service.asked(by: .reader)).code == "role_forbids")
    #expect(try send(text, to: service.asked(by: .editor), "?mode=replace").code == "role_forbids")
    #expect(try send(text, to: service.asked(by: .editor)).status == 200)
  }

  private func newID() -> String { RowID(.version7()).description }
}
