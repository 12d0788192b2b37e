import Foundation

/// A thing, or a car.
public struct Item: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Item>

  public var id: ID
  public var listID: Rowhouse.List.ID
  public var kind: Kind
  /// Nil for a car that is named by its make and model.
  public var name: String?
  public var serialNumber: String?
  /// At most two decimals.
  public var valueInDollars: Decimal?
  public var quantity: Int
  public var notes: String?
  public var tags: [String]
  /// Custom fields of the app. The server keeps the order of members, this type does not.
  public var fields: [String: JSONValue]
  /// Nil for a thing.
  public var car: Car?
  /// The item's contents list, if it has one.
  public var contentsListID: Rowhouse.List.ID?
  public var photos: [Photo.ID]
  public var revision: Int
  public var createdAt: Date
  public var updatedAt: Date

  public enum Kind: String, Codable, Sendable {
    case thing, car
  }

  private enum CodingKeys: String, CodingKey {
    case id, kind, name, serialNumber, valueInDollars, quantity, notes, tags, fields, car, photos
    case revision, createdAt, updatedAt
    case listID = "listId"
    case contentsListID = "contentsListId"
  }
}

/// The fields that only cars have.
public struct Car: Codable, Sendable, Hashable {
  public var make: String?
  public var model: String?
  public var year: Int?
  /// In litres, with at most two decimals.
  public var fuelAmount: Decimal?

  public init(
    make: String? = nil, model: String? = nil, year: Int? = nil, fuelAmount: Decimal? = nil
  ) {
    self.make = make
    self.model = model
    self.year = year
    self.fuelAmount = fuelAmount
  }
}

/// An item to create.
public struct ItemDraft: Encodable, Sendable {
  /// An id of your own, so that a repeated creation makes no second item; nil: the server creates one.
  public var id: Item.ID?
  public var kind: Item.Kind?
  public var name: String?
  public var serialNumber: String?
  public var valueInDollars: Decimal?
  public var quantity: Int?
  public var notes: String?
  public var tags: [String]?
  public var fields: [String: JSONValue]?
  public var car: Car?
  public var createdAt: Date?
  /// Nil: the end of the list.
  public var position: Position?

  public init(name: String, valueInDollars: Decimal? = nil, at position: Position? = nil) {
    self.name = name
    self.valueInDollars = valueInDollars
    self.position = position
  }

  public init(car: Car, name: String? = nil, at position: Position? = nil) {
    kind = .car
    self.name = name
    self.car = car
    self.position = position
  }
}

/// Changes of an item. Fields that are not set stay as they are.
public struct ItemEdit: Encodable, Sendable {
  public var name: Edit<String> = .keep
  public var serialNumber: Edit<String> = .keep
  public var valueInDollars: Edit<Decimal> = .keep
  public var quantity: Edit<Int> = .keep
  public var notes: Edit<String> = .keep
  public var tags: Edit<[String]> = .keep
  /// Merged into the present fields, including nested objects (RFC 7396): other members stay, and
  /// ``JSONValue/null`` removes one.
  public var fields: Edit<[String: JSONValue]> = .keep
  public var car = CarEdit()

  public init(name: String? = nil) {
    if let name { self.name = .set(name) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(serialNumber, forKey: .serialNumber)
    try container.encode(valueInDollars, forKey: .valueInDollars)
    try container.encode(quantity, forKey: .quantity)
    try container.encode(notes, forKey: .notes)
    try container.encode(tags, forKey: .tags)
    try container.encode(fields, forKey: .fields)
    if !car.isEmpty { try container.encode(car, forKey: .car) }
  }

  private enum CodingKeys: String, CodingKey {
    case name, serialNumber, valueInDollars, quantity, notes, tags, fields, car
  }
}

/// Changes of a car's own fields. Fields that are not set stay as they are.
public struct CarEdit: Encodable, Sendable {
  public var make: Edit<String> = .keep
  public var model: Edit<String> = .keep
  public var year: Edit<Int> = .keep
  public var fuelAmount: Edit<Decimal> = .keep

  public init() {}

  /// Sets all fields to those of another car, and clears those that are nil.
  public init(_ car: Car) {
    make = Edit(car.make)
    model = Edit(car.model)
    year = Edit(car.year)
    fuelAmount = Edit(car.fuelAmount)
  }

  var isEmpty: Bool { make.isKept && model.isKept && year.isKept && fuelAmount.isKept }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(make, forKey: .make)
    try container.encode(model, forKey: .model)
    try container.encode(year, forKey: .year)
    try container.encode(fuelAmount, forKey: .fuelAmount)
  }

  private enum CodingKeys: String, CodingKey { case make, model, year, fuelAmount }
}
