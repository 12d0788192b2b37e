/// What becomes of what is there when an export is brought back.
public enum ImportMode: Sendable, Hashable {
  /// What has an id that is there is changed in place, the rest is made, in the inventory or below a list.
  case merge(into: Rowhouse.List.ID? = nil)
  /// The inventory is what was exported, and nothing else.
  case replace
}

/// What an import did, or would do.
public struct ImportReport: Codable, Sendable, Hashable {
  /// The inventory's.
  public var revision: Int
  /// How many came.
  public var lists: Int
  public var items: Int
  public var photos: Int
  /// How many lists and items were made, and how many were there and changed.
  public var created: Int
  public var updated: Int
  /// Whether it was a rehearsal, which changes nothing.
  public var dryRun: Bool
  /// Nil for a rehearsal.
  public var receipt: Receipt?
}

/// What a table did to a list, or would do.
public struct TableReport: Codable, Sendable, Hashable {
  /// The inventory's.
  public var revision: Int
  /// How many came.
  public var items: Int
  /// How many were made, and how many were there and changed.
  public var created: Int
  public var updated: Int
  /// Whether it was a rehearsal, which changes nothing.
  public var dryRun: Bool
  /// Nil for a rehearsal.
  public var receipt: Receipt?
}
