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
