/// The results of a search, best first.
public struct SearchResult: Codable, Sendable, Hashable {
  public var count: Int
  /// Whether there are more results than the server ranks.
  public var truncated: Bool
  public var hits: [SearchHit]
}

/// A list or an item that matches.
public struct SearchHit: Codable, Sendable, Hashable, Identifiable {
  public var id: Row.ID
  public var title: String
  public var detail: String?
  public var listID: Rowhouse.List.ID?
  public var index: Int?
  public var path: [Place.Step]
  /// The text around the words, in pieces.
  public var snippet: [Piece]

  public struct Piece: Codable, Sendable, Hashable {
    public var text: String
    public var match: Bool
  }

  private enum CodingKeys: String, CodingKey {
    case id, title, detail, index, path, snippet
    case listID = "listId"
  }
}

/// A tag, and the number of items that have it.
public struct TagCount: Codable, Sendable, Hashable {
  public var tag: String
  public var count: Int
}
