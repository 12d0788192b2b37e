/// Where a row stands.
public struct Place: Codable, Sendable, Hashable {
  public var id: Row.ID
  /// The list that it is a row of; nil for the root list.
  public var listID: Rowhouse.List.ID?
  public var index: Int?
  /// 1 for the root list.
  public var level: Int
  /// From the root list down to it.
  public var path: [Step]

  /// A list or an item on the way down.
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
