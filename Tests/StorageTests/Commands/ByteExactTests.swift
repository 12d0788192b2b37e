import Inventory
import Storage
import Testing

/// Swift takes the two for equal: https://www.unicode.org/reports/tr15/#Canon_Compat_Equivalence
@Suite struct `A letter that comes in one piece or in two` {
  private static let composed = "\u{E9}clair"
  private static let decomposed = "e\u{301}clair"

  enum Field: CaseIterable {
    case name, serialNumber, notes, tags, fields, make, model

    func details(_ text: String) -> ItemDetails {
      var details = ItemDetails(subject: .car(Car(year: 1985)), name: "Car")
      var car = Car(year: 1985)
      switch self {
      case .name: details.name = text
      case .serialNumber: details.serialNumber = text
      case .notes: details.notes = text
      case .tags: details.tags = [text]
      case .fields: details.fields = CustomFields(json: #"{"sweet":"\#(text)"}"#)
      case .make: car.make = text
      case .model: car.model = text
      }
      details.subject = .car(car)
      return details
    }

    func text(of details: ItemDetails) -> String? {
      guard case .car(let car) = details.subject else { return nil }
      return switch self {
      case .name: details.name
      case .serialNumber: details.serialNumber
      case .notes: details.notes
      case .tags: details.tags.first
      case .fields: details.fields.json
      case .make: car.make
      case .model: car.model
      }
    }
  }

  private static func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  @Test(arguments: Field.allCases)
  func `is kept as it came last in an item, undone too`(field: Field) throws {
    let store = try OpenStore()
    let id = ItemID(.version7())
    let (old, new) = (field.details(Self.composed), field.details(Self.decomposed))
    try store.write(.createItem(NewItem(id: id, details: old), in: .root, .last))
    func kept() throws -> [UInt8]? {
      let item = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.item(id)
      }
      return Self.bytes(field.text(of: item.details))
    }
    let receipt = try store.write(.editItem(id) { _ in new }).receipt
    #expect(receipt.isChanged)
    #expect(try kept() == Self.bytes(field.text(of: new)))
    #expect(try !store.write(.editItem(id) { _ in new }).receipt.isChanged)
    try store.write(.undo(receipt.revision))
    #expect(try kept() == Self.bytes(field.text(of: old)))

    // A later change of only the bytes is an edit too.
    try store.write(.editItem(id) { _ in new })
    let edit = try store.write(.editItem(id) { _ in old }).receipt.revision
    try store.write(.editItem(id) { _ in new })
    #expect(throws: InventoryError.self) { try store.write(.undo(edit)) }
  }

  enum ListField: CaseIterable {
    case title, sentinel, deleteLabel

    func details(_ text: String) -> ListDetails {
      switch self {
      case .title: ListDetails(title: text)
      case .sentinel: ListDetails(title: "List", sentinel: Sentinel(text: text))
      case .deleteLabel: ListDetails(title: "List", deleteLabel: text)
      }
    }

    func text(of details: ListDetails) -> String? {
      switch self {
      case .title: details.title
      case .sentinel: details.sentinel.text
      case .deleteLabel: details.deleteLabel
      }
    }
  }

  @Test(arguments: ListField.allCases)
  func `is kept as it came last in a list`(field: ListField) throws {
    let store = try OpenStore()
    let id = ListID(.version7())
    try store.write(
      .createList(NewList(id: id, parent: .root, details: field.details(Self.composed))))
    let receipt = try store.write(.editList(.id(id)) { _ in field.details(Self.decomposed) })
      .receipt
    #expect(receipt.isChanged)
    let list = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.id(id))
    }
    #expect(Self.bytes(field.text(of: list.details)) == Self.bytes(Self.decomposed))
    // The row that shows the title is reloaded.
    guard field == .title else { return }
    let deltas = receipt.deltas.map { delta in
      if case .changes(let changes) = delta.content { changes.reloadsAfter.count } else { -1 }
    }
    #expect(deltas.sorted() == [0, 1])
  }

  enum NavigatorField: CaseIterable {
    case name, tabTitle, image, screenName, screenTitle, prompt, buttonTitle, state

    func details(_ text: String) -> NavigatorDetails {
      func be(_ field: NavigatorField) -> String { field == self ? text : "other" }
      let screen = ScreenReference(
        .custom(name: be(.screenName), title: be(.screenTitle)), prompt: be(.prompt),
        trailing: TrailingButton(.done, title: be(.buttonTitle)),
        state: CustomFields(json: #"{"y":"\#(be(.state))"}"#))
      return NavigatorDetails(
        name: be(.name),
        tabs: [Tab(id: TabID("a"), title: be(.tabTitle), image: be(.image), stack: [screen])],
        selectedTab: TabID("a"))
    }
  }

  @Test(arguments: NavigatorField.allCases)
  func `is kept as it came last in a navigator`(field: NavigatorField) throws {
    let store = try OpenStore()
    let id = NavigatorID(.version7())
    let (old, new) = (field.details(Self.composed), field.details(Self.decomposed))
    try store.write(.makeNavigator(id) { _ in NavigatorEdit(details: old, subjects: [:]) })
    let edit = Command.editNavigator(id) { _, _ in NavigatorEdit(details: new, subjects: [:]) }
    #expect(try store.write(edit).receipt.isChanged)
    #expect(try !store.write(edit).receipt.isChanged)
    let kept = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.navigator(id)
    }.details
    #expect(Self.bytes("\(kept)") == Self.bytes("\(new)"))
  }
}
