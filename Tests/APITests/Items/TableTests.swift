import HTTP
import JSON
import Testing

@Suite("Tables of a list's items")
struct TableTests {
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

  @Test func `what is exported is imported without a change`() throws {
    for body: JSONValue in [
      ["name": "=Spork, \"fluffy\"", "notes": "two\nlines", "tags": ["a;b", "c"], "quantity": 3],
      [
        "car": ["make": "Saab", "year": 1985, "fuelAmount": .decimal("12.25")],
        "fields": ["x": .decimal("1.50")], "valueInDollars": .decimal("0.5"),
      ],
    ] {
      #expect(try service.send(.post, list.path + "/items", body).status == 201)
    }
    _ = try service.makeList("Sublist", in: list.id)
    let table = try service.download(path)
    #expect(table.status == 200)
    #expect(table.fields["content-type"]?.hasPrefix("text/csv") == true)
    let before = try service.get(list.path).body
    let answer = try send(String(decoding: table.body, as: UTF8.self))
    #expect(answer.status == 200)
    #expect(answer["/items"] == 2)
    #expect(answer["/created"] == 0)
    #expect(answer["/updated"] == 0)
    #expect(try service.get(list.path).body == before)
    #expect(try service.download(path).body == table.body)
  }

  @Test(arguments: [
    ("USD", "$12.50", 12.5), ("USD", "\"$1,299.50\"", 1299.5), ("USD", "US$ 12", 12),
    ("USD", "12 USD", 12), ("EUR", "45 €", 45), ("EUR", "€45", 45), ("EUR", "EUR 45", 45),
    ("CAD", "$3", 3), ("SEK", "99 kr", 99), ("CHF", "CHF 7", 7),
    ("USD", "€12", nil), ("EUR", "$12", nil), ("USD", "$12 USD", nil), ("USD", "$", nil),
  ])
  func `a value may have the mark of the inventory's currency`(
    currency: String, cell: String, value: Double?
  ) throws {
    _ = try service.send(.put, "/v1/appearance", ["currency": .string(currency)])
    let answer = try send("name,Price\nLamp,\(cell)\n")
    guard let value else {
      #expect(answer.text("/lines/0/column") == "Price")
      #expect(answer.text("/lines/0/detail")?.contains(currency) == true)
      return
    }
    #expect(answer.status == 200)
    let rows = try service.get(list.path + "/rows")
    #expect(rows["/rows/0/item/valueInDollars"] == .decimal("\(value)"))
  }

  @Test func `lines make items at the end, in order`() throws {
    try service.makeThing("First", in: list.id)
    let answer = try send(
      "name,serialNumber,valueInDollars,tags,fields.Colour\r\n"
        + "Lamp,L1,12.5,old;bright,red\r\n\"Chair, big\",,,,\r\n")
    #expect(answer["/created"] == 2)
    #expect(answer["/receipt/changed"] == true)
    #expect(try service.titles(of: list) == ["First", "Lamp", "Chair, big"])
    let rows = try service.get(list.path + "/rows?limit=1000")
    #expect(rows["/rows/1/item/tags"] == ["old", "bright"])
    let lamp = try #require(rows.text("/rows/1/id"))
    #expect(try service.get("/v1/items/\(lamp)")["/fields"] == ["Colour": "red"])
  }

  @Test func `tags may have commas between them in a table that is not an export`() throws {
    try send("name,tags\nA,\"oak, old\"\nB,\"oak, old;new\"\nC,\"a\\\\b, c\\, d\"\n")
    let rows = try service.get(list.path + "/rows")
    #expect(rows["/rows/0/item/tags"] == ["oak", "old"])
    #expect(rows["/rows/1/item/tags"] == ["oak, old", "new"])
    #expect(rows["/rows/2/item/tags"] == ["a\\b", "c, d"])
    // The tag with a comma comes back from an export.
    let table = try service.download(path)
    #expect(try send(String(decoding: table.body, as: UTF8.self))["/updated"] == 0)
  }

