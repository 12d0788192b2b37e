import Foundation

extension Rowhouse {
  /// A list of rows, which are lists and items. It is nested in ``Rowhouse`` because SwiftUI has a `List` too.
  public struct List: Codable, Sendable, Identifiable, Hashable {
    public typealias ID = Identifier<List>

    public var id: ID
    /// The list that it is a row of; nil for the root list and for the contents of an item.
    public var parentID: ID?
    /// The item whose contents it is.
    public var itemID: Item.ID?
    public var title: String
    public var itemKind: AcceptedKind
    /// The number of rows, without the pinned last one.
    public var rowCount: Int
    public var totalValueInDollars: Decimal
    /// The list's own permissions.
    public var permissions: Permissions
    /// The permissions of this caller.
    public var can: Permissions
    public var sentinel: Sentinel
    /// The label of the button that deletes a row.
    public var deleteLabel: String
    /// One character to show beside the title, such as an emoji.
    public var glyph: String?
    public var colour: Colour?
    public var revision: Int
    public var createdAt: Date
    public var updatedAt: Date

    /// The kind of items that a list accepts.
    public enum AcceptedKind: String, Codable, Sendable {
      case thing, car, any
    }

    /// The colour of a list. Choose shades that suit your background.
    public struct Colour: RawRepresentable, Codable, Sendable, Hashable {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let red = Self(rawValue: "red")
      public static let orange = Self(rawValue: "orange")
      public static let yellow = Self(rawValue: "yellow")
      public static let green = Self(rawValue: "green")
      public static let teal = Self(rawValue: "teal")
      public static let blue = Self(rawValue: "blue")
      public static let purple = Self(rawValue: "purple")
      public static let grey = Self(rawValue: "grey")
    }

    private enum CodingKeys: String, CodingKey {
      case id, title, itemKind, rowCount, totalValueInDollars, permissions, can, sentinel
      case deleteLabel, glyph, colour, revision, createdAt, updatedAt
      case parentID = "parentId"
      case itemID = "itemId"
    }
  }
}

/// The permitted changes of a list's rows.
public struct Permissions: Codable, Sendable, Hashable {
  public var add: Bool
  public var edit: Bool
  public var move: Bool
  public var delete: Bool

  public init(add: Bool = true, edit: Bool = true, move: Bool = true, delete: Bool = true) {
    self.add = add
    self.edit = edit
    self.move = move
    self.delete = delete
  }
}

/// The pinned last row of a list.
public struct Sentinel: Codable, Sendable, Hashable {
  public var text: String
  public var visible: Bool

  public init(text: String, visible: Bool = true) {
    self.text = text
    self.visible = visible
  }
}

/// A list to create.
public struct ListDraft: Encodable, Sendable {
  /// An id of your own, so that a repeated creation makes no second list; nil: the server creates one.
  public var id: Rowhouse.List.ID?
  public var parentID: Rowhouse.List.ID?
  public var title: String
  public var itemKind: Rowhouse.List.AcceptedKind?
  public var permissions: Permissions?
  public var sentinel: Sentinel?
  public var deleteLabel: String?
  /// One character to show beside the title, such as an emoji.
  public var glyph: String?
  public var colour: Rowhouse.List.Colour?
  public var position: Position?

  /// - Parameters:
  ///   - title: The list's title.
  ///   - parent: The list that it becomes a row of.
  ///   - id: An id of your own, so that a repeated creation makes no second list; nil: the server creates one.
  ///   - itemKind: The items that it accepts; nil: any.
  ///   - position: Its position in the parent; nil: the end.
  public init(
    title: String, in parent: Rowhouse.List.ID = .root, id: Rowhouse.List.ID? = nil,
    itemKind: Rowhouse.List.AcceptedKind? = nil, at position: Position? = nil
  ) {
    self.id = id
    parentID = parent
    self.title = title
    self.itemKind = itemKind
    self.position = position
  }

  private enum CodingKeys: String, CodingKey {
    case id, title, itemKind, permissions, sentinel, deleteLabel, glyph, colour, position
    case parentID = "parentId"
  }
}

/// Changes of a list. Fields that are not set stay as they are.
public struct ListEdit: Encodable, Sendable {
  public var title: String?
  public var itemKind: Rowhouse.List.AcceptedKind?
  public var permissions = PermissionsEdit()
  public var sentinel = SentinelEdit()
  /// ``Edit/clear`` restores the default in the reader's language.
  public var deleteLabel: Edit<String> = .keep
  public var glyph: Edit<String> = .keep
  public var colour: Edit<Rowhouse.List.Colour> = .keep

  public init(title: String? = nil) { self.title = title }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(itemKind, forKey: .itemKind)
    if !permissions.isEmpty { try container.encode(permissions, forKey: .permissions) }
    if !sentinel.isEmpty { try container.encode(sentinel, forKey: .sentinel) }
    try container.encode(deleteLabel, forKey: .deleteLabel)
    try container.encode(glyph, forKey: .glyph)
    try container.encode(colour, forKey: .colour)
  }

  private enum CodingKeys: String, CodingKey {
    case title, itemKind, permissions, sentinel, deleteLabel, glyph, colour
  }
}

/// Changes of a list's permissions. Those that are nil stay as they are.
public struct PermissionsEdit: Encodable, Sendable, Hashable {
  public var add: Bool?
  public var edit: Bool?
  public var move: Bool?
  public var delete: Bool?

  public init(add: Bool? = nil, edit: Bool? = nil, move: Bool? = nil, delete: Bool? = nil) {
    self.add = add
    self.edit = edit
    self.move = move
    self.delete = delete
  }

  var isEmpty: Bool { self == PermissionsEdit() }
}

/// Changes of the pinned last row. Fields that are not set stay as they are.
public struct SentinelEdit: Encodable, Sendable {
  /// ``Edit/clear`` restores the default in the reader's language.
  public var text: Edit<String>
  public var visible: Bool?

  public init(text: Edit<String> = .keep, visible: Bool? = nil) {
    self.text = text
    self.visible = visible
  }

  var isEmpty: Bool { text.isKept && visible == nil }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encodeIfPresent(visible, forKey: .visible)
  }

  private enum CodingKeys: String, CodingKey { case text, visible }
}
