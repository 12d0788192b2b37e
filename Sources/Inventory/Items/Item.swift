package enum ItemKind: String, Sendable, CaseIterable {
  case thing, car
}

/// What only a car has.
package struct Car: Sendable, Hashable {
  @Verbatim package var make: String?
  @Verbatim package var model: String?
  package var year: Int?
  /// In hundredths of a litre.
  package var fuelAmount: Int64?

  package init(
    make: String? = nil, model: String? = nil, year: Int? = nil, fuelAmount: Int64? = nil
  ) {
    self.make = make
    self.model = model
    self.year = year
    self.fuelAmount = fuelAmount
  }
}

/// What the item is of; its kind never changes.
package enum ItemSubject: Sendable, Hashable {
  case thing
  case car(Car)

  package var kind: ItemKind {
    switch self {
    case .thing: .thing
    case .car: .car
    }
  }
}

/// A JSON object of the client's own, as text: member order and the spelling of numbers as they came.
package struct CustomFields: Sendable, Hashable {
  @Verbatim package private(set) var json: String
  package init(json: String) { self.json = json }
  package static let none = CustomFields(json: "{}")
}

/// An item's own fields, as somebody sets them.
package struct ItemDetails: Sendable, Hashable {
  package var subject: ItemSubject
  /// A thing always has one.
  @Verbatim package var name: String?
  @Verbatim package var serialNumber: String?
  package var value: Cents?
  package var quantity: Int64
  @Verbatim package var notes: String?
  @Verbatim package var tags: [String]
  package var fields: CustomFields

  package init(
    subject: ItemSubject = .thing, name: String? = nil, serialNumber: String? = nil,
    value: Cents? = nil, quantity: Int64 = 1, notes: String? = nil, tags: [String] = [],
    fields: CustomFields = .none
  ) {
    self.subject = subject
    self.name = name
    self.serialNumber = serialNumber
    self.value = value
    self.quantity = quantity
    self.notes = notes
    self.tags = tags
    self.fields = fields
  }

  package var kind: ItemKind { subject.kind }

  /// What the item adds to its list's total.
  package var total: TotalCents {
    TotalCents(Int128(value?.amount ?? 0) * Int128(quantity))
  }

  /// What a row shows in large type: a thing's name; a car's "year make model", its name if it has none of them.
  package var title: String {
    guard case .car(let car) = subject else { return name ?? "" }
    let words = [car.year.map(String.init), car.make, car.model].compactMap { $0 }
    return words.isEmpty ? name ?? "" : words.joined(separator: " ")
  }

  /// What a row shows in small type.
  package var detail: String? { serialNumber }
}

/// A leaf with details: a thing or a car.
package struct Item: Sendable, Equatable {
  package let id: ItemID
  package var listID: ListID
  package var details: ItemDetails
  package var contentsListID: ListID?
  /// In order.
  package var photos: [PhotoID]
  package var revision: Revision
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(
    id: ItemID, listID: ListID, details: ItemDetails, contentsListID: ListID?,
    photos: [PhotoID] = [], revision: Revision, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.listID = listID
    self.details = details
    self.contentsListID = contentsListID
    self.photos = photos
    self.revision = revision
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}