  @Test func `a line changes the item of its id, or the only one of its serial number`() throws {
    try send("name,serialNumber,quantity\nA,S1,1\nB,S2,1\nC,S3,1\nD,S3,1\n")
    let ids = try service.get(list.path + "/rows").texts("/rows", "id")
    let answer = try send("id,serialNumber,name\n\(ids[0]),S9,A2\n,S2,B2\n,S3,E\n")
    #expect(answer["/updated"] == 2)
    #expect(answer["/created"] == 1)
    #expect(try service.titles(of: list) == ["A2", "B2", "C", "D", "E"])
    #expect(try service.get("/v1/items/\(ids[0])")["/serialNumber"] == "S9")
  }

  @Test func `all bad lines are reported at once, and nothing changes`() throws {
    let answer = try send(
      "name,quantity,kind,id\nA,1,thing,\nB,x,thing,\n,1,thing,\nC,1,boat,7\nD,1\n")
    #expect(answer.status == 422)
    #expect(answer.code == "invalid_lines")
    #expect(answer["/line"] == 3)
    #expect(lines(answer) == [3, 4, 5, 5, 6])
    let rules = try send("name,quantity,valueInDollars\nA,-1,5\n,1,5\nB,1,1e15\n")
    #expect(lines(rules) == [2, 3, 4])
    #expect(rules.texts("/lines", "column") == ["quantity", "name", "valueInDollars"])
    let car = try send("Name,YEAR,kind\nA,1066,car\n")
    #expect(car.texts("/lines", "column") == ["YEAR"])
    #expect(try service.titles(of: list) == [])
  }

  @Test(arguments: ["name,nmae\nA,1", "name,NAME\nA,B", "fields.\nx"])
  func `columns that are not known, or are there twice, are refused`(text: String) throws {
    let answer = try send(text)
    #expect(answer.status == 422)
    #expect(lines(answer) == [1])
  }

  @Test func `columns and lines that a spreadsheet leaves empty count for nothing`() throws {
    let answer = try send("name,quantity,,\nA,2,,\n,,,\nB,3,,\n,,,\n")
    #expect(answer["/items"] == 2)
    #expect(try service.titles(of: list) == ["A", "B"])
    let refused = try send("name,,quantity\nC,,1\nD,x,1\nE\n")
    #expect(lines(refused) == [3, 4])
    #expect(try service.titles(of: list) == ["A", "B"])
  }

  @Test func `a table of very many columns is refused at its first line, in few words`() throws {
    let answer = try send(String(repeating: "x,", count: 100_000) + "x\n")
    #expect(answer.status == 422)
    #expect(lines(answer) == [1])
    #expect(answer.body.count < 1_000)
  }

  @Test(
    "in tables with commas, amounts may have commas between their thousands, and nowhere else",
    arguments: [
      ("1,299.00", .decimal("1299")), ("1,299", .decimal("1299")),
      ("12,345,678.9", .decimal("12345678.9")), ("129.99", .decimal("129.99")),
      ("12,50", nil), ("1,2345", nil), ("1,29,9", nil), ("1.299,00", nil), ("5,", nil),
      (",500", nil), ("1234,567", nil), ("1.5,000", nil),
    ] as [(String, JSONValue?)])
  func amounts(text: String, value: JSONValue?) throws {
    let headers = [
      "Asset Tag,Name,Purchase Cost", "HB.import_ref,HB.name,HB.purchase_price",
      "serialNumber,name,valueInDollars",
    ]
    for header in headers {
      let list = try service.makeList()
      let answer = try service.send(
        .post, list.path + "/rows.csv", text: "\(header)\n1,Drill,\"\(text)\"\n", type: "text/csv")
      #expect(answer.status == (value == nil ? 422 : 200))
      let row = try service.get(list.path + "/rows").text("/rows/0/id")
      if let value, let row {
        #expect(try service.get("/v1/items/\(row)")["/valueInDollars"] == value)
      } else {
        #expect(lines(answer) == [2])
      }
    }
  }

