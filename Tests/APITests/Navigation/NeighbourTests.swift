import HTTP
import JSON
import Testing

@Suite("The items around an item")
struct NeighbourTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a"])
    _ = try service.makeList("between", in: list.id)
    for name in ["b", "c"] { try service.makeThing(name, in: list.id) }
    _ = try service.makeList("last", in: list.id)
  }

  private func neighbours(_ name: String, _ query: String = "") throws -> Answer {
    let rows = try service.get(list.path + "/rows")
    let index = try #require(rows.texts("/rows", "title").firstIndex(of: name))
    let id = try #require(rows.text("/rows/\(index)/id"))
    return try service.get("/v1/items/\(id)/neighbours\(query)")
  }

  @Test(
    arguments: [
      ("a", nil, "b", 0), ("b", "a", "c", 1), ("c", "b", nil, 2),
    ] as [(String, String?, String?, Int)])
  func `sublists are skipped, and there is nothing past the ends`(
    name: String, previous: String?, next: String?, index: Int
  ) throws {
    let answer = try neighbours(name)
    #expect(
      answer.keys() == [
        "previous", "next", "index", "count", "position", "leftArrow", "rightArrow", "labels",
        "dir",
      ])
    #expect(answer.text("/previous/title") == previous)
    #expect(answer.text("/next/title") == next)
    if previous == nil { #expect(answer["/previous"] == .null) }
    if next == nil { #expect(answer["/next"] == .null) }
    #expect(answer["/index"] == JSONValue(index))
    #expect(answer["/count"] == 3)
    #expect(answer["/position"] == .string("\(index + 1) of 3"))
    #expect(answer.fields["etag"] == nil)
  }

  @Test func `arrows follow the direction of writing, their meaning does not`() throws {
    let english = try neighbours("b")
    #expect(english["/leftArrow"] == "previous")
    #expect(english["/rightArrow"] == "next")
    #expect(english["/labels"] == ["previous": "Previous", "next": "Next"])
    for query in ["?direction=rtl", ""] {
      let turned =
        query.isEmpty
        ? try service.get(
          "/v1/items/\(try #require(english.text("/next/id")))/neighbours",
          ["Accept-Language": "ar-EG"])
        : try neighbours("c", query)
      #expect(turned["/leftArrow"] == "next")
      #expect(turned["/rightArrow"] == "previous")
      #expect(turned.text("/previous/title") == "b")
      #expect(turned["/dir"] == "rtl")
      #expect(turned.fields["content-language"] == (query.isEmpty ? "ar" : "en"))
      #expect(turned["/labels/next"] == (query.isEmpty ? "التالي" : "Next"))
    }
    #expect(try neighbours("b", "?direction=ltr")["/leftArrow"] == "previous")
    #expect(try neighbours("b", "?direction=up").faults == ["direction"])
  }

  @Test func `a direction that is asked for wins over the language's`() throws {
    let id = try #require(try neighbours("a").text("/next/id"))
    let answer = try service.get(
      "/v1/items/\(id)/neighbours?direction=ltr", ["Accept-Language": "ar"])
    #expect(answer["/leftArrow"] == "previous")
    #expect(answer["/labels/next"] == "التالي")
  }
}
