import JSON
import Testing

@Suite("Tables that Rowhouse did not write")
struct ForeignTableTests {
  let service: Service
  let list: Service.MadeList
  private var path: String { list.path + "/rows.csv" }

  init() throws {
    service = try Service()
    list = try service.makeList()
  }

  @discardableResult
  private func send(_ text: String, _ query: String = "") throws -> Answer {
    try service.send(.post, path + query, text: text, type: "text/csv")
  }

  private func lines(_ answer: Answer) -> [Int] {
    answer.all("/lines", "line").compactMap { value in
      if case .number(let number)? = value { number.int64.map(Int.init) } else { nil }
    }
  }

  /// The list's items, in order.
  private func items() throws -> [Answer] {
    try service.get(list.path + "/rows?sentinel=false").texts("/rows", "id")
      .map { try service.get("/v1/items/\($0)") }
  }

  @Test(arguments: [
    "Name,Make,Model,Year\nLaptop,Apple,MacBook,2020\n", "name,year\nCoin,1920\n",
    "name,serialNumber,fuelAmount\nA,S1,3\n",
  ])
  func `a table without kind has no cars' columns`(text: String) throws {
    let refused = try send(text)
    #expect(refused.status == 422)
    #expect(lines(refused).allSatisfy { $0 == 1 })
    let detail = try #require(refused.text("/lines/0/detail"))
    #expect(detail.contains("kind"))
    #expect(detail.contains("unknownColumns=fields"))
    #expect(try send(text, "?unknownColumns=fields")["/created"] == 1)
    let item = try #require(try items().first)
    #expect(item["/kind"] == "thing")
    #expect(item.text("/name") != nil)
    #expect(item["/fields"] != [:])
  }

  @Test func `a line makes a car only if its kind says so`() throws {
    let refused = try send("name,kind,make\nA,,Apple\nB,thing,Bosch\nC,car,Saab\n")
    #expect(lines(refused) == [2, 3])
    #expect(refused.texts("/lines", "column") == ["make", "make"])
    #expect(try send("name,kind,make\nA,,\nB,thing,\nC,car,Saab\nD,CAR,\n")["/created"] == 4)
    #expect(try items().map { $0["/kind"] } == ["thing", "thing", "car", "car"])
  }

  @Test func `with ids a table changes cars without naming their kind`() throws {
    try send("kind,make\ncar,Saab\n")
    let id = try #require(try items().first?.text("/id"))
    for query in ["", "?unknownColumns=fields"] {
      #expect(try send("id,model\n\(id),900\(query.count)\n", query)["/updated"] == 1)
    }
    #expect(try items().first?["/car/model"] == "90022")
    #expect(lines(try send("id,name,model\n\(id),A,1\n,Laptop,MacBook\n")) == [3])
  }

  @Test(arguments: ["N/A", "-", "000", "none"])
  func `a placeholder instead of a serial number identifies no item`(text: String) throws {
    try service.send(
      .post, list.path + "/items", ["name": "TV", "serialNumber": .string(text), "notes": "n"])
    let table = "name,serialNumber,notes\nChair,\(text),\nTable,\(text),\n"
    let answer = try send(table)
    #expect(answer["/created"] == 2)
    #expect(answer["/updated"] == 0)
    let all = try items()
    #expect(all.map { $0.text("/name") } == ["TV", "Chair", "Table"])
    #expect(all.map { $0.text("/serialNumber") } == [text, text, text])
    #expect(all[0]["/notes"] == "n")
  }

  @Test func `a model names only what has no other name`() throws {
    try send("Asset Tag,Item Name,Model\nA1,Bob's,MacBook\nA2,,MacBook\n")
    #expect(try items().map { $0.text("/name") } == ["Bob's", "MacBook"])
    let again = try send("Asset Tag,Model\nA1,MacBook Pro\nA2,MacBook Pro\n")
    #expect(again["/updated"] == 2)
    #expect(try items().map { $0.text("/name") } == ["Bob's", "MacBook Pro"])
    #expect(try items().map { $0["/fields/Model"] } == ["MacBook Pro", "MacBook Pro"])
    // An export of an asset without a name has an empty cell there.
    try send("Asset Tag,Item Name,Model\nA1,,MacBook Air\nA2,,MacBook Air\n")
    #expect(try items().map { $0.text("/name") } == ["Bob's", "MacBook Air"])
  }

