import Foundation

/// The most that a caller may do. Newer servers may have other roles.
public struct Role: RawRepresentable, Codable, Sendable, Hashable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let reader = Self(rawValue: "reader")
  public static let editor = Self(rawValue: "editor")
  public static let owner = Self(rawValue: "owner")
  public static let admin = Self(rawValue: "admin")
}

/// The properties of the token that the calls use.
public struct Me: Codable, Sendable, Hashable {
  public var role: Role
  public var inventoryID: Inventory.ID
  /// The list that the token sees as its root.
  public var rootListID: Rowhouse.List.ID
  /// The list of a token that is only for it; nil for others, and from older servers.
  public var listID: Rowhouse.List.ID?
  public var name: String?
  /// The token's id; nil if the server needs no token.
  public var tokenID: AccessToken.ID?
  /// Whether the server has no token yet, so that creating the first one would protect it. Nil from older servers.
  public var canProtect: Bool?

  private enum CodingKeys: String, CodingKey {
    case role, name, canProtect
    case tokenID = "tokenId"
    case inventoryID = "inventoryId"
    case rootListID = "rootListId"
    case listID = "listId"
  }
}

/// A token that gives access to an inventory or a list.
public struct AccessToken: Codable, Sendable, Hashable, Identifiable {
  public var id: String
  /// The token itself. Only in the answer that creates it.
  public var token: String?
  public var name: String
  public var role: Role
  /// Nil for an administrator's token, which reaches all inventories.
  public var inventoryID: Inventory.ID?
  /// The list that its holder sees as the root list; nil: the inventory's own.
  public var listID: Rowhouse.List.ID?
  public var createdAt: Date
  /// From this time on the token is refused; nil: never.
  public var expiresAt: Date?
  /// The hour in which it was last used; nil: never.
  public var lastUsedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, token, name, role, createdAt, expiresAt, lastUsedAt
    case inventoryID = "inventoryId"
    case listID = "listId"
  }
}

/// An open invitation, without its code.
public struct OpenInvitation: Codable, Sendable, Hashable, Identifiable {
  /// Not the code, and not secret.
  public var id: String
  /// From this time on it is refused.
  public var acceptBy: Date
  public var name: String?
  public var role: Role
  /// The inventory of the future token; nil for an administrator's.
  public var inventoryID: Inventory.ID?
  /// The list that the token's holder will see as the root list; nil: the inventory's own.
  public var listID: Rowhouse.List.ID?
  /// When the token expires; nil: never.
  public var expiresAt: Date?
  /// The title of the list. Only in a preview.
  public var title: String?

  private enum CodingKeys: String, CodingKey {
    case id, acceptBy, name, role, expiresAt, title
    case inventoryID = "inventoryId"
    case listID = "listId"
  }
}

/// An invitation, which signs one device in.
public struct Invitation: Codable, Sendable, Hashable, Identifiable {
  /// Not the code, and not secret. Nil from older servers.
  public var id: OpenInvitation.ID?
  /// The secret of the invitation.
  public var code: String
  /// The address of the web app that accepts it.
  public var link: URL
  /// The link as a QR code, an SVG document.
  public var qrCode: String
  /// From this time on it is refused.
  public var acceptBy: Date
  public var name: String?
  public var role: Role
  /// The inventory of the future token; nil for an administrator's.
  public var inventoryID: Inventory.ID?
  /// The list that the token's holder will see as the root list; nil: the inventory's own.
  public var listID: Rowhouse.List.ID?
  /// When the token expires; nil: never.
  public var expiresAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, code, link, qrCode, acceptBy, name, role, expiresAt
    case inventoryID = "inventoryId"
    case listID = "listId"
  }
}
