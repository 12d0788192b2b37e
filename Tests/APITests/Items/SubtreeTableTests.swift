import HTTP
import JSON
import Testing

@Suite("Tables of a list with everything below it")
struct SubtreeTableTests {
  let service: Service
  let home: Service.MadeList
  private var path: String { home.path + "/rows.csv" }

  init() throws {
    service = try Service()
    home = try service.makeList("Home")
    let kitchen = try service.makeList("Kitchen", in: home.id, things: ["Kettle"])
    _ = try service.makeList("Drawer", in: kitchen.id, things: ["Spoon", "Fork"])
    _ = try service.makeList("=Attic", in: home.id)
    try service.makeThing("Doormat", in: home.id)
  }

  private func export(_ query: String = "?subtree=true") throws -> String {
    let table = try service.download(path + query)
    #expect(table.status == 200)
    return String(decoding: table.body, as: UTF8.self)
  }

  private func send(_ text: String, _ query: String = "") throws -> Answer {
    try service.send(.post, path + query, text: text, type: "text/csv")
  }

  /// The names and locations of a table's items.
  private func places(_ table: String) -> [String] {
    table.split(separator: "\r\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return "\(cells[1]): \(cells[cells.count - 1])"
    }
  }

  private func withoutIDs(_ table: String) -> String {
    table.split(separator: "\r\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst()
        .joined(separator: ",")
    }.joined(separator: "\n")
  }

  @Test func `say where each item is`() throws {
    let table = try export()
    #expect(table.hasPrefix("id,name,serialNumber,"))
    #expect(table.split(separator: "\r\n").first?.hasSuffix(",fields,location") == true)
    #expect(
      places(table) == [
        "Kettle: Kitchen", "Spoon: Kitchen / Drawer", "Fork: Kitchen / Drawer", "Doormat: ",
      ])
    #expect(try export("").split(separator: "\r\n").count == 2)
    #expect(try service.get(path + "?subtree=yes").faults == ["subtree"])
  }

  @Test func `name an item whose contents an item is in`() throws {
    let box = try service.makeThing("Box", in: home.id)
    let contents = try service.send(.post, "/v1/items/\(box)/contents")
    try service.makeThing("Bulb", in: try #require(contents.text("/id")))
    #expect(places(try export()).suffix(2) == ["Box: ", "Bulb: Box"])
  }

  @Test func `are imported without a change, and edits reach items where they are`() throws {
    let table = try export()
    let same = try send(table)
    #expect(same["/items"] == 4)
    #expect((same["/created"], same["/updated"]) == (0, 0))
    let edited = try send(table.replacing("Spoon", with: "Ladle"))
    #expect((edited["/created"], edited["/updated"]) == (0, 1))
    #expect(places(try export()).contains("Ladle: Kitchen / Drawer"))
  }

  @Test func `make the same lists elsewhere if the ids are left out`() throws {
    _ = try service.send(.patch, home.path, ["title": "Old home"])
    try service.makeThing(
      "Lamp", in: try #require(try service.get("/v1/resolve?path=/Old%20home/=Attic").text("/id")))
    let table = try export()
    #expect(places(table).contains("Lamp: '=Attic"))
    let copy = try service.makeList("New home")
    let made = try service.send(
      .post, copy.path + "/rows.csv", text: withoutIDs(table), type: "text/csv")
    #expect(made.status == 200)
    #expect(made["/created"] == 8)
    #expect(try service.titles(of: copy) == ["Kitchen", "=Attic", "Doormat"])
  }

  @Test func `read slashes and backslashes of titles back`() throws {
    for title in ["TV / Video", "/ or \\", "a / / b", "\\/"] {
      let room = try service.makeList(title, in: home.id, things: ["Box"])
      let lines = try export().split(separator: "\r\n")
      let boxes = lines.filter { $0.contains(",Box,") }
      let header = lines[0].split(separator: ",").dropFirst().joined(separator: ",")
      let cells = try #require(boxes.last).replacing(",Box,", with: ",Disc,")
        .split(separator: ",", omittingEmptySubsequences: false).dropFirst().joined(separator: ",")
      let made = try send(header + "\n" + cells + "\n")
      #expect(made["/created"] == 1, "\(title)")
      #expect(try service.titles(of: room) == ["Box", "Disc"], "\(title)")
    }
  }

  @Test func `refuse a new line where a location has too many titles, and update those with an id`()
    throws
  {
    var parent = home.id
    for level in 1...33 { parent = try service.makeList("Level \(level)", in: parent).id }
    try service.makeThing("Pearl", in: parent)
    let table = try export()
    #expect(table.contains("Level 32 / …\r\n"))
    #expect(try send(table.replacing("Pearl", with: "Ring"))["/updated"] == 1)
    let refused = try send(withoutIDs(table))
    #expect(refused.status == 422)
    #expect(refused.text("/lines/0/column") == "location")
    let elsewhere = try Service()
    let other = try elsewhere.makeList()
    let conflict = try elsewhere.send(
      .post, other.path + "/rows.csv", text: table, type: "text/csv")
    #expect(conflict.status == 409)
    #expect(conflict.texts("/conflicts", "reason") == ["too_deep"])
  }

  @Test func `keep the location as a custom field if that is asked for`() throws {
    let answer = try send(withoutIDs(try export()), "?locations=fields&unknownColumns=fields")
    #expect(answer["/fields"] == ["location"])
  }
}
