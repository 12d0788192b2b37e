import Foundation

/// A change in the inventory's log.
public struct Change: Codable, Sendable, Hashable, Identifiable {
  public var id: Int { revision }
  public var revision: Int
  public var at: Date
  /// The name of the token that made it.
  public var actor: String?
  public var requestID: String?
  public var action: String
  public var lists: [Rowhouse.List.ID]
  /// The rows that were added, removed or moved, and the lists and items that were edited or reordered, with their
  /// present titles; at most ten.
  public var subjects: [Place.Step]
  /// The path that undoes it, if it has an inverse.
  public var undo: String?

  private enum CodingKeys: String, CodingKey {
    case revision, at, actor, action, lists, subjects, undo
    case requestID = "requestId"
  }
}

/// A page of the log of changes.
public struct ChangeLog: Codable, Sendable, Hashable {
  /// The number of changes; nil if the token is for one list and the server has not searched the whole log.
  public var count: Int?
  /// Newest first. A page can be empty although more follow.
  public var changes: [Change]
  /// The revision before which the next page starts; nil for the last page.
  public var nextBefore: Int?
}

/// A row in the trash.
public struct TrashedRow: Codable, Sendable, Hashable, Identifiable {
  public var id: Row.ID
  public var type: Place.Step.Kind
  public var title: String
  /// The list that it was in; nil if that list was purged.
  public var listID: Rowhouse.List.ID?
  public var index: Int
  public var revision: Int
  public var deletedAt: Date
  public var deletedBy: String?
  /// The time of the purge; nil: never.
  public var purgeAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, type, title, index, revision, deletedAt, deletedBy, purgeAt
    case listID = "listId"
  }
}
