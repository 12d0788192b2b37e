/// The answer to a change of order or membership.
package struct Receipt: Sendable, Equatable {
  /// The change's; for a no-op the inventory's, as it was.
  package var revision: Revision
  package var isChanged: Bool
  /// One for each list that the change touched.
  package var deltas: [Delta]
  /// A place past the last one was taken for the last one.
  package var isRetargeted: Bool
  /// Whether the change has an inverse; whether that can be made just now is another matter.
  package var isUndoable: Bool

  package init(
    revision: Revision, isChanged: Bool, deltas: [Delta] = [], isRetargeted: Bool = false,
    isUndoable: Bool = false
  ) {
    self.revision = revision
    self.isChanged = isChanged
    self.deltas = deltas
    self.isRetargeted = isRetargeted
    self.isUndoable = isUndoable
  }
}

/// What a write comes to.
package struct Outcome: Sendable, Equatable {
  /// The list, item or photo that a write made or changed, as the write left it.
  package enum Resource: Sendable, Equatable {
    /// `index` is nil for lists that are no rows.
    case list(List, index: RowIndex?)
    case item(Item, index: RowIndex)
    /// `index` is its place among the item's photos.
    case photo(Photo, of: ItemID, index: Int)
    case navigator(Navigator, NavigatorEdit)
    case appearance(VersionedAppearance)
    case inventory(InventoryDescription)
  }

  package var receipt: Receipt
  package var resource: Resource?
  /// Whether the resource was made by this write, and not found to be there already.
  package var isCreated: Bool
  /// A batch's.
  package var results: BatchResults?
  /// Of a write with a key. If it is replayed, it alone is the answer, and the rest says nothing.
  package var kept: StoredResponse?
  /// Of a transfer.
  package var counts: TransferCounts?

  package init(
    receipt: Receipt, resource: Resource? = nil, isCreated: Bool = false,
    results: BatchResults? = nil, kept: StoredResponse? = nil,
    counts: TransferCounts? = nil
  ) {
    self.receipt = receipt
    self.resource = resource
    self.isCreated = isCreated
    self.counts = counts
    self.results = results
    self.kept = kept
  }
}
