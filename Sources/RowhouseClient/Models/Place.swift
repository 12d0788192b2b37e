/// The position of a row in the tree.
public struct Place: Codable, Sendable, Hashable {
  public var id: Row.ID
  /// The list that it is a row of; nil for the root list.
  public var listID: Rowhouse.List.ID?
  public var index: Int?
  /// The root list has level 1.
  public var level: Int
  /// The path from the root list down to it.
  public var path: [Step]

  /// A list or an item of a path.
  public struct Step: Codable, Sendable, Hashable, Identifiable {
    public var id: Row.ID
    public var title: String
    public var type: Kind

    public enum Kind: String, Codable, Sendable { case list, item }
  }

  private enum CodingKeys: String, CodingKey {
    case id, index, level, path
    case listID = "listId"
  }
}
