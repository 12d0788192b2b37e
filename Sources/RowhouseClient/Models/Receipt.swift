/// What a write did.
public struct Receipt: Codable, Sendable, Hashable {
  public var revision: Int
  /// False: it was so already, and there is no new revision.
  public var changed: Bool
  /// Whether a row landed elsewhere than asked, because the pinned last row stays last.
  public var retargeted: Bool
  /// One for each list that changed.
  public var deltas: [Delta]
  /// The path that undoes it.
  public var undo: String?
  public var requestID: String

  private enum CodingKeys: String, CodingKey {
    case revision, changed, retargeted, deltas, undo
    case requestID = "requestId"
  }
}

/// What was written, as it is now.
public struct Written<Resource: Decodable & Sendable>: Decodable, Sendable {
  public var resource: Resource
  /// Where it stands; nil where it is no row.
  public var index: Int?
  public var receipt: Receipt

  public init(from decoder: any Decoder) throws {
    resource = try Resource(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    index = try container.decodeIfPresent(Int.self, forKey: .index)
    receipt = try container.decode(Receipt.self, forKey: .receipt)
  }

  private enum CodingKeys: String, CodingKey { case index, receipt }
}
