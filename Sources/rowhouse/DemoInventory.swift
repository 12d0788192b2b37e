import API
import FoundationEssentials
import Inventory

/// The demo. Its ids are fixed, so repeating it adds only missing rows.
struct DemoInventory {
  private indirect enum Entry {
    case list(ListDetails, [Entry])
    /// An item, and the rows of its contents.
    case item(ItemDetails, [Entry])
  }

  private static func list(
    _ title: String, of kind: AcceptedKind = .any, _ rows: Entry...
  ) -> Entry {
    .list(ListDetails(title: title, itemKind: kind), rows)
  }

  private static func thing(
    _ name: String, _ serial: String?, _ dollars: Double, _ contents: Entry...
  ) -> Entry {
    .item(ItemDetails(name: name, serialNumber: serial, value: cents(dollars)), contents)
  }

  private static func car(
    _ year: Int, _ make: String, _ model: String, litres: Double, _ dollars: Double
  ) -> Entry {
    let car = Car(
      make: make, model: model, year: year, fuelAmount: Int64((litres * 100).rounded()))
    return .item(ItemDetails(subject: .car(car), value: cents(dollars)), [])
  }

  private static func cents(_ dollars: Double) -> Cents { Cents(Int64((dollars * 100).rounded())) }

  private static let home = list(
    "Home",
    list(
      "Living room",
      list(
        "Bookcase", of: .thing,
        thing("Atlas of the night sky", nil, 48), thing("Globe", "GL-1962", 85.5),
        thing("Record player", "RP-33-4471", 219)),
      thing("Sofa", nil, 899), thing("Floor lamp", "FL-0082", 64.9),
      thing("Television", "TV-55-90210", 740)),
    list(
      "Kitchen",
      list(
        "Drawer by the window", of: .thing,
        thing("Bread knife", nil, 24), thing("Fluffy spork", "SP-7", 3.25)),
      thing("Espresso machine", "EM-1189", 429), thing("Kettle", "KT-20", 39.95),
      thing("Mixer", "MX-5-0031", 310)),
    list(
      "Study",
      thing(
        "Backpack", nil, 95,
        thing("Wallet", nil, 40), thing("Laptop", "LT-2025-7731", 1_649),
        thing("Notebook", nil, 6.5)),
      thing("Desk", nil, 380), thing("Printer", "PR-400-12", 129)),
    list("Attic", thing("Box of photographs", nil, 0), thing("Tent", "TN-3P", 180)))

  private static let garage = list(
    "Garage", of: .car,
    car(1966, "Morris", "Minor", litres: 18.5, 9_500),
    car(2011, "Toyota", "Yaris", litres: 31.25, 4_200),
    car(2023, "Renault", "Kangoo", litres: 44, 21_900))

  /// Creates the demo. Returns the numbers of lists and items that were added, and of existing ones.
  static func make(in store: SynchronousStore) throws(Failure) -> (made: Int, found: Int) {
    var demo = DemoInventory(store: store)
    for entry in [home, garage] { try demo.add(entry, to: .root) }
    return (demo.made, demo.found)
  }

  private let store: SynchronousStore
  private var made = 0
  private var found = 0
  private var number: UInt64 = 0

  private init(store: SynchronousStore) { self.store = store }

  private mutating func add(_ entry: Entry, to list: ListReference) throws(Failure) {
    switch entry {
    case .list(let details, let rows):
      let id = ListID(nextID())
      try run(.createList(NewList(id: id, parent: list, details: details)))
      for row in rows { try add(row, to: .id(id)) }
    case .item(let details, let contents):
      let id = ItemID(nextID())
      try run(.createItem(NewItem(id: id, details: details), in: list, .last))
      guard !contents.isEmpty else { return }
      let contentsID = ListID(nextID())
      try run(.makeContents(of: id, id: contentsID))
      for row in contents { try add(row, to: .id(contentsID)) }
    }
  }

  private mutating func run(_ command: Command) throws(Failure) {
    try Interruption.check()
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
    return UUID(high: 0x726F_7768_6F75_8073, low: 0x8065_0000_0000_0000 | number)
  }
}
