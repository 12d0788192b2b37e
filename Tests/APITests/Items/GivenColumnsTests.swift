import JSON
import Testing

@Suite struct `Columns that a request names` {
  private let service: Service
  private let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList("Garage")
  }

  private func send(_ text: String, _ query: String) throws -> Answer {
    try service.send(.post, list.path + "/rows.csv" + query, text: text, type: "text/csv")
  }

  /// The query with what columns are.
  private func given(_ columns: String) -> String {
    let encoded = columns.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return "?unknownColumns=fields&columns=" + encoded.joined()
  }

  @Test func `the request says what columns are`() throws {
    let text = "Was,Preis,Name,price,Ort,Alt\nLampe,12.50,Nr. 3,9,Keller / Regal,ja\n"
    let answer = try send(
      text,
      given(
        #"{"Was":"name","Preis":"valueInDollars","Name":"fields.Nummer","Ort":"location","Alt":"ignore"}"#
      ))
    #expect(answer["/created"] == 3)
    #expect(answer["/fields"] == ["price"])
    let id = try #require(try service.get("/v1/search?q=Lampe").text("/hits/0/id"))
    let item = try service.get("/v1/items/\(id)")
    #expect(item["/name"] == "Lampe")
    #expect(item["/valueInDollars"] == .decimal("12.50"))
    #expect(item["/fields"] == ["Nummer": "Nr. 3", "price": "9"])
    #expect(try service.get("/v1/search?q=Lampe").text("/hits/0/path/3/title") == "Regal")
  }

  @Test func `a table without a name says which columns are unknown`() throws {
    let answer = try send("Was,Preis\nLampe,12.50\n", "?unknownColumns=fields")
    #expect(answer.status == 422)
    #expect(answer["/fields"] == ["Was", "Preis"])
    #expect(try send("Was,Preis\nLampe,12.50\n", "")["/fields"] == [])
  }

  @Test(arguments: [
    "name", "[]", #"{"Was":1}"#, #"{"Was":"title"}"#, #"{"Was":"fields."}"#, #"{"Was":{"a":1}}"#,
  ])
  func `what columns are must be valid`(columns: String) throws {
    let answer = try send("Was\nLampe\n", given(columns))
    #expect(answer.status == 422)
    #expect(answer["/errors/0/parameter"] == "columns")
  }

  @Test func `two columns cannot be the same`() throws {
    let answer = try send("A,B\nx,y\n", given(#"{"A":"name","B":"name"}"#))
    #expect(answer["/lines/0/line"] == 1)
  }
}