  @Test func `other inventories' guards of formulas are taken off, too`() throws {
    let answer = try send(
      "HB.name,HB.description,HB.notes,HB.tags,HB.location,HB.field.Phone\n"
        + "'=Spork,'-flat,'@home,'+new; b,'quoted,'+49 30\n")
    #expect(answer.status == 200)
    let row = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(row)")
    #expect(item["/name"] == "=Spork")
    #expect(item["/notes"] == "-flat\n\n@home")
    #expect(item["/tags"] == ["+new", "b"])
    #expect(item["/fields"] == ["location": "'quoted", "Phone": "+49 30"])
  }

  @Test(
    "a table of another inventory changes what it has brought before",
    arguments: [
      ("HB.import_ref,HB.name,HB.quantity", "import_ref"),
      ("Asset Tag,Name,Quantity", "Asset Tag"),
    ])
  func references(header: String, field: String) throws {
    #expect(try send("\(header)\nA1,Drill,1\nA2,Saw,1\n")["/created"] == 2)
    let again = try send("\(header)\nA2,Saw,3\nA1,Drill,1\nA3,Plane,1\n")
    #expect(again["/created"] == 1)
    #expect(again["/updated"] == 1)
    #expect(try service.titles(of: list) == ["Drill", "Saw", "Plane"])
    let row = try #require(try service.get(list.path + "/rows").text("/rows/1/id"))
    let item = try service.get("/v1/items/\(row)")
    #expect(item["/quantity"] == 3)
    #expect(item["/fields"] == .object(JSONObject([(field, .string("A2"))])))
  }

  @Test(
    "numbers may have decimal commas where semicolons are between the cells",
    arguments: [
      ("12,50", .decimal("12.5")), ("1.234,5", .decimal("1234.5")), ("12.50", .decimal("12.5")),
      ("1.23,5", nil), ("1,2,3", nil), (",5", nil), ("1.500,00", .decimal("1500")),
      ("1.500", nil), ("12.500", nil), ("1,500", nil), ("1500,5", .decimal("1500.5")),
    ] as [(String, JSONValue?)])
  func decimalCommas(text: String, value: JSONValue?) throws {
    let answer = try send("name;valueInDollars\nDrill;\(text)\n")
    #expect(answer.status == (value == nil ? 422 : 200))
    guard let value else { return }
    let row = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    #expect(try service.get("/v1/items/\(row)")["/valueInDollars"] == value)
  }

  @Test func `a number that may be thousands or decimals is refused`() throws {
    for text in [
      "name;quantity\nA;1.000\n", "name;quantity\nA;1,000\n", "name\tquantity\nA\t1.000\n",
      "name,quantity\nA,1.000\n", "name,valueInDollars\nA,12.500\n",
    ] {
      #expect(lines(try send(text)) == [2])
    }
    #expect(try send("name;quantity\nA;1000\n")["/created"] == 1)
    #expect(try send("name,quantity\nB,\"1,000\"\n")["/created"] == 1)
    #expect(try send("name,valueInDollars\nC,0.500\n")["/created"] == 1)
  }

  private func fields(_ body: JSONValue) throws -> (id: String, fields: () throws -> JSONValue?) {
    let id = try #require(try service.send(.post, list.path + "/items", body).text("/id"))
    return (id, { try service.get("/v1/items/\(id)")["/fields"] })
  }

