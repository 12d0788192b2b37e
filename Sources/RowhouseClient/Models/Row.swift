import Foundation

/// One row of a list, as a table shows it.
public struct Row: Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Row>

  /// ``Identifier/sentinel`` for the pinned last row.
  public var id: ID
  public var index: Int
  public var title: String
  public var detail: String?
  public var canMove: Bool
  public var canEdit: Bool
  public var canDelete: Bool
  public var content: Content

  public enum Content: Sendable, Hashable {
    case list(ListSummary)
    case item(ItemSummary)
    /// The pinned last row.
    case sentinel
  }

  public var isSentinel: Bool { content == .sentinel }
}

/// The part of a list that its row shows.
public struct ListSummary: Codable, Sendable, Identifiable, Hashable {
  public var id: Rowhouse.List.ID
  public var title: String
  public var rowCount: Int
  public var totalValueInDollars: Decimal
  public var glyph: String?
  public var colour: Rowhouse.List.Colour?
}

/// The part of an item that its row shows.
public struct ItemSummary: Codable, Sendable, Identifiable, Hashable {
  public var id: Item.ID
  public var kind: Item.Kind
  public var name: String?
  public var serialNumber: String?
  public var valueInDollars: Decimal?
  public var quantity: Int
  public var tags: [String]
  public var car: Car?
  public var contentsListID: Rowhouse.List.ID?
  /// The first photo.
  public var photo: Photo.ID?

  private enum CodingKeys: String, CodingKey {
    case id, kind, name, serialNumber, valueInDollars, quantity, tags, car, photo
    case contentsListID = "contentsListId"
  }
}

extension Row: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    index = try container.decode(Int.self, forKey: .index)
    title = try container.decode(String.self, forKey: .title)
    detail = try container.decodeIfPresent(String.self, forKey: .detail)
    canMove = try container.decode(Bool.self, forKey: .canMove)
    canEdit = try container.decode(Bool.self, forKey: .canEdit)
    canDelete = try container.decode(Bool.self, forKey: .canDelete)
    id = try container.decodeIfPresent(ID.self, forKey: .id) ?? .sentinel
    switch try container.decode(Kind.self, forKey: .type) {
    case .list: content = .list(try container.decode(ListSummary.self, forKey: .list))
    case .item: content = .item(try container.decode(ItemSummary.self, forKey: .item))
    case .sentinel: content = .sentinel
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(index, forKey: .index)
    try container.encode(title, forKey: .title)
    try container.encode(detail, forKey: .detail)
    try container.encode(canMove, forKey: .canMove)
    try container.encode(canEdit, forKey: .canEdit)
    try container.encode(canDelete, forKey: .canDelete)
    try container.encode(isSentinel ? nil : id, forKey: .id)
    switch content {
    case .list(let list):
      try container.encode(Kind.list, forKey: .type)
      try container.encode(list, forKey: .list)
    case .item(let item):
      try container.encode(Kind.item, forKey: .type)
      try container.encode(item, forKey: .item)
    case .sentinel:
      try container.encode(Kind.sentinel, forKey: .type)
    }
  }

  private enum Kind: String, Codable { case list, item, sentinel }

  private enum CodingKeys: String, CodingKey {
    case index, type, id, title, detail, canMove, canEdit, canDelete, list, item
  }
}

/// A page of a list's rows, all at one revision.
public struct RowPage: Codable, Sendable, Hashable {
  public var listID: Rowhouse.List.ID
  public var revision: Int
  /// The number of rows of the whole list, without the pinned last one.
  public var count: Int
  public var rows: [Row]
  /// The number of rows of a filtered view; nil for the list's own order.
  public var matched: Int?
  /// The sections of a view, if it has any.
  public var sections: [RowSection]?

  private enum CodingKeys: String, CodingKey {
    case revision, count, rows, matched, sections
    case listID = "listId"
  }
}

/// Consecutive rows of a view under a heading.
public struct RowSection: Codable, Sendable, Hashable {
  public var title: String
  public var count: Int
  /// The place of its first row in the view.
  public var first: Int
}
