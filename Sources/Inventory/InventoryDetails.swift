/// What an owner sets for an inventory as a whole.
package struct InventoryDetails: Sendable, Hashable {
  /// Nil: lists nest to any depth.
  package var depthLimit: DepthLimit?

  package init(depthLimit: DepthLimit? = nil) { self.depthLimit = depthLimit }
}
