import HTTP
import Inventory
import JSON
import Testing

@Suite("What a search finds, and how it is shown")
struct SearchTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList("Garage", things: ["Red ladder", "Ladders of rope"])
    let car = try service.send(
      .post, list.path + "/items",
      [
        "car": ["make": "Saab", "model": "900", "year": 1985], "name": "Rosinante",
        "serialNumber": "YS3-AT35", "tags": ["red", "old car"], "notes": "Smells of crème brûlée",
        "fields": ["upholstery": "tweed\nand velvet", "doors": 3],
      ])
    try #require(car.status == 201)
  }

  @Test func `a page of hits with long paths ends early, and the next one continues after it`()
    throws
  {
    var parent = list.id
    for level in 0..<40 {
      parent = try service.makeList(String(repeating: "\(level % 10)", count: 500), in: parent).id
    }
    let count = 60
    for number in 0..<count { try service.makeThing("Anchor \(number)", in: parent) }
    var found: Set<String> = []
    var pages = 0
    while found.count < count {
      let page = try search("?q=anchor&limit=1000&offset=\(found.count)")
      let ids = page.texts("/hits", "id")
      #expect(page.number("/count") == count)
      #expect(!ids.isEmpty && ids.count < count)
      // The page ends with the hit that reaches the bound.
      #expect(page.body.count < (1 << 20) + 50_000)
      found.formUnion(ids)
      pages += 1
      let hasNext = page.fields["link"]?.contains("offset=\(found.count)>; rel=\"next\"") == true
      #expect(hasNext == (found.count < count))
    }
    #expect(pages == 2)
  }

  private func search(_ query: String) throws -> Answer { try service.get("/v1/search" + query) }

  @Test(
    "words are found in all texts, the last one by its beginning",
    arguments: [
      ("red", ["1985 Saab 900", "Red ladder"]), ("LADDER", ["Ladders of rope", "Red ladder"]),
      ("ladder+red", ["Red ladder"]), ("lad+red", []), ("saab", ["1985 Saab 900"]),
      ("198", ["1985 Saab 900"]), ("rosin", ["1985 Saab 900"]), ("ys3-at", ["1985 Saab 900"]),
      ("at35+ys3", ["1985 Saab 900"]), ("creme+BRULE", ["1985 Saab 900"]),
      ("upholstery+tw", ["1985 Saab 900"]), ("and+velvet", ["1985 Saab 900"]),
      ("garage", ["Garage"]), ("nothing", []), ("%22red", ["1985 Saab 900", "Red ladder"]),
      ("red+OR+rope", []), ("red%20*", ["1985 Saab 900", "Red ladder"]), ("title:red", []),
    ])
  func finds(query: String, titles: [String]) throws {
    let answer = try search("?q=\(query)")
    #expect(answer.status == 200)
    #expect(answer.texts("/hits", "title").sorted() == titles)
    #expect(answer["/count"] == JSONValue(titles.count))
    #expect(answer["/truncated"] == false)
    #expect(answer.fields["etag"] == nil)
  }

  @Test(
    "a search can be narrowed down",
    arguments: [
      ("?q=r&kind=thing", ["Ladders of rope", "Red ladder"]), ("?q=r&kind=car", ["1985 Saab 900"]),
      ("?q=g&kind=list", ["Garage"]), ("?q=r&tag=red", ["1985 Saab 900"]), ("?q=r&tag=Red", []),
      ("?q=r&tag=old", []), ("?tag=old+car", ["1985 Saab 900"]), ("?tag=red&kind=thing", []),
    ])
  func narrows(query: String, titles: [String]) throws {
    #expect(try search(query).texts("/hits", "title").sorted() == titles)
  }

  @Test func `a search below a list finds neither the list nor what is beside it`() throws {
    _ = try service.makeList("Garage door", things: ["Red bell"])
    #expect(try search("?q=red&listId=\(list.id)").texts("/hits", "title").count == 2)
    #expect(try search("?q=garage&listId=\(list.id)")["/count"] == 0)
    #expect(try search("?q=garage&listId=root")["/count"] == 2)
    let unknown = try search("?q=a&listId=00000000-0000-4000-8000-000000000000")
    #expect(unknown.status == 404)
  }

  @Test func `a hit has its path and the fields of its row`() throws {
    let answer = try search("?q=rope")
    let row = try service.get(list.path + "/rows?offset=1&limit=1")
    #expect(
      answer.keys("/hits/0") == [
        "type", "id", "title", "detail", "listId", "index", "path", "snippet", "item",
      ])
    for member in ["type", "id", "title", "detail", "index", "item"] {
      #expect(answer["/hits/0/" + member] == row["/rows/0/" + member])
    }
    #expect(answer["/hits/0/listId"] == .string(list.id))
    #expect(answer.texts("/hits/0/path", "title") == ["Home", "Garage", "Ladders of rope"])
    let found = try search("?q=garage")
    #expect(found.keys("/hits/0").last == "list")
    #expect(found["/hits/0/list/rowCount"] == 3)
  }

  @Test func `contents are found with their item's place in the path, and have no index`() throws {
    try service.send(.post, "/v1/items/\(list.rows[0])/contents")
    let answer = try search("?q=ladder&kind=list")
    #expect(answer["/count"] == 1)
    #expect(answer["/hits/0/index"] == .null)
    #expect(answer["/hits/0/listId"] == .null)
    #expect(
      answer.texts("/hits/0/path", "title") == ["Home", "Garage", "Red ladder", "Red ladder"])
  }

  @Test func `what is deleted, or outside of the caller's root, is neither found nor counted`()
    throws
  {
    let scoped = try service.asked(by: .owner, root: ListID(text: list.id))
    try service.makeThing("Red herring", in: "root")
    #expect(try search("?q=red")["/count"] == 3)
    #expect(try scoped.get("/v1/search?q=red")["/count"] == 2)
    #expect(
      try scoped.get("/v1/search?q=rope").texts("/hits/0/path", "title")
        == ["Garage", "Ladders of rope"])
    try service.send(.delete, list.path + "?recursive=true")
    #expect(try search("?q=red").texts("/hits", "title") == ["Red herring"])
    #expect(try service.get("/v1/tags")["/count"] == 0)
  }

  @Test func `hits come in pages`() throws {
    let page = try search("?q=r&limit=2")
    #expect(page["/count"] == 3)
    #expect(page.texts("/hits", "id").count == 2)
    let next = try service.get(try #require(page.link("next")))
    #expect(next.texts("/hits", "id").count == 1)
    #expect(next.link("next") == nil)
    #expect(Set(page.texts("/hits", "id") + next.texts("/hits", "id")).count == 3)
    #expect(try search("?q=r&offset=9")["/hits"] == [])
  }

  @Test(
    "a parameter that is wrong is refused by name",
    arguments: [
      ("", ["q"]), ("?q=", ["q"]), ("?q=+*+%22", ["q"]), ("?q=&tag=red", ["q"]),
      ("?q=" + String(repeating: "a", count: 201), ["q"]),
      ("?q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q", ["q"]),
      ("?q=" + String(repeating: "a-", count: 33), ["q"]), ("?q=a&kind=item", ["kind"]),
      ("?q=a&listId=7", ["listId"]), ("?q=a&limit=0", ["limit"]), ("?q=a&limit=1001", ["limit"]),
      ("?q=a&offset=-1", ["offset"]), ("?q=a&tag=", ["tag"]),
      ("?q=a&tag=" + String(repeating: "t", count: 101), ["tag"]), ("?q=a&after=x", ["after"]),
    ])
  func refuses(query: String, names: [String]) throws {
    let answer = try search(query)
    #expect(answer.status == 422)
    #expect(answer.faults == names)
  }

  @Test func `tags are counted, the most used first`() throws {
    for tags in [["old", "Rot"], ["old"], ["Box 10"], ["box 2"]] as [[JSONValue]] {
      try service.send(
        .post, list.path + "/items", ["name": "x", "tags": .array(tags)])
    }
    let answer = try service.get("/v1/tags")
    #expect(answer["/count"] == 6)
    #expect(answer["/tags/0"] == ["tag": "old", "count": 2])
    #expect(
      answer.texts("/tags", "tag") == ["old", "box 2", "Box 10", "old car", "red", "Rot"])
    #expect(try service.get("/v1/tags?prefix=R").texts("/tags", "tag") == ["red", "Rot"])
    let page = try service.get("/v1/tags?limit=2&offset=4")
    #expect(page.texts("/tags", "tag") == ["red", "Rot"])
    #expect(page.link("prev") == "/v1/tags?limit=2&offset=2")
    #expect(try service.get("/v1/tags?limit=0").faults == ["limit"])
  }
}
