import Inventory

extension Caller {
  /// The holder of a token, or a caller who is always let in.
  package init(
    inventory: InventoryID? = nil, root: ListID? = nil, role: Role, name: String,
    token: TokenID? = nil
  ) {
    self.init(
      inventory: inventory, root: root, role: role, name: name,
      grant: token.map { .token($0) } ?? .unconditional)
  }
}
