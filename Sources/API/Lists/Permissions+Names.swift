import Inventory

extension Permissions {
  /// Each permission with its name in JSON, in the order of the resource's members.
  static let named: [(name: String, permission: Permissions)] = [
    ("add", .add), ("edit", .edit), ("move", .move), ("delete", .delete),
  ]
}
