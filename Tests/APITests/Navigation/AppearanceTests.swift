import HTTP
import JSON
import Testing

@Suite("The appearance")
struct AppearanceTests {
  let service: Service
  init() throws { service = try Service() }

  static let dark: JSONValue = [
    "navigationBar": "#101418", "toolbar": "#101418", "tabBar": "#000000", "button": "#9CC4E4",
    "title": "#ffffff",
  ]

  @Test func `a calm scheme until somebody sets another`() throws {
    let calm = try service.get("/v1/appearance")
    #expect(calm.status == 200)
    #expect(
      calm.keys()
        == [
          "navigationBar", "toolbar", "tabBar", "button", "title", "currency", "warnings",
          "version",
        ])
    #expect(calm["/version"] == 0)
    #expect(calm["/warnings"] == [])
    let set = try service.send(.put, "/v1/appearance", Self.dark)
    #expect(set.status == 200)
    #expect(set["/title"] == "#FFFFFF")
    #expect(set["/version"] == 1)
    let dark = try service.get("/v1/appearance")
    #expect(dark.body == set.body)
    #expect(dark.fields["etag"] == set.fields["etag"])
    let etag = try #require(dark.fields["etag"])
    #expect(try service.get("/v1/appearance", ["If-None-Match": etag]).status == 304)
    // What is left out is calm again, and no rows have changed by any of this.
    let put = try service.send(.put, "/v1/appearance", [:])
    #expect(put["/title"] == calm["/title"])
    #expect(put.fields["rowhouse-revision"] == "0")
  }

  @Test func `the same again takes no version, and what is read can be sent back`() throws {
    let set = try service.send(.put, "/v1/appearance", Self.dark)
    let again = try service.send(.put, "/v1/appearance", try #require(set.json))
    #expect(again.status == 200)
    #expect(again["/version"] == 1)
  }

  @Test func `If-Match guards it by its version`() throws {
    #expect(
      try service.send(.put, "/v1/appearance", Self.dark, ["If-Match": "\"0\""]).status == 200)
    let stale = try service.send(.put, "/v1/appearance", [:], ["If-Match": "\"0\""])
    #expect(stale.status == 412)
    #expect(stale["/version"] == 1)
    #expect(try service.get("/v1/appearance")["/title"] == "#FFFFFF")
  }

  @Test func `CarValet's sky, mocha and white are taken, with a warning of the title`() throws {
    let garage: JSONValue = [
      "navigationBar": "#66CCFF", "toolbar": "#66CCFF", "tabBar": "#66CCFF", "button": "#804000",
      "title": "#FFFFFF",
    ]
    let set = try service.send(.put, "/v1/appearance", garage)
    #expect(set.status == 200)
    #expect(set["/title"] == "#FFFFFF")
    #expect(set.texts("/warnings", "pointer") == ["/title"])
    #expect(set.text("/warnings/0/detail")?.contains("1.8") == true)
    // What is read has the warnings too, and can be sent back.
    let read = try service.get("/v1/appearance")
    #expect(read.body == set.body)
    let again = try service.send(.put, "/v1/appearance", try #require(read.json))
    #expect(again.status == 200)
    #expect(again["/version"] == 1)
  }

  @Test(arguments: [
    (##"{"title":"#F4F6F8"}"##, ["/title"]),
    (
      ##"{"navigationBar":"#000000","title":"#333333","button":"#222222"}"##, ["/title", "/button"]
    ),
    (##"{"tabBar":"#2F5D7C"}"##, ["/button"]),
    (##"{"navigationBar":"#FFFFFF"}"##, []),
  ])
  func `a title that is hard to read is warned of`(body: String, pointers: [String]) throws {
    let set = try service.send(.put, "/v1/appearance", text: body)
    #expect(set.status == 200)
    #expect(set.texts("/warnings", "pointer") == pointers)
  }

  @Test(arguments: [
    (##"{"title":"red"}"##, ["/title"]), (##"{"title":7,"button":"#12"}"##, ["/title", "/button"]),
    (##"{"tint":"#000000"}"##, ["/tint"]), (##"{"currency":"EU"}"##, ["/currency"]),
    (##"{"currency":"E1R"}"##, ["/currency"]), (##"{"currency":"ﬁR"}"##, ["/currency"]),
    (##"{"currency":7}"##, ["/currency"]),
  ])
  func `an invalid tint is refused, and changes nothing`(body: String, pointers: [String]) throws {
    let before = try service.get("/v1/appearance").body
    let refused = try service.send(.put, "/v1/appearance", text: body)
    #expect(refused.status == 422)
    #expect(Set(refused.faults) == Set(pointers))
    #expect(try service.get("/v1/appearance").body == before)
  }

  @Test func `a currency is set with the tints, and null is dollars again`() throws {
    #expect(try service.get("/v1/appearance")["/currency"] == .null)
    let set = try service.send(.put, "/v1/appearance", ["currency": "eur"])
    #expect(set["/currency"] == "EUR")
    #expect(set["/version"] == 1)
    #expect(try service.get("/v1/appearance").body == set.body)
    let again = try service.send(.put, "/v1/appearance", try #require(set.json))
    #expect(again["/version"] == 1)
    #expect(try service.send(.put, "/v1/appearance", [:])["/currency"] == .null)
  }

  @Test func `it is an owner's`() throws {
    let editor = try service.asked(by: .editor)
    #expect(try editor.send(.put, "/v1/appearance", Self.dark).code == "role_forbids")
    #expect(try editor.get("/v1/appearance").status == 200)
  }
}
