/// The options that several commands share.
extension Option {
  static let database = Option(
    "db", .path("PATH"),
    standard: .found("$XDG_DATA_HOME/rowhouse/rowhouse.sqlite") { DataFolder.standardDatabase },
    "The database file.")
  static let create = Option("create", .onOff, "Make the database if it does not exist.")
  static let config = Option(
    "config", .path("FILE"), "A settings file with one name = value per line.")
  static let inventory = Option(
    "inventory", .text("ID"), standard: .described("the first one"), "The inventory's id.")
  /// For commands that would ignore the other inventories, or change the wrong one.
  static let onlyInventory = Option(
    "inventory", .text("ID"), standard: .described("the only one"),
    "The inventory's id. Required if the database has several.")
}
