/// The effect of an import on existing rows.
public enum ImportMode: Sendable, Hashable {
  /// Updates rows with known ids, and creates the others in the inventory or below a list.
  case merge(into: Rowhouse.List.ID? = nil)
  /// Replaces the whole inventory.
  case replace
}

/// The treatment of a table's unknown columns.
public enum UnknownColumns: String, Sendable, Hashable {
  /// The table is refused.
  case refuse
  /// The unknown columns become custom fields.
  case fields
}

/// The treatment of a table's column of locations.
public enum TableLocations: String, Sendable, Hashable {
  /// The column becomes a custom field, like other unknown columns.
  case fields
  /// The column's values are titles of lists below the list, which are found or created. ` / ` separates nested lists.
  case rooms
}

/// The result of an import or of its dry run.
public struct ImportReport: Codable, Sendable, Hashable {
  /// The inventory's revision after the change. For a dry run, the one that it would get.
  public var revision: Int
  /// The numbers of imported lists, items and photos.
  public var lists: Int
  public var items: Int
  public var photos: Int
  /// The numbers of lists and items that were created, and of existing ones that were changed.
  public var created: Int
  public var updated: Int
  /// Whether it was a dry run, which changes nothing.
  public var dryRun: Bool
  /// Nil for a dry run.
  public var receipt: Receipt?
}

/// The result of a table's import or of its dry run.
public struct TableReport: Codable, Sendable, Hashable {
  /// The inventory's revision after the change. For a dry run, the one that it would get.
  public var revision: Int
  /// The number of imported items.
  public var items: Int
  /// The encoding in which the table was read, such as `utf-8`; nil from an older server.
  public var charset: String?
  /// The custom fields that columns without a known name become; nil from an older server.
  public var fields: [String]?
  /// The numbers of items that were created, and of existing ones that were changed.
  public var created: Int
  public var updated: Int
  /// Whether it was a dry run, which changes nothing.
  public var dryRun: Bool
  /// Nil for a dry run.
  public var receipt: Receipt?
}
