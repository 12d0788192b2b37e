import Foundation

/// A thing, or a car.
public struct Item: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Item>

  public var id: ID
  public var listID: Rowhouse.List.ID
  public var kind: Kind
  /// Nil for a car that goes by its make and model.
  public var name: String?
  public var serialNumber: String?
  /// With at most two decimals.
  public var valueInDollars: Decimal?
  public var quantity: Int
  public var notes: String?
  public var tags: [String]
  /// What else the app keeps about it. The order of members is the server's to keep; this type has none.
  public var fields: [String: JSONValue]
  /// Nil for a thing.
  public var car: Car?
  /// The list of what is in it, where it has one.
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

/// What only cars have.
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

/// What a new item is to be.
public struct ItemDraft: Encodable, Sendable {
  /// Chosen by the client, so that making it again makes no second one; nil: by the server.
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
  /// The last place, if nil.
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

/// What is to change about an item; what is left as it is stays.
public struct ItemEdit: Encodable, Sendable {
  public var name: Edit<String> = .keep
  public var serialNumber: Edit<String> = .keep
  public var valueInDollars: Edit<Decimal> = .keep
  public var quantity: Edit<Int> = .keep
  public var notes: Edit<String> = .keep
  public var tags: Edit<[String]> = .keep
  /// Merged with what is there, objects in it too (RFC 7396): a member that is not named stays, and
  /// ``JSONValue/null`` takes one away.
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

/// What is to change about what only cars have; what is left as it is stays.
public struct CarEdit: Encodable, Sendable {
  public var make: Edit<String> = .keep
  public var model: Edit<String> = .keep
  public var year: Edit<Int> = .keep
  public var fuelAmount: Edit<Decimal> = .keep

  public init() {}

  /// All of it becomes as another car's; what that has none of is cleared.
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
