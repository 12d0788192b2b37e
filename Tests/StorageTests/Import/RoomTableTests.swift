import FoundationEssentials
import Inventory
import Support
import Testing

@testable import Storage

@Suite struct `Tables with rooms` {
  private let store: OpenStore
  init() throws { store = try OpenStore() }

  /// One item for each line, whose reference is its line's number.
  private func table(_ rooms: [[String]], name: String = "Thing") -> [ItemUpsert] {
    rooms.enumerated().map { number, rooms in
      var patch = ItemPatch()
      patch.give(.name) { $0.name = "\(name) \(number)" }
      patch.give(.fields) { $0.fields = CustomFields(json: #"{"import_ref":"r\#(number)"}"#) }
      return ItemUpsert(
        line: number + 2, id: nil, newID: ItemID(.version7()), patch: patch,
        reference: ItemReference(field: "import_ref", value: "r\(number)"), rooms: rooms)
    }
  }

  private func titles(in path: String) throws -> [String] {
    let step = try store.read(.everything) { (snapshot) throws(InventoryError) in
      try snapshot.resolve(path: path.split(separator: "/").map(String.init))
    }
    return try store.titles(of: .id(ListID(step.id)))
  }

  @Test(arguments: [6, 900])
  func `make lists once and put items into them`(count: Int) throws {
    let rooms = (0..<count).map { [["Hall"], ["Hall", "Shelf"], []][$0 % 3] }
    let upserts = table(rooms)
    let made = try store.write(.upsertItems(upserts, in: .root))
    #expect(made.counts == TransferCounts(created: count + 2))
    #expect(
      try titles(in: "Hall/Shelf") == stride(from: 1, to: count, by: 3).map { "Thing \($0)" })
    #expect(try titles(in: "Hall").count == count / 3 + 1)
    let again = try store.write(.upsertItems(table(rooms), in: .root))
    #expect(again.counts == TransferCounts())
    #expect(!again.receipt.isChanged)
    let edited = try store.write(
      .upsertItems(table([["Attic"], ["Attic"]], name: "Lamp"), in: .root))
    // The attic must get no new rows.
    #expect(edited.counts == TransferCounts(updated: 2))
    #expect(try titles(in: "Hall/Shelf").first == "Lamp 1")
  }

  @Test func `refuse a new item with too many rooms inside one another`() throws {
    let rooms = (0...Limits.roomsInOneCell).map { "Level \($0)" }
    #expect(throws: InventoryError.self) {
      try store.write(.upsertItems(table([rooms]), in: .root))
    }
    #expect(try store.titles() == [])
    try store.write(.upsertItems(table([Array(rooms.dropLast())]), in: .root))
    #expect(try store.titles() == ["Level 0"])
  }

  @Test func `tells titles and references apart byte by byte`() throws {
    let names = ["Cafe\u{301}", "Caf\u{E9}"]
    try store.addList(names[1])
    var upserts = table(names.map { [$0] })
    for index in upserts.indices {
      upserts[index].patch.give(.fields) { [name = names[index]] in
        $0.fields = CustomFields(json: #"{"import_ref":"\#(name)"}"#)
      }
      upserts[index].reference = ItemReference(field: "import_ref", value: names[index])
    }
    let made = try store.write(.upsertItems(upserts, in: .root))
    #expect(made.counts == TransferCounts(created: 3))
    #expect(try titles(in: names[1]) == ["Thing 1"])
    let again = try store.write(.upsertItems(upserts, in: .root))
    #expect(again.counts == TransferCounts())
  }

  private func write(
    _ table: [ItemUpsert], plannedBefore change: () throws -> Void
  ) throws -> Result<Outcome, InventoryError> {
    try store.write(.upsertItems(table, in: .root), plannedBefore: change)
  }

  @Test func `are computed again if another client has created a room meanwhile`() throws {
    let made = try write(table([["Hall"]])) { try store.addList("Hall") }
    #expect(made == .failure(.boundExceeded))
    #expect(try titles(in: "Hall").isEmpty)
  }

  @Test func `are computed again if another client has edited an item meanwhile`() throws {
    let id = try makeThings(in: [["Hall"]])[0]
    let edited = table([["Hall"]], name: "Lamp")
    #expect(try write(edited) { try addNotes(to: id) } == .failure(.boundExceeded))
    try store.write(.upsertItems(edited, in: .root))
    let details = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.item(id).details
    }
    #expect(details.name == "Lamp 0")
    // The table lacks this field.
    #expect(details.notes == "fragile")
  }

  @Test func `are computed again if another client has deleted an item meanwhile`() throws {
    let rooms = [["Hall", "Shelf"]]
    let id = try makeThings(in: rooms)[0]
    let made = try write(table(rooms, name: "Lamp")) {
      try store.write(.deleteRow(RowID(id), kind: .item, isRecursive: false))
    }
    #expect(made == .failure(.boundExceeded))
  }

  @Test func `are computed again if another item below has got the serial number meanwhile`() throws
  {
    let cellar = try store.addList("Cellar")
    let item = try store.addThing("Drill", to: .id(cellar))
    var patch = ItemPatch()
    patch.give(.name) { $0.name = "Thing" }
    patch.give(.serialNumber) { $0.serialNumber = "S1" }
    let table = [
      ItemUpsert(line: 2, id: nil, newID: ItemID(.version7()), patch: patch, rooms: ["Hall"])
    ]
    let made = try write(table) {
      try store.write(
        .editItem(item) { (details) throws(InventoryError) in
          var details = details
          details.serialNumber = "S1"
          return details
        })
    }
    #expect(made == .failure(.boundExceeded))
    let counts = try store.write(.upsertItems(table, in: .root)).counts
    #expect(counts == TransferCounts(updated: 1))
  }

  @Test func `are made although another client has edited other items meanwhile`() throws {
    let ids = try makeThings(in: [["Hall"], ["Hall"]])
    let made = try write(table([["Hall"]], name: "Lamp")) { try addNotes(to: ids[1]) }
    #expect(try made.get().counts == TransferCounts(updated: 1))
  }

  private func makeThings(in rooms: [[String]]) throws -> [ItemID] {
    let upserts = table(rooms)
    try store.write(.upsertItems(upserts, in: .root))
    return upserts.map(\.newID)
  }

  private func addNotes(to item: ItemID) throws {
    try store.write(
      .editItem(item) { (details) throws(InventoryError) in
        var details = details
        details.notes = "fragile"
        return details
      })
  }
}
