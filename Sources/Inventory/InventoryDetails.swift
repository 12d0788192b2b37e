/// The settings of a whole inventory, which its owner can change.
package struct InventoryDetails: Sendable, Hashable {
  /// Nil: only the server's limit applies.
  package var depthLimit: DepthLimit?

  package init(depthLimit: DepthLimit? = nil) { self.depthLimit = depthLimit }
}