  @Test func `a column fields.NAME sets or clears that custom field alone`() throws {
    let (id, fields) = try fields([
      "name": "Lamp", "fields": ["colour": "red", "sold": .null, "size": ["w": .decimal("1.50")]],
    ])
    try send("id,fields.colour,fields.watts\n\(id),blue,40\n")
    #expect(
      try fields() == [
        "colour": "blue", "sold": .null, "size": ["w": .decimal("1.50")], "watts": "40",
      ])
    try send("id,colour,watts\n\(id),green,\n", "?unknownColumns=fields")
    #expect(
      try fields() == ["colour": "green", "sold": .null, "size": ["w": .decimal("1.50")]])
    #expect(try send("id,fields.colour,fields.watts\n\(id),green,\n")["/updated"] == 0)
    try send("id,fields.colour,fields.sold,fields.size\n\(id),,,\n")
    #expect(try fields() == [:])
    try send("id,fields.colour,fields\n\(id),red,\"{\"\"a\"\":1}\"\n")
    #expect(try fields() == ["a": 1, "colour": "red"])
    try send("id,fields\n\(id),\n")
    #expect(try fields() == [:])
  }

  @Test func `single custom fields are refused past the most that an item may have`() throws {
    let many = JSONObject((0..<100).map { ("f\($0)", .number(JSONNumber(Int64($0)))) })
    let (id, fields) = try fields(["name": "Lamp", "fields": .object(many)])
    let answer = try send("id,fields.more\n\(id),x\n")
    #expect(answer.status == 422)
    #expect(lines(answer) == [2])
    #expect(try fields() == .object(many))
    #expect(try send("id,fields.f1\n\(id),x\n")["/updated"] == 1)
  }

  @Test(
    "a new reference makes a new item, whatever its serial number",
    arguments: ["Asset Tag,Item Name,Serial", "HB.import_ref,HB.name,HB.serial_number"])
  func newReferences(header: String) throws {
    for (index, serial) in ["N/A", "-", "S-17", "000"].enumerated() {
      let list = try service.makeList()
      func send(_ rows: String) throws -> Answer {
        try service.send(
          .post, list.path + "/rows.csv", text: header + "\n" + rows, type: "text/csv")
      }
      try service.makeThing("By hand \(index)", in: list.id)
      #expect(try send("A1,Beamer,\(serial)\n")["/created"] == 1)
      #expect(try send("A2,Board,\(serial)\n")["/created"] == 1)
      let answer = try send("A3,Table,\(serial)\nA4,Bench,\(serial)\n")
      #expect(answer.status == 200)
      #expect(answer["/created"] == 2)
      #expect(
        try service.titles(of: list)
          == ["By hand \(index)", "Beamer", "Board", "Table", "Bench"])
    }
  }

  @Test func `a serial number names an item without a reference, unless it is a placeholder`()
    throws
  {
    for (serial, created) in [("S-17", 0), ("N/A", 1), ("-", 1)] as [(String, JSONValue)] {
      let list = try service.makeList()
      let path = list.path + "/rows.csv"
      _ = try service.send(.post, path, text: "name,serialNumber\nX,\(serial)\n", type: "text/csv")
      let answer = try service.send(
        .post, path, text: "Asset Tag,Name,Serial\nA1,Beamer,\(serial)\n", type: "text/csv")
      #expect(answer["/created"] == created)
    }
  }

  @Test(arguments: ["Asset Tag", "HB.asset_id"])
  func `a table of Rowhouse's stays one with another product's column`(column: String) throws {
    try service.send(
      .post, list.path + "/items",
      ["name": "Lamp", "valueInDollars": 80, "tags": ["x"], "fields": ["colour": "red"]])
    var rows = String(decoding: try service.download(path).body, as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    rows[0] += ",\(column)"
    rows[1] += ",T-1"
    let text = rows.joined(separator: "\n")
    #expect(lines(try send(text)) == [1])
    let answer = try send(text, "?unknownColumns=fields")
    #expect(answer["/created"] == 0)
    #expect(answer["/updated"] == 1)
    let id = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(id)")
    #expect(item["/valueInDollars"] == 80)
    #expect(item["/tags"] == ["x"])
    #expect(item["/fields"] == .object(JSONObject([("colour", "red"), (column, "T-1")])))
  }

  @Test func `columns with usual names are understood, each once`() throws {
    let text =
      "Item,Unit price,Qty,Remarks,Category,Cost,Colour,Serial Number\n"
      + "Lamp,12.50,2,old,light;kitchen,9,red,L-1\n"
    #expect(try send(text).texts("/lines", "column") == ["Cost", "Colour"])
    let answer = try send(text, "?unknownColumns=fields")
    #expect(answer["/fields"] == ["Cost", "Colour"])
    let id = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(id)")
    #expect(item["/name"] == "Lamp")
    #expect(item["/valueInDollars"] == .decimal("12.50"))
    #expect(item["/quantity"] == 2)
    #expect(item["/notes"] == "old")
    #expect(item["/tags"] == ["light", "kitchen"])
    #expect(item["/serialNumber"] == "L-1")
    #expect(item["/fields"] == ["Cost": "9", "Colour": "red"])
  }

  @Test func `a column's own name wins over a usual one`() throws {
    let answer = try send("title,name,fields.size\nB,A,3\n", "?unknownColumns=fields")
    #expect(answer["/fields"] == ["title"])
    let id = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(id)")
    #expect(item["/name"] == "A")
    #expect(item["/fields"] == ["title": "B", "size": "3"])
  }

  @Test func `an empty text stays one in a table that is sent back as it was read`() throws {
    try service.send(
      .post, list.path + "/items", ["name": "Lamp", "notes": "", "serialNumber": ""])
    let table = String(decoding: try service.download(path).body, as: UTF8.self)
    #expect(try send(table)["/updated"] == 0)
  }

  @Test(
    "a table may be in the code page that its type names",
    arguments: [
      ("iso-8859-2", [0x4D, 0xB3, 0x6F, 0x74, 0x65, 0x6B], "Młotek"),
      ("windows-1250", [0x4D, 0xB3, 0x6F, 0x74, 0x65, 0x6B], "Młotek"),
      ("Windows-1251", [0xCC, 0xEE, 0xEB, 0xEE, 0xF2, 0xEE, 0xEA], "Молоток"),
      ("windows-1253", [0xD3, 0xF6, 0xF5, 0xF1, 0xDF], "Σφυρί"),
      ("shift_jis", [0x8B, 0xE0, 0x92, 0xC6], "金槌"), ("macintosh", [0x4D, 0x9F], "Mü"),
      // The last letter could have a mark behind it.
      ("windows-1255", [0xF9, 0xEC, 0xE5, 0xED], "שלום"), ("windows-1258", [0x56, 0x69], "Vi"),
    ] as [(String, [UInt8], String)])
  func codePages(charset: String, bytes: [UInt8], text: String) throws {
    let answer = try service.send(
      .post, path, fields: ["Content-Type": "text/csv; charset=\(charset)"],
      bytes: Array("name\n".utf8) + bytes)
    #expect(answer["/charset"] == .string(charset.lowercased()))
    #expect(try service.titles(of: list) == [text])
  }

  @Test func `the response has the encoding used, and unknown encodings are refused`() throws {
    func send(_ bytes: [UInt8], _ type: String = "text/csv") throws -> Answer {
      try service.send(
        .post, path, fields: ["Content-Type": type], bytes: Array("name\n".utf8) + bytes)
    }
    #expect(try send([0x41])["/charset"] == "utf-8")
    #expect(try send([0x4D, 0xFC])["/charset"] == "windows-1252")
    #expect(try send([0x41, 0x81])["/line"] == 2)
    #expect(try send([0x41, 0xFC], "text/csv; charset=utf-8")["/line"] == 2)
    #expect(try send([0x41, 0x0A, 0x41, 0x82], "text/csv; charset=shift_jis")["/line"] == 3)
    #expect(try send([0x41], "text/csv; charset=utf-7").status == 415)
    #expect(try send([0x41], "text/csv; charset=utf-8//IGNORE").status == 415)
    #expect(try service.titles(of: list) == ["A", "Mü"])
  }

  @Test func `a table may be in UTF-16 or in Windows-1252`() throws {
    let text = "name\nCafé “größe”\n"
    let units = Array(text.utf16)
    let little: [UInt8] =
      [0xFF, 0xFE] + units.flatMap { (unit) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let big: [UInt8] =
      [0xFE, 0xFF] + units.flatMap { (unit) -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    let western: [UInt8] =
      Array("name\nCaf".utf8) + [0xE9, 0x20, 0x93] + Array("gr".utf8) + [0xF6, 0xDF, 0x65, 0x94]
    for bytes in [Array(text.utf8), little, big, western] {
      let list = try service.makeList()
      let answer = try service.send(
        .post, list.path + "/rows.csv", fields: ["Content-Type": "text/csv"], bytes: bytes)
      #expect(answer.status == 200)
      #expect(try service.titles(of: list) == ["Café “größe”"])
    }
    // Without a byte order mark the name counts.
    for (charset, bytes) in [
      ("utf-16le", Array(little.dropFirst(2))), ("UTF-16BE", Array(big.dropFirst(2))),
      ("\"utf-16\"", Array(big.dropFirst(2))), ("windows-1252", western),
      ("utf-8", Array(text.utf8)),
    ] {
      let list = try service.makeList()
      let answer = try service.send(
        .post, list.path + "/rows.csv", fields: ["Content-Type": "text/csv; charset=\(charset)"],
        bytes: bytes)
      #expect(answer["/charset"] == .string(charset.replacing("\"", with: "").lowercased()))
      #expect(try service.titles(of: list) == ["Café “größe”"])
    }
    // UTF-8 that is cut in the middle of a letter is no other text.
    let broken: [UInt8] = Array("name\né, gr".utf8) + [0xC3]
    let answer = try service.send(
      .post, path, fields: ["Content-Type": "text/csv"], bytes: broken)
    #expect(answer.status == 422)
  }

  static let named: [(charset: String, bytes: [UInt8], title: String?)] = [
    ("windows-1252", [0xC3, 0xA9], "Ã©"), ("ISO-8859-1", [0x80], "€"),
    ("windows-1252", [0x81], nil),
    ("utf-8", [0xC3, 0xA9], "é"), ("utf-8", [0xE9], nil), ("UTF-8", [0xFF, 0xFE, 0x41, 0x00], nil),
  ]

  @Test(arguments: named)
  func `a table is read in the charset that is named`(
    charset: String, bytes: [UInt8], title: String?
  ) throws {
    let answer = try service.send(
      .post, path, fields: ["Content-Type": "text/csv; charset=\(charset)"],
      bytes: Array("name\n".utf8) + bytes)
    #expect(answer.status == (title == nil ? 422 : 200))
    #expect(try service.titles(of: list) == [title].compactMap(\.self))
  }

  @Test(arguments: ["utf-16", "utf-16be", "utf-16le"])
  func `a table in UTF-16 needs no byte order mark where that is named`(charset: String) throws {
    let bytes = "name\nCafé\n".utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return charset == "utf-16le" ? [low, high] : [high, low]
    }
    func send(_ bytes: [UInt8]) throws -> Int {
      try service.send(
        .post, path, fields: ["Content-Type": "text/csv; charset=\(charset)"], bytes: bytes
      ).status
    }
    #expect(try send(bytes + [0x41]) == 422)
    #expect(try send(bytes + [0xD8, 0xD8, 0x41, 0x41]) == 422)
    #expect(try send(bytes) == 200)
    #expect(try service.titles(of: list) == ["Café"])
  }

  @Test func `columns that are not known become custom fields where that is asked for`() throws {
    let text = "Name,Colour,id\nLamp,red,\n"
    #expect(try send(text).status == 422)
    #expect(try send(text, "?unknownColumns=maybe").status == 422)
    #expect(try send(text, "?unknownColumns=fields").status == 200)
    let row = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(row)")
    #expect(item["/name"] == "Lamp")
    #expect(item["/fields"] == ["Colour": "red"])
  }

  @Test func `two lines cannot mean one item, nor one of another list`() throws {
    try send("name,serialNumber\nA,S1\n")
    let twice = try send("name,serialNumber\nB,S1\nC,S1\n")
    #expect(twice.status == 409)
    #expect(twice.texts("/conflicts", "reason") == ["repeated"])
    #expect(
      twice.texts("/conflicts", "detail")
        == ["An earlier line changes the item with this serial number."])
    let row = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let sameID = try send("id,name\n\(row),B\n\(row),C\n")
    #expect(sameID.texts("/conflicts", "detail") == ["An earlier line has the same id."])
    let other = try service.makeList("Other", things: ["X"])
    let elsewhere = try send("id,name\n\(other.rows[0]),B\n")
    #expect(elsewhere.texts("/conflicts", "reason") == ["id_taken"])
    #expect(try service.titles(of: list) == ["A"])
  }

  @Test func `a dry run has the result and changes nothing`() throws {
    let answer = try send("name\nA\nB\n", "?dryRun=true")
    #expect(answer.status == 200)
    #expect(answer["/created"] == 2)
    #expect(answer["/dryRun"] == true)
    #expect(answer["/receipt"] == .null)
    #expect(try service.titles(of: list) == [])
  }

  @Test func `sent again with its key it is answered as before`() throws {
    let fields: Fields = ["Content-Type": "text/csv", "Idempotency-Key": "k"]
    let first = try service.send(.post, path, fields: fields, bytes: Array("name\nA\n".utf8))
    let again = try service.send(.post, path, fields: fields, bytes: Array("name\nA\n".utf8))
    #expect(again.body == first.body)
    #expect(again.fields["idempotency-replayed"] == "true")
    #expect(try service.titles(of: list) == ["A"])
    let other = try service.send(.post, path, fields: fields, bytes: Array("name\nB\n".utf8))
    #expect(other.status == 422)
  }

  @Test func `bad lines without end are read no further than a hundred faults`() throws {
    let tables = [
      "name,notes\n" + String(repeating: "x\n", count: 100_000),
      "id,name\n" + String(repeating: "7,A\n", count: 9_000),
      "name,tags\n"
        + String(repeating: "A," + String(repeating: "\u{1};", count: 99) + "\n", count: 9),
      "name,quantity\n" + String(repeating: "A,-1\n", count: 9_000),
      String(repeating: "x,", count: 400) + "\n",
    ]
    for table in tables {
      let answer = try send(table)
      #expect(answer.status == 422)
      #expect(answer.code == "invalid_lines")
      #expect(lines(answer).count == 100)
      #expect(answer.text("/detail")?.hasSuffix(" There may be more.") == true)
    }
    #expect(try service.titles(of: list) == [])
  }

  @Test func `a long column name is shortened in errors`() throws {
    let long = try send(String(repeating: "x", count: 1_000_000) + "\n")
    #expect(long.text("/lines/0/column")?.count == 200)
  }

  @Test func `a table of Homebox finds its columns`() throws {
    let answer = try send(
      "HB.import_ref,HB.location,HB.tags,HB.name,HB.quantity,HB.description,HB.notes,"
        + "HB.purchase_price,HB.serial_number,HB.warranty_expires,HB.field.Colour\n"
        + "r1,Home / Attic,IMPORTANT; Work,Drill,2,Cordless,Borrowed,129.99,D-1,2027-01-01,green\n")
    #expect(answer.status == 200)
    let row = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(row)")
    #expect(item["/name"] == "Drill")
    #expect(item["/serialNumber"] == "D-1")
    #expect(item["/valueInDollars"] == .decimal("129.99"))
    #expect(item["/quantity"] == 2)
    #expect(item["/notes"] == "Cordless\n\nBorrowed")
    #expect(item["/tags"] == ["IMPORTANT", "Work"])
    #expect(
      item["/fields"] == [
        "import_ref": "r1", "location": "Home / Attic", "warranty_expires": "2027-01-01",
        "Colour": "green",
      ])
  }

  @Test func `a location that names one of several lists is refused`() throws {
    let attics = try (0..<2).map { _ in try service.makeList("Attic", in: list.id) }
    let table = "name,Location\nDrill,Hall\nSaw,Attic\nFile,Attic / Box\n"
    let refused = try send(table, "?locations=rooms")
    #expect(refused.status == 409)
    #expect(refused.texts("/conflicts", "reason") == ["ambiguous_location", "ambiguous_location"])
    #expect(refused["/conflicts/0/line"] == 3)
    #expect(refused["/conflicts/1/line"] == 4)
    #expect(refused.text("/conflicts/0/detail")?.contains("several lists") == true)
    #expect(try service.titles(of: list) == ["Attic", "Attic"])
    _ = try service.send(.patch, attics[1].path, ["title": "Cellar"])
    #expect(try send(table, "?locations=rooms").status == 200)
    #expect(try service.titles(of: attics[0]) == ["Saw", "Box"])
  }

  @Test func `locations become lists where that is asked for, and nothing comes twice`() throws {
    _ = try service.makeList("Home", in: list.id)
    let table =
      "HB.import_ref,HB.location,HB.name\n" + "r1,Home / Attic,Drill\nr2,Home,Saw\n"
      + "r3,,Plane\nr4,Home / Attic,File\nr5,Shed,Rake\n"
    let trial = try send(table, "?locations=rooms&dryRun=true")
    #expect(trial["/created"] == 7)
    let first = try send(table, "?locations=rooms")
    #expect(first.status == 200)
    #expect(first["/created"] == 7)
    #expect(try service.titles(of: list) == ["Home", "Plane", "Shed"])
    func titles(_ path: String) throws -> [String] {
      let found = try service.get("/v1/resolve?path=/\(path)")
      let id = try #require(found.text("/id"))
      return try service.get("/v1/lists/\(id)/rows?sentinel=false").texts("/rows", "title")
    }
    #expect(try titles("Shelf/Home") == ["Attic", "Saw"])
    #expect(try titles("Shelf/Home/Attic") == ["Drill", "File"])
    let revision = first.number("/revision")
    let again = try send(table, "?locations=rooms")
    #expect(again["/created"] == 0)
    #expect(again["/updated"] == 0)
    #expect(again.number("/revision") == revision)
    // One that is known stays where it is; a new one joins the others.
    let moved = try send(
      "HB.import_ref,HB.location,HB.name\nr1,Shed,Power drill\nr6,Home / Attic,Vise\n",
      "?locations=rooms")
    #expect(moved["/created"] == 1)
    #expect(moved["/updated"] == 1)
    #expect(try titles("Shelf/Home/Attic") == ["Power drill", "File", "Vise"])
    #expect(try titles("Shelf/Shed") == ["Rake"])
  }

  @Test(arguments: [
    String(repeating: "a", count: 501), Array(repeating: "a", count: 33).joined(separator: " / "),
  ])
  func `locations that no lists can have are refused in their column`(location: String) throws {
    let answer = try send("name,Location\nDrill,\(location)\n", "?locations=rooms")
    #expect(answer.status == 422)
    #expect(answer.text("/lines/0/column") == "Location")
    #expect(try service.titles(of: list).isEmpty)
    #expect(try send("name\nDrill\n", "?locations=lists").faults == ["locations"])
  }

  @Test func `a table of Snipe-IT finds its columns`() throws {
    let answer = try send(
      "Company,Asset Name,Asset Tag,Model,Serial,Category,Purchase Cost,Notes\n"
        + "Acme,,A-1,Laptop 14,X9,Computers,\"1,299.00\",Spare\n")
    #expect(answer.status == 200)
    let row = try #require(try service.get(list.path + "/rows").text("/rows/0/id"))
    let item = try service.get("/v1/items/\(row)")
    #expect(item["/name"] == "Laptop 14")
    #expect(item["/serialNumber"] == "X9")
    #expect(item["/valueInDollars"] == 1299)
    #expect(item["/tags"] == ["Computers"])
    #expect(item["/notes"] == "Spare")
    #expect(item["/fields"] == ["Company": "Acme", "Asset Tag": "A-1", "Model": "Laptop 14"])
  }

  @Test func `only tables are read, and only so many lines`() throws {
    #expect(
      try service.send(.post, path, text: "name\nA", type: "application/json").status == 415)
    let many = "name\n" + String(repeating: "x\n", count: 10_001)
    let answer = try send(many)
    #expect(answer.code == "too_many_rows")
    #expect(answer["/limit"] == 10_000)
    let most = "name,notes\n" + String(repeating: "x,\n", count: 10_000) + ",\n,\n"
    #expect(try send(most, "?dryRun=true")["/created"] == 10_000)
  }

  @Test func `only so many filled cells are read`() throws {
    // 5,001 lines with 100 filled cells.
    let header = "name," + (1..<100).map { "fields.f\($0)" }.joined(separator: ",") + "\n"
    let line = "x" + String(repeating: ",y", count: 99) + "\n"
    let answer = try send(header + String(repeating: line, count: 5_001), "?dryRun=true")
    #expect(answer.status == 422)
    #expect(answer["/line"] == 5_002)
    #expect(answer.text("/detail")?.contains("500,000 filled cells") == true)
  }
}
