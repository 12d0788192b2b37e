import HTTP
import Inventory
import JSON
import Testing

@Suite("Sorted and filtered views leave a list's own order alone")
struct ViewTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["Box 10", "box 2", "Éclair", "Apple"])
    for (row, value) in zip(list.rows, ["50", "50.01", "120", "3"]) {
      let answer = try service.send(
        .patch, "/v1/items/\(row)", ["valueInDollars": .decimal(value)])
      try #require(answer.status == 200)
    }
    _ = try service.makeList("Drawer", in: list.id)
    _ = try service.send(.post, "/v1/items/\(list.rows[2])/contents")
  }

  private func view(_ query: String, _ fields: Fields = Fields()) throws -> Answer {
    try service.get(list.path + "/rows" + query, fields)
  }

  @Test(
    "rows come in the view's order with the list's indices",
    arguments: [
      ("?sort=title", ["Apple", "box 2", "Box 10", "Drawer", "Éclair"], [3, 1, 0, 4, 2]),
      ("?sort=-title", ["Éclair", "Drawer", "Box 10", "box 2", "Apple"], [2, 4, 0, 1, 3]),
      (
        "?sort=-valueInDollars&type=item", ["Éclair", "box 2", "Box 10", "Apple"], [2, 1, 0, 3]
      ),
      ("?type=list", ["Drawer"], [4]), ("?type=container", ["Éclair", "Drawer"], [2, 4]),
      ("?q=BOX", ["Box 10", "box 2"], [0, 1]),
      ("?q=ecl", ["Éclair"], [2]), ("?q=x+1", ["Box 10"], [0]), ("?q=nothing", [], []),
      ("?q=&type=item", ["Box 10", "box 2", "Éclair", "Apple"], [0, 1, 2, 3]),
      (
        "?sections=value:50&sort=title", ["box 2", "Éclair", "Apple", "Box 10", "Drawer"],
        [1, 2, 3, 0, 4]
      ),
    ])
  func order(query: String, titles: [String], indices: [Int]) throws {
    let page = try view(query)
    #expect(page.status == 200)
    #expect(page.texts("/rows", "title") == titles + ["No more items!"])
    #expect(page.all("/rows", "index") == (indices + [5]).map { JSONValue($0) })
    #expect(page["/count"] == 5)
    #expect(page["/matched"] == JSONValue(titles.count))
    #expect(page.keys() == ["dir", "listId", "revision", "count", "matched", "sections", "rows"])
    #expect(page.all("/rows", "canMove").allSatisfy { $0 == false })
    #expect(try service.titles(of: list) == ["Box 10", "box 2", "Éclair", "Apple", "Drawer"])
  }

  @Test func `the other flags of rows stay what they are`() throws {
    let row = try view("?sort=title")["/rows/0"]
    #expect(JSONPointer(tokens: ["canEdit"]).evaluate(row ?? .null) == true)
    #expect(JSONPointer(tokens: ["canDelete"]).evaluate(row ?? .null) == true)
  }

  @Test(
    "sections say their titles, sizes and where they begin",
    arguments: [
      ("50", "More than $50", 2), ("50.01", "More than $50.01", 1), ("0", "More than $0", 4),
      ("1234567.5", "More than $1,234,567.50", 0),
    ])
  func sections(threshold: String, title: String, count: Int) throws {
    let page = try view("?sections=value:\(threshold)")
    #expect(
      page["/sections"] == [
        ["title": .string(title), "count": JSONValue(count), "first": 0],
        ["title": "Everything else", "count": JSONValue(5 - count), "first": JSONValue(count)],
      ])
  }

  @Test func `the titles of sections have the inventory's currency`() throws {
    #expect(
      try service.send(.put, "/v1/appearance", ["currency": "EUR"]).status == 200)
    #expect(try view("?sections=value:1250")["/sections/0/title"] == "More than 1,250 EUR")
  }

  @Test func `without sections the member is null`() throws {
    #expect(try view("?sort=title")["/sections"] == .null)
  }

  @Test func `a view is paged by offset and by row, the sentinel on its last page`() throws {
    let first = try view("?sort=title&limit=2")
    #expect(first.texts("/rows", "title") == ["Apple", "box 2"])
    #expect(first.link("next") == list.path + "/rows?sort=title&limit=2&offset=2")
    #expect(first.link("last") == list.path + "/rows?sort=title&limit=2&offset=4")
    var seen: [String] = []
    var target: String? = list.path + "/rows?sort=title&limit=2&after=\(list.rows[3])"
    while let next = target {
      let page = try service.get(next)
      seen += page.texts("/rows", "title")
      target = page.link("next")
    }
    #expect(seen == ["box 2", "Box 10", "Drawer", "Éclair", "No more items!"])
    #expect(try view("?type=item&offset=9").texts("/rows", "type") == ["sentinel"])
    #expect(try view("?type=item&offset=9&sentinel=false")["/rows"] == [])
  }

  @Test func `a row that the view leaves out is no place to start behind`() throws {
    let answer = try view("?type=list&after=\(list.rows[0])")
    #expect(answer.status == 409)
    #expect(answer.code == "anchor_gone")
  }

  @Test(
    "a view is not modified while its list is not",
    arguments: ["?sort=title", "?q=box", "?sections=value:5", "?type=item"])
  func validators(query: String) throws {
    let tag = try #require(try view(query).fields["etag"])
    #expect(tag == (try view("").fields["etag"]))
    #expect(try view(query, ["If-None-Match": tag]).status == 304)
    try service.makeThing("Aardvark box", in: list.id)
    let changed = try view(query, ["If-None-Match": tag])
    #expect(changed.status == 200)
    #expect(changed.texts("/rows", "title").contains("Aardvark box"))
  }

  @Test func `sections are modified if the currency is`() throws {
    let query = "?sections=value:50"
    let tag = try #require(try view(query).fields["etag"])
    #expect(try service.send(.put, "/v1/appearance", ["currency": "EUR"]).status == 200)
    let changed = try view(query, ["If-None-Match": tag])
    #expect(changed["/sections/0/title"] == "More than 50 EUR")
    let newTag = try #require(changed.fields["etag"])
    #expect(try view(query, ["If-None-Match": newTag]).status == 304)
    #expect(try view("?sort=title", ["If-None-Match": tag]).status == 304)
    #expect(try service.send(.put, "/v1/appearance", ["currency": "SEK"]).status == 200)
    #expect(try view(query, ["If-None-Match": newTag]).status == 200)
  }

  @Test func `a view by last update has no validator, which notes would make a lie`() throws {
    #expect(try view("?sort=updatedAt").fields["etag"] == nil)
    let tag = try #require(try view("").fields["etag"])
    #expect(try view("?sort=-updatedAt", ["If-None-Match": tag]).status == 200)
  }

  @Test func `a page of rows as they are is never one of a view`() throws {
    let plain = try view("?limit=3")
    _ = try view("?limit=3&sort=title")
    #expect(try view("?limit=3").body == plain.body)
  }

  @Test func `a view at a revision that the list has left brings the delta`() throws {
    try service.send(.post, list.path + "/move-row", ["from": 0, "to": 3])
    let answer = try view("?sort=title&revision=1")
    #expect(answer.code == "list_moved_on")
  }

  @Test("making a sort the order does as the view shows", arguments: SortOrder.Key.allCases)
  func sorting(key: SortOrder.Key) throws {
    for sort in [key.rawValue, "-" + key.rawValue] {
      let shown = try view("?sort=\(sort)").texts("/rows", "id")
      let sorted = try service.send(.post, list.path + "/reorder", ["sort": .string(sort)])
      #expect(sorted.status == 200)
      #expect(try view("").texts("/rows", "id") == shown)
    }
  }

  @Test func `total values count each piece of an item`() throws {
    let home = try service.makeList("Home")
    let things: [(JSONValue, JSONValue, JSONValue)] = [
      ("Kettle", 25, 1), ("Plates", 4, 12), ("Oven", 30, 1),
    ]
    for (name, value, quantity) in things {
      try service.send(
        .post, home.path + "/items",
        ["name": name, "valueInDollars": value, "quantity": quantity])
    }
    try service.makeThing("Doormat", in: home.id)
    func titles(_ sort: String) throws -> [String] {
      try service.get(home.path + "/rows?sentinel=false&sort=" + sort).texts("/rows", "title")
    }
    #expect(try titles("-valueInDollars") == ["Oven", "Kettle", "Plates", "Doormat"])
    #expect(try titles("-totalValueInDollars") == ["Plates", "Oven", "Kettle", "Doormat"])
  }

  @Test(
    "a parameter that is wrong is refused by name",
    arguments: [
      ("?sort=name", "sort"), ("?sort=", "sort"), ("?type=thing", "type"),
      ("?type=sentinel", "type"), ("?sections=50", "sections"), ("?sections=value:", "sections"),
      ("?sections=value:-1", "sections"), ("?sections=value:1.005", "sections"),
      ("?sections=title:a", "sections"), ("?sections=value:1e15", "sections"),
      ("?q=" + String(repeating: "a", count: 201), "q"), ("?sort=title&limit=0", "limit"),
    ])
  func refuses(query: String, name: String) throws {
    let answer = try view(query)
    #expect(answer.status == 422)
    #expect(answer.faults == [name])
  }

  @Test func `a reader's view permits nothing`() throws {
    let page = try service.asked(by: .reader).get(list.path + "/rows?sort=title")
    for flag in ["canMove", "canEdit", "canDelete"] {
      #expect(page.all("/rows", flag).allSatisfy { $0 == false })
    }
  }
}
