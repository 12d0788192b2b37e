/// The id of one kind of resource: a UUID in lower case.
public struct Identifier<Resource>: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  /// - Parameter rawValue: A UUID in either case.
  public init(rawValue: String) { self.rawValue = rawValue.lowercased() }
}

extension Identifier: CustomStringConvertible {
  public var description: String { rawValue }
}

extension Identifier: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Identifier where Resource == Rowhouse.List {
  /// The root list that the token sees.
  public static let root = Self(rawValue: "root")
}

extension Identifier where Resource == Row {
  /// The pinned last row, which has no id on the server.
  public static let sentinel = Self(rawValue: "sentinel")

  public init(_ list: Rowhouse.List.ID) { self.init(rawValue: list.rawValue) }
  public init(_ item: Item.ID) { self.init(rawValue: item.rawValue) }
}
