import API
import FoundationEssentials
import Inventory

/// The demo. Its ids are fixed, so repeating it adds only missing rows.
struct DemoInventory {
  private indirect enum Entry {
    case list(String, AcceptedKind, [Entry])
    case thing(String, serial: String?, dollars: Double, holds: [Entry])
    case car(year: Int, make: String, model: String, litres: Double, dollars: Double)
  }

  private static func thing(_ name: String, _ serial: String?, _ dollars: Double) -> Entry {
    .thing(name, serial: serial, dollars: dollars, holds: [])
  }

  private static let home = Entry.list(
    "Home", .any,
    [
      .list(
        "Living room", .any,
        [
          .list(
            "Bookcase", .thing,
            [
              thing("Atlas of the night sky", nil, 48), thing("Globe", "GL-1962", 85.5),
              thing("Record player", "RP-33-4471", 219),
            ]),
          thing("Sofa", nil, 899), thing("Floor lamp", "FL-0082", 64.9),
          thing("Television", "TV-55-90210", 740),
        ]),
      .list(
        "Kitchen", .any,
        [
          .list(
            "Drawer by the window", .thing,
            [thing("Bread knife", nil, 24), thing("Fluffy spork", "SP-7", 3.25)]),
          thing("Espresso machine", "EM-1189", 429), thing("Kettle", "KT-20", 39.95),
          thing("Mixer", "MX-5-0031", 310),
        ]),
      .list(
        "Study", .any,
        [
          .thing(
            "Backpack", serial: nil, dollars: 95,
            holds: [
              thing("Wallet", nil, 40), thing("Laptop", "LT-2025-7731", 1_649),
              thing("Notebook", nil, 6.5),
            ]),
          thing("Desk", nil, 380), thing("Printer", "PR-400-12", 129),
        ]),
      .list("Attic", .any, [thing("Box of photographs", nil, 0), thing("Tent", "TN-3P", 180)]),
    ])

  private static let garage = Entry.list(
    "Garage", .car,
    [
      .car(year: 1966, make: "Morris", model: "Minor", litres: 18.5, dollars: 9_500),
      .car(year: 2011, make: "Toyota", model: "Yaris", litres: 31.25, dollars: 4_200),
      .car(year: 2023, make: "Renault", model: "Kangoo", litres: 44, dollars: 21_900),
    ])

  /// Creates the demo. Returns the numbers of lists and items that were added, and of existing ones.
  static func make(in store: SynchronousStore) throws(Failure) -> (made: Int, found: Int) {
    var demo = DemoInventory(store: store)
    for entry in [home, garage] { try demo.add(entry, to: .root) }
    return (demo.made, demo.found)
  }

  private let store: SynchronousStore
  private var made = 0
  private var found = 0
  private var number: UInt16 = 0

  private init(store: SynchronousStore) { self.store = store }

  private mutating func add(_ entry: Entry, to list: ListReference) throws(Failure) {
    switch entry {
    case .list(let title, let kind, let rows):
      let id = ListID(nextID())
      let details = ListDetails(title: title, itemKind: kind)
      try run(.createList(NewList(id: id, parent: list, details: details)))
      for row in rows { try add(row, to: .id(id)) }
    case .thing(let name, let serial, let dollars, let holds):
      let id = ItemID(nextID())
      let details = ItemDetails(name: name, serialNumber: serial, value: Self.cents(dollars))
      try run(.createItem(NewItem(id: id, details: details), in: list, .last))
      guard !holds.isEmpty else { return }
      let contents = ListID(nextID())
      try run(.makeContents(of: id, id: contents))
      for row in holds { try add(row, to: .id(contents)) }
    case .car(let year, let make, let model, let litres, let dollars):
      let car = Car(
        make: make, model: model, year: year, fuelAmount: Int64((litres * 100).rounded()))
      let details = ItemDetails(subject: .car(car), value: Self.cents(dollars))
      try run(.createItem(NewItem(id: ItemID(nextID()), details: details), in: list, .last))
    }
  }

  private mutating func run(_ command: Command) throws(Failure) {
    switch store.run(command) {
    case .success(let outcome):
      if outcome.isCreated { made += 1 } else { found += 1 }
    // Users have moved or deleted it, or its list. That is left as it is.
    case .failure(.idTaken), .failure(.idInTrash), .failure(.inTrash): found += 1
    case .failure(let error): throw Failure(ExitCode(error), error.sentence)
    }
  }

  /// Custom ids (RFC 9562 §5.8) that are the same each time.
  private mutating func nextID() -> UUID {
    number += 1
    return UUID(
      uuid: (
        0x72, 0x6F, 0x77, 0x68, 0x6F, 0x75, 0x80, 0x73, 0x80, 0x65, 0, 0, 0, 0,
        UInt8(number >> 8), UInt8(truncatingIfNeeded: number)
      ))
  }

  private static func cents(_ dollars: Double) -> Cents { Cents(Int64((dollars * 100).rounded())) }
}
