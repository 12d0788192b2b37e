package enum ItemKind: String, Sendable, CaseIterable {
  case thing, car
}

/// The fields that only a car has.
package struct Car: Sendable, Hashable {
  @ByteExact package var make: String?
  @ByteExact package var model: String?
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

/// A thing, or a car with its fields. The kind of an item never changes.
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

/// A client's JSON object, as text. The order of members and the spelling of numbers are kept.
package struct CustomFields: Sendable, Hashable {
  @ByteExact package private(set) var json: String
  package init(json: String) { self.json = json }
  package static let none = CustomFields(json: "{}")
}

/// The fields of an item that clients set.
package struct ItemDetails: Sendable, Hashable {
  package var subject: ItemSubject
  /// Required for a thing.
  @ByteExact package var name: String?
  @ByteExact package var serialNumber: String?
  package var value: Cents?
  package var quantity: Int64
  @ByteExact package var notes: String?
  @ByteExact package var tags: [String]
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

  /// The amount that the item adds to its list's total.
  package var total: TotalCents {
    TotalCents(Int128(value?.amount ?? 0) * Int128(quantity))
  }

  /// The large text of a row: a thing's name; a car's "year make model", or its name if it has none of them.
  package var title: String {
    guard case .car(let car) = subject else { return name ?? "" }
    let words = [car.year.map(String.init), car.make, car.model].compactMap { $0 }
    return words.isEmpty ? name ?? "" : words.joined(separator: " ")
  }

  /// The small text of a row.
  package var detail: String? { serialNumber }
}

/// A leaf with details: a thing or a car.
package struct Item: Sendable, Equatable {
  package let id: ItemID
  package var listID: ListID
  package var details: ItemDetails
  package var contentsListID: ListID?
  /// The photos in order.
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
