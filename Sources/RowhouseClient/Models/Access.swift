import Foundation

/// What a caller may do; others may be invented.
public struct Role: RawRepresentable, Codable, Sendable, Hashable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let reader = Self(rawValue: "reader")
  public static let editor = Self(rawValue: "editor")
  public static let owner = Self(rawValue: "owner")
  public static let admin = Self(rawValue: "admin")
}

/// What the token is that the calls are made with.
public struct Me: Codable, Sendable, Hashable {
  public var role: Role
  public var inventoryID: Inventory.ID
  /// Where the token's view begins.
  public var rootListID: Rowhouse.List.ID
  public var name: String?
  /// The token's own; nil where none is asked for.
  public var tokenID: AccessToken.ID?

  private enum CodingKeys: String, CodingKey {
    case role, name
    case tokenID = "tokenId"
    case inventoryID = "inventoryId"
    case rootListID = "rootListId"
  }
}

/// A token that lets somebody in.
public struct AccessToken: Codable, Sendable, Hashable, Identifiable {
  public var id: String
  /// The token itself, in the answer that made it and never again.
  public var token: String?
  public var name: String
  public var role: Role
  /// Nil for an administrator's, which reaches all.
  public var inventoryID: Inventory.ID?
  /// The list that its holder sees as the root list; nil: the inventory's own.
  public var listID: Rowhouse.List.ID?
  public var createdAt: Date

  private enum CodingKeys: String, CodingKey {
    case id, token, name, role, createdAt
    case inventoryID = "inventoryId"
    case listID = "listId"
  }
}
