import HTTP
import Inventory
import JSON
import Navigation
import Testing

@testable import API

@Suite("Texts in the reader's language")
struct LanguageTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList("Kitchen", things: ["Kettle"])
  }

  @Test(arguments: [
    ("ar", "ar"), ("ar-EG", "ar"), ("AR", "ar"), ("en, ar;q=0.9", "en"), ("en;q=0.8, ar", "ar"),
    ("de, ar;q=0.1", "ar"), ("de", "en"), ("ar;q=0", "en"), ("*, ar;q=0.5", "en"),
  ])
  func `by weight, and English for what is not there`(field: String, language: String) throws {
    let answer = try service.get(list.path, ["Accept-Language": field])
    #expect(answer.fields["content-language"] == language)
    #expect(answer["/dir"] == (language == "ar" ? "rtl" : "ltr"))
  }

  @Test func `every resource with texts has their writing direction`() throws {
    for path in [
      list.path, list.path + "/rows", list.path + "/rows?sort=title", list.path + "/screen",
      "/v1/items/\(list.rows[0])/screen", "/v1/items/\(list.rows[0])/photos/screen",
      "/v1/about/screen", "/v1/items/\(list.rows[0])/neighbours", "/v1/lists/7",
    ] {
      for (language, direction) in [("en", "ltr"), ("ar", "rtl")] {
        let answer = try service.get(path, ["Accept-Language": language])
        #expect(answer["/dir"] == .string(direction), "\(path)")
        #expect(answer.fields["content-language"] == language)
      }
    }
    let page = try service.get("/problems/cycle", ["Accept-Language": "ar"])
    #expect(
      String(decoding: page.body, as: UTF8.self).contains(#"<html lang="ar" dir="rtl">"#))
  }

  @Test(arguments: [("en", "ltr"), ("ar", "rtl")])
  func `so do navigators, problems, and answers to writes`(
    language: String, direction: String
  ) throws {
    func expect(_ answer: Answer, _ pointer: String = "/dir") {
      #expect(answer[pointer] == .string(direction))
      let isMixed = answer["/errors"] != nil && language != "en"
      #expect(answer.fields["content-language"] == (isMixed ? "\(language), en" : language))
    }
    let fields: Fields = ["Accept-Language": language]
    let made = try service.send(.post, "/v1/navigators", [:], fields)
    expect(made)
    let path = "/v1/navigators/\(try #require(made.text("/id")))"
    expect(try service.get(path, fields))
    expect(try service.send(.post, path + "/push", ["screen": ["about": true]], fields))
    expect(try service.send(.post, path + "/pop", [:], fields))
    expect(try service.send(.post, path + "/pop-to", ["index": 9], fields))
    expect(try service.get("/v1/nowhere", fields))

    let since = try #require(try service.get(list.path).number("/revision"))
    let label: JSONValue = ["deleteLabel": "Sell"]
    let edited = try service.send(.patch, list.path, label, fields)
    expect(edited)
    expect(edited, "/receipt/deltas/0/list/dir")
    let undo = try #require(edited.text("/receipt/undo"))
    expect(try service.send(.post, undo, [:], fields), "/deltas/0/list/dir")
    _ = try service.send(.patch, list.path, ["sentinel": ["visible": false]])
    expect(try service.get(list.path + "/changes?since=\(since)", fields), "/deltas/0/list/dir")
    // A title is somebody's own, whichever way it runs.
    let titled = try service.send(.patch, list.path, ["title": "Cellar"], fields)
    #expect(titled.keys("/receipt/deltas/0/list") == ["title"])
  }

  @Test func `a problem is in the language of its Content-Language`() throws {
    let arabic: Fields = ["Accept-Language": "ar"]
    let plain = try service.get("/v1/lists/7", arabic)
    #expect(plain.text("/detail") == Language.arabic.texts.explanation(.notFound))
    #expect(plain.fields["content-language"] == "ar")
    #expect(try service.get("/v1/lists/7")["/detail"] != plain["/detail"])
    let detailed = try service.send(.post, "/v1/lists", ["titel": "x"], arabic)
    #expect(detailed.text("/detail") == Language.arabic.texts.explanation(.invalid))
    #expect(detailed.text("/errors/0/detail")?.isEmpty == false)
    #expect(detailed.fields["content-language"] == "ar, en")
    #expect(try service.send(.post, "/v1/lists", ["titel": "x"]).fields["content-language"] == "en")
    let refusal = try service.send(
      .post, "/v1/import",
      fields: ["Accept-Language": "ar", "Content-Type": "application/x-ndjson"],
      bytes: Array("no export".utf8))
    #expect(refusal["/lines"] != nil)
    #expect(refusal.fields["content-language"] == "ar, en")
  }

  @Test func `a page about a problem is in the language of its Content-Language`() throws {
    func html(_ path: String) throws -> (text: String, language: String?) {
      let page = try service.get(path, ["Accept-Language": "ar"])
      return (String(decoding: page.body, as: UTF8.self), page.fields["content-language"])
    }
    let arabic = try html("/problems/cycle")
    #expect(arabic.text.contains(#"<html lang="ar" dir="rtl">"#))
    #expect(arabic.language == "ar")
    let large = try html("/problems/body_too_large")
    #expect(large.text.contains(#"<html lang="ar" dir="rtl">"#))
    #expect(large.language == "ar")
    // The server's own, of requests that may not even have a language.
    let english = try html("/problems/header_too_large")
    #expect(english.text.contains(#"<html lang="en" dir="ltr">"#))
    #expect(english.language == "en")
    #expect(
      try html("/problems").text.contains(#"<span lang="en" dir="ltr">Header too large</span>"#))
  }

  @Test func `what the server refuses after the head is in the language of the head`() throws {
    let head = try RequestHead(
      method: .post, target: "/v1/lists", fields: ["Accept-Language": "ar"])
    func refusal(_ fault: RequestFault, _ head: RequestHead?) -> Answer {
      Answer(service.handler.refusal(fault, to: head))
    }
    for fault in [
      RequestFault.bodyTooLarge, .bodyMemoryExhausted, .bodyTimeout, .malformedChunk,
      .malformedTrailer, .unanswered,
    ] {
      let texts = try #require(Language.arabic.texts.fault(fault))
      let refused = refusal(fault, head)
      #expect(refused.status == fault.status)
      #expect(refused.code == fault.code)
      #expect(refused.text("/title") == texts.title)
      #expect(refused.text("/detail") == texts.explanation)
      #expect(refused["/dir"] == "rtl")
      #expect(refused.fields["content-language"] == "ar")
      #expect(refusal(fault, nil).text("/detail") == fault.detail)
      #expect(refusal(fault, nil).fields["content-language"] == "en")
    }
    // Its fields were not read.
    let unread = refusal(.headerTooLarge, nil)
    #expect(unread.text("/title") == "Header too large")
    #expect(unread["/dir"] == "ltr")
  }

  @Test func `an address that cannot be read has a page for people, and a problem for programs`()
    throws
  {
    func refusal(_ target: String, _ fields: Fields) throws -> Answer {
      let head = try RequestHead(method: .get, target: target, fields: fields)
      return Answer(service.handler.refusal(.ambiguousPath, to: head))
    }
    let page = try refusal("/l/1", ["Accept": "text/html,*/*", "Accept-Language": "en"])
    #expect(page.status == 400)
    #expect(page.fields["content-type"] == "text/html; charset=utf-8")
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains("<h1>Ambiguous path</h1>"))
    #expect(html.contains(#"<a href="/">Rowhouse</a>"#))
    for (target, accept) in [("/l/1", "*/*"), ("/v1/lists/1", "text/html")] {
      #expect(try refusal(target, ["Accept": accept]).code == "ambiguous_path")
    }
    let base = try #require(BasePath("/rowhouse"))
    let below = try Service { $0.basePath = base }
    let head = try RequestHead(
      method: .get, target: "/rowhouse/v1/lists/1", fields: ["Accept": "text/html"])
    #expect(Answer(below.handler.refusal(.ambiguousPath, to: head)).code == "ambiguous_path")
  }

  @Test func `a warning of a title that is hard to read is in the language of its answer`() throws {
    let tints: JSONValue = ["navigationBar": "#66CCFF", "title": "#FFFFFF"]
    let arabic: Fields = ["Accept-Language": "ar"]
    let english = try #require(
      try service.send(.put, "/v1/appearance", tints).text("/warnings/0/detail"))
    #expect(english.contains("hard to read"))
    for answer in [
      try service.send(.put, "/v1/appearance", tints, arabic),
      try service.get("/v1/appearance", arabic),
    ] {
      let detail = try #require(answer.text("/warnings/0/detail"))
      #expect(!detail.contains("hard"))
      for part in ["#FFFFFF", "navigationBar", "#66CCFF", "1.8"] {
        #expect(detail.contains(part))
      }
      #expect(answer.fields["content-language"] == "ar")
    }
  }

  @Test func `default texts are in the requested language`() throws {
    let arabic: Fields = ["Accept-Language": "ar"]
    let rows = try service.get(list.path + "/rows", arabic)
    #expect(rows["/rows/1/title"] == "لا مزيد من العناصر!")
    #expect(try service.get(list.path, arabic)["/deleteLabel"] == "إزالة")
    let screen = try service.get(list.path + "/screen?mode=details", arabic)
    #expect(screen["/navigationBar/title"] == "تعديل Kitchen")
    #expect(screen["/navigationBar/leading/title"] == "إلغاء")
    #expect(screen["/navigationBar/leading/action"] == "cancel")
    #expect(try service.get("/v1/lists/7", arabic)["/title"] == "غير موجود")
    let own = try service.send(.patch, list.path, ["deleteLabel": "Sell"])
    #expect(own.status == 200)
    #expect(try service.get(list.path + "/screen", arabic)["/row/deleteLabel"] == "Sell")
    #expect(
      try service.get(list.path, arabic).fields["etag"] != service.get(list.path).fields["etag"])
  }

  @Test func `default texts stay default when they are sent back unchanged`() throws {
    let arabic: Fields = ["Accept-Language": "ar"]
    for fields in [Fields(), arabic] {
      let read = try #require(try service.get(list.path, fields).json)
      let sent = try service.send(.patch, list.path, read, fields)
      #expect(sent["/receipt/changed"] == false)
      let batch = try service.send(
        .post, "/v1/lists/root/batch", ["updates": [["id": .string(list.id), "patch": read]]],
        fields)
      #expect(batch["/receipt/changed"] == false)
    }
    #expect(try service.get(list.path, arabic)["/deleteLabel"] == "إزالة")
    // So it does when it is sent back by a client of another language.
    let english: JSONValue = ["deleteLabel": "Remove", "sentinel": ["text": "No more items!"]]
    #expect(try service.send(.patch, list.path, english, arabic)["/receipt/changed"] == false)
    #expect(try service.get(list.path, arabic)["/deleteLabel"] == "إزالة")
    #expect(try service.send(.patch, list.path, ["deleteLabel": "Sell"])["/deleteLabel"] == "Sell")
    // What takes the place of a text that is set is set.
    #expect(try service.send(.patch, list.path, english)["/receipt/changed"] == true)
    #expect(try service.get(list.path, arabic)["/deleteLabel"] == "Remove")
    #expect(try service.get(list.path, arabic)["/sentinel/text"] == "لا مزيد من العناصر!")
  }

  @Test func `clients are handed all texts, before they have a token, too`() throws {
    for language in Language.allCases {
      let answer = try service.get("/v1/texts", ["Accept-Language": language.rawValue])
      #expect(answer.status == 200)
      #expect(answer["/language"] == .string(language.rawValue))
      #expect(answer["/dir"] == .string(language.texts.direction.rawValue))
      for (index, other) in Language.allCases.enumerated() {
        #expect(answer["/languages/\(index)/language"] == .string(other.rawValue))
        #expect(answer["/languages/\(index)/name"] == .string(other.texts.name))
      }
      for text in InterfaceText.allCases {
        #expect(answer["/texts/\(text.rawValue)"] == .string(language.texts.interface(text)))
      }
    }
    let route = Route.all.first { $0.template == "/v1/texts" }
    #expect(route?.isPublic == true)
  }

  @Test func `texts that a client already has are not sent again`() throws {
    var tags: Set<String> = []
    for language in Language.allCases {
      let name = language.rawValue
      let first = try service.get("/v1/texts", ["Accept-Language": name])
      let tag = try #require(first.fields["etag"])
      let again = try service.get("/v1/texts", ["Accept-Language": name, "If-None-Match": tag])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
      #expect(again.fields["etag"] == tag)
      tags.insert(tag)
      // The tag of one language is not that of another.
      for other in Language.allCases where other != language {
        let answer = try service.get(
          "/v1/texts", ["Accept-Language": other.rawValue, "If-None-Match": tag])
        #expect(answer.status == 200)
      }
    }
    #expect(tags.count == Language.allCases.count)
  }

  /// Every text of a language by the name of its key.
  private static func texts(_ language: Language) -> [String: String] {
    let texts = language.texts
    let screens = texts.screens
    var all = [
      "sentinel": texts.sentinel, "problems": texts.problems, "deleteLabel": screens.deleteLabel,
      "editing": screens.editing("X"), "moving": screens.moving("X"), "about": screens.about("X"),
      "position": screens.position(3, 7), "worthMore": texts.worthMore(Cents(1_250_00), nil),
      "remainder": texts.remainder,
    ]
    for action in BarAction.allCases { all["button \(action)"] = screens.button(action) }
    for kind in AddedKind.allCases { all["add \(kind)"] = screens.adding(kind) }
    for text in InterfaceText.allCases { all["client's \(text)"] = texts.interface(text) }
    for code in ProblemCode.allCases {
      all["title of \(code)"] = texts.title(code)
      all["explanation of \(code)"] = texts.explanation(code)
    }
    return all
  }

  /// What is to be filled in.
  private static func blanks(in text: String) -> Set<Substring> {
    Set(text.matches(of: /\{[a-z]+\}/).map(\.output))
  }

  @Test(arguments: Language.allCases)
  func `each language has every text, and none of another's`(language: Language) {
    let texts = Self.texts(language)
    let english = Self.texts(.english)
    #expect(Set(texts.keys) == Set(english.keys))
    for (key, text) in texts {
      #expect(!text.isEmpty, "\(key)")
      if language != .english { #expect(text != english[key], "\(key)") }
    }
    for key in ["editing", "moving", "about"] { #expect(texts[key]?.contains("X") == true) }
    #expect(texts["worthMore"]?.contains("1,250") == true)
    for number in ["3", "7"] { #expect(texts["position"]?.contains(number) == true) }
    for text in InterfaceText.allCases {
      #expect(
        Self.blanks(in: language.texts.interface(text))
          == Self.blanks(in: Language.english.texts.interface(text)), "\(text)")
    }
    let titles = ProblemCode.allCases.map { language.texts.title($0) }
    #expect(Set(titles).count == titles.count)
  }
}