  @Test func `a reference is the same with spaces around it, and in a column of another case`()
    throws
  {
    try service.send(
      .post, list.path + "/items", ["name": "Drill", "fields": ["Asset Tag": " A1"]])
    for header in ["Asset Tag", "Asset tag", "asset tag"] {
      let answer = try send("\(header),Item Name\nA1 ,\(header)\n\u{A0}A2,Saw\n")
      #expect(answer["/created"] == (header == "Asset Tag" ? 1 : 0))
      #expect(try items().map { $0.text("/name") } == [header, "Saw"])
      #expect(try items().map { $0["/fields"] } == [["Asset Tag": "A1"], ["Asset Tag": "A2"]])
    }
    #expect(lines(try send("Asset Tag,Item Name\nA1,X\nA1 ,Y\n")) == [3])
  }

  @Test(
    arguments: [(true, "1", 1), (false, "0", 1), (1, "1", 0)] as [(JSONValue, String, JSONValue)])
  func `a custom field that is true or false is no reference`(
    field: JSONValue, tag: String, created: JSONValue
  ) throws {
    try service.send(
      .post, list.path + "/items",
      [
        "name": "Drill", "serialNumber": "S1",
        "fields": .object(JSONObject([("Asset Tag", field)])),
      ])
    #expect(try send("Asset Tag,Item Name\n\(tag),Saw\n")["/created"] == created)
    #expect(
      try send("Asset Tag,Item Name,Serial\n7,Drill,S1\n")["/created"] == (created == 0 ? 1 : 0))
  }

  @Test func `Homebox's description and notes are the notes, and empty they clear them`() throws {
    func notes(_ columns: String, _ cells: String) throws -> JSONValue? {
      let answer = try send("HB.import_ref,HB.name,\(columns)\nr1,A,\(cells)\n")
      #expect(answer.status == 200)
      return try items().first?["/notes"]
    }
    #expect(try notes("HB.description,HB.notes", "d,n") == "d\n\nn")
    #expect(try notes("HB.description", "d2") == "d2")
    #expect(try notes("HB.description", "") == .null)
    #expect(try notes("HB.description,HB.notes", ",n") == "n")
    #expect(try notes("HB.quantity", "2") == "n")
    #expect(try notes("HB.description,HB.notes", ",") == .null)
  }

  /// The end of an item's address in Homebox.
  private func itemPath(_ number: Int) -> String {
    "/item/8e5d0000-abcd-4000-8000-00000000000\(number)"
  }

  @Test(arguments: ["", "?locations=rooms"])
  func `a default export of Homebox makes and changes nothing the second time`(
    query: String
  ) throws {
    func table(_ server: String) -> String {
      let lines = ["Drill", "Saw", "Lamp"].enumerated().map { number, name in
        "Garage,tools,,000-00\(number + 1),\(name),1,\(server)\(itemPath(number)),\n"
      }
      return "HB.location,HB.tags,HB.import_ref,HB.asset_id,HB.name,HB.quantity,HB.url,HB.notes\n"
        + lines.joined()
    }
    let first = try send(table("http://hb"), query)
    #expect(first["/created"] == (query.isEmpty ? 3 : 4))
    let again = try send(table("http://hb"), query)
    #expect(again["/created"] == 0)
    #expect(again["/updated"] == 0)
    // Homebox writes the name by which the browser has reached it, or none.
    for server in ["https://homebox.example:7745", ""] {
      let renamed = try send(table(server), query)
      #expect(renamed["/created"] == 0)
      #expect(renamed["/updated"] == 3)
    }
  }

  @Test func `a line of Homebox is known by its reference, or its address, or its number`() throws {
    let header = "HB.import_ref,HB.url,HB.asset_id,HB.name\n"
    let table =
      header + "r1,http://hb\(itemPath(1)),000-001,A\n,http://hb\(itemPath(2)),000-002,B\n"
      + ",,000-003,C\n,http://hb/about,000-004,D\n"
    #expect(try send(table)["/created"] == 4)
    let again = try send(table)
    #expect(again["/created"] == 0)
    #expect(again["/updated"] == 0)
    let renamed = try send(
      header + "r1,http://hb\(itemPath(8)),000-008,A2\n"
        + ",http://hb\(itemPath(2).uppercased()),000-009,B2\n,,000-003,C2\n")
    #expect(renamed["/created"] == 0)
    #expect(renamed["/updated"] == 3)
    // These identify nothing, so they may be in several lines.
    let unknown = header + ",,000-000,E\n,,000-000,F\n,http://hb/about,,G\n,http://hb/about,,H\n"
    for _ in 0..<2 { #expect(try send(unknown)["/created"] == 4) }
    #expect(try items().prefix(4).map { $0.text("/name") } == ["A2", "B2", "C2", "D"])
  }

  @Test func `another product's ID and Kind become custom fields where those are asked for`() throws
  {
    let table = "ID,Name,Kind,Year\n17,Coin,Gold,1920\n,Book,,1850\n"
    let refused = try send(table)
    #expect(refused.status == 422)
    #expect(try send("ID,Name\n17,Coin\n").text("/lines/0/detail")?.contains("fields") == true)
    #expect(try send(table, "?unknownColumns=fields")["/created"] == 2)
    let all = try items()
    #expect(all.map { $0["/kind"] } == ["thing", "thing"])
    #expect(all[0]["/fields"] == ["ID": "17", "Kind": "Gold", "Year": "1920"])
    #expect(all[1]["/fields"] == ["Year": "1850"])
  }

  @Test func `a wrong id among Rowhouse's own is refused, whatever becomes of unknown columns`()
    throws
  {
    try send("name\nA\n")
    let id = try #require(try items().first?.text("/id"))
    #expect(lines(try send("id,name\n\(id),B\n17,C\n", "?unknownColumns=fields")) == [3])
    #expect(lines(try send("name,kind\nB,thing\nC,boat\n", "?unknownColumns=fields")) == [3])
    #expect(try items().count == 1)
  }

  @Test func `apostrophes inside a cell stay, but where Rowhouse put them`() throws {
    try send("name,notes\nA,a;'=x\n'=B,'-\n")
    #expect(try items().map { $0.text("/notes") } == ["a;'=x", "-"])
    #expect(try items().map { $0.text("/name") } == ["A", "=B"])
    let table = String(decoding: try service.download(path).body, as: UTF8.self)
    #expect(try send(table)["/updated"] == 0)
    // The same without ids makes the same items again.
    let bare = table.split(separator: "\r\n").map { $0.drop { $0 != "," }.dropFirst() }
    #expect(try send(bare.joined(separator: "\n"))["/created"] == 2)
    #expect(try items().map { $0.text("/notes") } == ["a;'=x", "-", "a;'=x", "-"])
  }

  @Test(
    "a reference that two lines have is refused with their numbers",
    arguments: ["Asset Tag,Name", "HB.import_ref,HB.name", "HB.asset_id,HB.name"])
  func repeatedReferences(header: String) throws {
    try send(header + "\nA1,Drill\n")
    for reference in ["A1", "A2"] {
      let answer = try send(header + "\n\(reference),X\nA3,Y\n,Z\n,Z\n\(reference),X2\n")
      #expect(answer.status == 422)
      #expect(lines(answer) == [6])
      #expect(answer.text("/lines/0/detail")?.contains("line 2") == true)
    }
    #expect(try items().map { $0.text("/name") } == ["Drill"])
  }
}
