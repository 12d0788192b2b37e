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
    #expect(try send("Was,Preis\nLampe,12.50\n", "")["/fields"] == nil)
  }

  @Test(arguments: [
    "name", "[]", #"{"Was":1}"#, #"{"Was":"title"}"#, #"{"Was":"fields."}"#, #"{"Was":{"a":1}}"#,
  ])
  func `what columns are must be valid`(columns: String) throws {
    let answer = try send("Was\nLampe\n", given(columns))
    #expect(answer.status == 422)
    #expect(answer["/errors/0/parameter"] == "columns")
  }

  @Test func `columns of another product can be something else`() throws {
    let text =
      "HB.name,HB.insured,HB.location,HB.field.Warranty,HB.import_ref\n"
      + "Lamp,true,Attic,2 years,r1\n"
    #expect(try send(text, "?dryRun=true")["/fields"] == ["insured", "location", "Warranty"])
    let answer = try send(
      text, given(#"{"insured":"ignore","HB.location":"location","Warranty":"notes"}"#))
    #expect(answer["/created"] == 2)
    #expect(answer["/fields"] == [])
    let id = try #require(try service.get("/v1/search?q=Lamp").text("/hits/0/id"))
    let item = try service.get("/v1/items/\(id)")
    #expect(item["/notes"] == "2 years")
    #expect(item["/fields"] == ["import_ref": "r1"])
  }

  @Test func `a column that is the kind makes cars' columns known`() throws {
    let answer = try send("Typ,name,make,year\ncar,Duck,Citroën,1966\n", given(#"{"Typ":"kind"}"#))
    #expect(answer["/created"] == 1)
    #expect(answer["/fields"] == [])
    let id = try #require(try service.get("/v1/search?q=Duck").text("/hits/0/id"))
    #expect(try service.get("/v1/items/\(id)")["/car/year"] == 1966)
  }

  @Test func `a name that was given away is free for another column`() throws {
    let answer = try send("name,Title\nL-1,Lamp\n", given(#"{"name":"serialNumber"}"#))
    #expect(answer["/created"] == 1)
    #expect(try service.get(list.path + "/rows").text("/rows/0/title") == "Lamp")
  }

  @Test func `a name that no column has is refused`() throws {
    let answer = try send("name,Comments\nLamp,old\n", given(#"{"Nope":"notes"}"#))
    #expect(answer.status == 422)
    #expect(answer["/lines/0/column"] == "Nope")
  }

  @Test func `two columns cannot be the same`() throws {
    let answer = try send("A,B\nx,y\n", given(#"{"A":"name","B":"name"}"#))
    #expect(answer["/lines/0/line"] == 1)
  }
}
