/// What happens to a list, or to an inventory, while it happens.
public enum LiveEvent: Sendable, Hashable {
  /// Something changed, in one span of revisions.
  case change(LiveChange)
  /// So much has changed, or so long ago, that everything is to be fetched anew.
  case resync(revision: Int)
  /// The list has been deleted, or the token no longer sees it: the last event.
  case gone
}

/// A span of revisions.
public struct LiveChange: Codable, Sendable, Hashable {
  public var fromRevision: Int
  public var revision: Int
  /// The request that made the change, where it was one: a client knows its own by it.
  public var requestID: String?
  /// One for each list that changed; on a list's stream that list's alone.
  public var deltas: [Delta]
  /// The lists whose own fields or rows changed.
  public var lists: [Rowhouse.List.ID]
  /// The items that changed.
  public var items: [Item.ID]

  private enum CodingKeys: String, CodingKey {
    case fromRevision, revision, deltas, lists, items
    case requestID = "requestId"
  }
}
