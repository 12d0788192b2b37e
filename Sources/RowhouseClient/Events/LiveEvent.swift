/// An event of a list or an inventory.
public enum LiveEvent: Sendable, Hashable {
  /// Something changed, in one span of revisions.
  case change(LiveChange)
  /// Too much has changed, or too long ago: read everything again.
  case resync(revision: Int)
  /// The last event: the list was deleted or moved out of sight, the token was revoked or has expired, or the server
  /// now needs a token.
  case gone
}

/// A span of revisions.
public struct LiveChange: Codable, Sendable, Hashable {
  public var fromRevision: Int
  public var revision: Int
  /// The request that made the change; nil if there were several changes. A client recognizes its own changes by it.
  public var requestID: String?
  /// One for each changed list. A list's stream has only that list's.
  public var deltas: [Delta]
  /// The lists whose own fields or rows changed, or that came into or left the token's sight.
  public var lists: [Rowhouse.List.ID]
  /// The items that changed.
  public var items: [Item.ID]

  /// A span without changes.
  init(fromRevision: Int, revision: Int) {
    self.fromRevision = fromRevision
    self.revision = revision
    (deltas, lists, items) = ([], [], [])
  }

  private enum CodingKeys: String, CodingKey {
    case fromRevision, revision, deltas, lists, items
    case requestID = "requestId"
  }
}
