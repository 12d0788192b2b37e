/// The answer to a write.
public struct Receipt: Codable, Sendable, Hashable {
  public var revision: Int
  /// Whether there is a new revision. False if nothing needed changing.
  public var changed: Bool
  /// Whether a row landed elsewhere than requested, because the pinned last row stays last, or an alternative position
  /// was used.
  public var retargeted: Bool
  /// One for each changed list.
  public var deltas: [Delta]
  /// The path that undoes it.
  public var undo: String?
  public var requestID: String

  private enum CodingKeys: String, CodingKey {
    case revision, changed, retargeted, deltas, undo
    case requestID = "requestId"
  }
}

/// A written resource, as it is now.
public struct Written<Resource: Decodable & Sendable>: Decodable, Sendable {
  public var resource: Resource
  /// The row's index; nil if the resource is not a row.
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
