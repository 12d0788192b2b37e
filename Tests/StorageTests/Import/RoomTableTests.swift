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

  @Test func `are computed again if another client has created a room meanwhile`() throws {
    let command = try #require(BulkCommand(.upsertItems(table([["Hall"]]), in: .root)))
    let context = WriteContext(caller: .local, requestID: "test")
    let planned = Awaited<Result<BulkPlan, InventoryError>>()
    store.store.plan(command, context) { planned.fulfill($0) }
    let change = try planned.value.get().change
    try store.addList("Hall")
    let made = Awaited<Result<Outcome, InventoryError>>()
    store.store.push(.bulk(change, context), isOptional: false) {
      made.fulfill(SQLiteStore.outcome($0))
    }
    #expect(made.value == .failure(.boundExceeded))
    #expect(try titles(in: "Hall").isEmpty)
  }
}
