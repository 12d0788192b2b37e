/// What becomes of what is there when an export is brought back.
public enum ImportMode: Sendable, Hashable {
  /// What has an id that is there is changed in place, the rest is made, in the inventory or below a list.
  case merge(into: Rowhouse.List.ID? = nil)
  /// The inventory is what was exported, and nothing else.
  case replace
}

/// What becomes of a table's columns that the server does not know.
public enum UnknownColumns: String, Sendable, Hashable {
  /// The table is refused.
  case refuse
  /// They become custom fields.
  case fields
}

/// What becomes of a table's column of locations.
public enum TableLocations: String, Sendable, Hashable {
  /// They become a custom field, like other columns that have no place.
  case fields
  /// They are the titles of lists below the list, which are found or made. ` / ` stands between lists inside one
  /// another.
  case rooms
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
  /// The encoding that the table was read in, such as `utf-8`; nil from a server that does not tell.
  public var charset: String?
  /// How many were made, and how many were there and changed.
  public var created: Int
  public var updated: Int
  /// Whether it was a rehearsal, which changes nothing.
  public var dryRun: Bool
  /// Nil for a rehearsal.
  public var receipt: Receipt?
}
