import Foundation

/// An isolated tree with one root list, such as a household or a shop.
public struct Inventory: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Inventory>

  public var id: ID
  public var rootListID: Rowhouse.List.ID
  /// The root list's title.
  public var title: String
  public var revision: Int
  public var createdAt: Date
  /// The lowest level on which lists are permitted. The root list has level 1; nil: any.
  public var depthLimit: Int?

  private enum CodingKeys: String, CodingKey {
    case id, title, revision, createdAt, depthLimit
    case rootListID = "rootListId"
  }
}
