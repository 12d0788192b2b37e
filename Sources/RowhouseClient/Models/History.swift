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
  /// The rows that came, went or moved, and the lists and items that were edited or put in order, as they are
  /// called now; at most ten.
  public var subjects: [Place.Step]
  /// The path that undoes it, while that is possible.
  public var undo: String?

  private enum CodingKeys: String, CodingKey {
    case revision, at, actor, action, lists, subjects, undo
    case requestID = "requestId"
  }
}

/// A page of the log of changes.
public struct ChangeLog: Codable, Sendable, Hashable {
  /// How many changes there are; nil where a token for one list has more of the log to look through.
  public var count: Int?
  /// Newest first; a page can hold none although more follow.
  public var changes: [Change]
  /// The next page holds changes before this revision; nil: this is the last page.
  public var nextBefore: Int?
}

/// A row in the trash.
public struct TrashedRow: Codable, Sendable, Hashable, Identifiable {
  public var id: Row.ID
  public var type: Place.Step.Kind
  public var title: String
  /// Where it was.
  public var listID: Rowhouse.List.ID?
  public var index: Int
  public var revision: Int
  public var deletedAt: Date
  public var deletedBy: String?
  /// When it goes for good; nil: never.
  public var purgeAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, type, title, index, revision, deletedAt, deletedBy, purgeAt
    case listID = "listId"
  }
}
