import HTTP
import JSON
import Testing

@Suite("Which bodies are read")
struct BodyTests {
  let service: Service
  let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["a", "b"])
  }

  @Test(
    "a type that is not read",
    arguments: [
      "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/*", "",
      "application/json; charset=iso-8859-1", "application/merge-patch+json",
    ])
  func types(type: String) throws {
    let answer = try service.send(
      .post, list.path + "/move-row", text: #"{"from":0,"to":1}"#, type: type)
    #expect(answer.status == 415)
    #expect(answer.code == "unsupported_media_type")
    #expect(try service.titles(of: list) == ["a", "b"])
  }

  @Test(arguments: [false, true])
  func `a large body is read on another thread than the loop's`(isLarge: Bool) throws {
    let filler = String(repeating: " ", count: isLarge ? 70_000 : 70)
    let body = Array((#"{"from":0,"tu":1"# + filler + "}").utf8)
    let fields: Fields = [
      "Content-Type": "application/json", "Content-Length": String(body.count),
    ]
    let head = try RequestHead(method: .post, target: list.path + "/move-row", fields: fields)
    let sink = Inbox()
    let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: sink)
    switch service.handler.answer(head, body, by: responder) {
    case .now(let response):
      #expect(!isLarge)
      #expect(response.status == 422)
    case .later:
      #expect(isLarge)
      #expect(try sink.wait().status == 422)
    }
    responder.retire()
  }

  @Test(
    "a type that is read",
    arguments: [
      "application/json", "Application/JSON", "application/json;charset=utf-8",
      "application/json; charset=\"UTF-8\"", "application/json; profile=x",
    ])
  func readTypes(type: String) throws {
    let answer = try service.send(
      .post, list.path + "/move-row", text: #"{"from":0,"to":1}"#, type: type)
    #expect(answer.status == 200)
  }

  @Test func `a body without a type, or with a content coding, is not read`() throws {
    let body = Array(#"{"from":0,"to":1}"#.utf8)
    let path = list.path + "/move-row"
    #expect(try service.send(.post, path, bytes: body).status == 415)
    for coding in ["gzip", "identity, gzip"] {
      let fields: Fields = ["Content-Type": "application/json", "Content-Encoding": coding]
      #expect(try service.send(.post, path, fields: fields, bytes: body).status == 415)
    }
    let plain: Fields = ["Content-Type": "application/json", "Content-Encoding": "Identity"]
    #expect(try service.send(.post, path, fields: plain, bytes: body).status == 200)
  }

  @Test(
    "what is no JSON",
    arguments: [
      "{", "{\"from\":0,\"to\":1", "{\"from\":0,\"from\":1,\"to\":1}", "{'from':0}", "nonsense",
      "{\"from\":0,\"to\":1}x", "{\"from\":01}", "{\"from\":1e400,\"to\":0}",
      "{\"id\":\"\\ud800\"}", "{\"id\":\"\\u0000\"}", "\u{FEFF}{}",
      String(repeating: "[", count: 10_000),
    ])
  func malformed(text: String) throws {
    let answer = try service.send(.post, list.path + "/move-row", text: text)
    #expect(answer.status == 400)
    #expect(answer.code == "malformed_json")
    #expect(answer.fields["content-type"] == "application/problem+json")
  }

  @Test func `what is not UTF-8 is no JSON`() throws {
    let bytes = Array("{\"id\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
    let answer = try service.send(
      .post, list.path + "/move-row", fields: ["Content-Type": "application/json"], bytes: bytes)
    #expect(answer.code == "malformed_json")
  }

  @Test func `the detail names the place where reading stopped`() throws {
    let answer = try service.send(.post, list.path + "/move-row", text: "{\"from\": 0,\n \"to\" 1}")
    let words = answer.text("/detail")?.split(separator: " ").map(String.init) ?? []
    #expect(Array(words.suffix(7)) == ["At", "byte", "18,", "line", "2,", "column", "7."])
  }

  @Test func `nothing is no JSON where a body is needed`() throws {
    #expect(try service.send(.post, list.path + "/move-row").code == "malformed_json")
    #expect(try service.send(.patch, list.path).code == "malformed_json")
  }

  @Test func `a body of up to a mebibyte is read, an order's up to eight`() throws {
    let text = String(repeating: " ", count: (1 << 20) - 2) + "{}"
    #expect(try service.send(.post, list.path + "/move-row", text: text).status == 422)
    #expect(try service.send(.post, list.path + "/move-row", text: text + " ").status == 413)
    #expect(try service.send(.post, list.path + "/reorder", text: text + " ").status == 422)
    let large = String(repeating: " ", count: (8 << 20) - 2) + "{}"
    #expect(try service.send(.post, list.path + "/reorder", text: large).status == 422)
    #expect(try service.send(.post, list.path + "/reorder", text: large + " ").status == 413)
  }

  @Test func `a call without members refuses any member with that reason`() throws {
    let id = try #require(try service.send(.post, "/v1/navigators").text("/id"))
    let answer = try service.send(.post, "/v1/navigators/\(id)/pop", ["x": 1])
    #expect(answer.faults == ["/x"])
    #expect(answer.text("/errors/0/detail") == "This call takes no members.")
  }

  @Test func `faults are cut at a hundred`() throws {
    let ids = JSONValue.array(Array(repeating: 7, count: 5_000))
    let answer = try service.send(.post, list.path + "/reorder", ["ids": ids])
    #expect(answer.faults.count == 100)
    let members = (0..<50_000).map { (key: "m\($0)", value: JSONValue.null) }
    let misspelt = try service.send(.post, "/v1/lists", .object(JSONObject(members)))
    #expect(misspelt.faults.count == 100)
    let query = Array(repeating: "to=1", count: 1_500).joined(separator: "&")
    let repeated = try service.get(list.path + "/move-target?" + query)
    #expect(Set(repeated.faults) == ["from", "to"])
  }
}
