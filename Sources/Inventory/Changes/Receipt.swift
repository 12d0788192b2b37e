/// What a write changed: its revision, and a delta of each list.
package struct Receipt: Sendable, Equatable {
  /// The revision of the change; for a no-op the inventory's present one.
  package var revision: Revision
  package var isChanged: Bool
  /// One for each list that the change touched.
  package var deltas: [Delta]
  /// Whether a place past the last one was replaced by the last one, or an alternative position was used.
  package var isRetargeted: Bool
  /// The alternative position that was used, if any.
  package var alternative: Position?
  /// Whether the change has an inverse. The undo may still be refused.
  package var isUndoable: Bool

  package init(
    revision: Revision, isChanged: Bool, deltas: [Delta] = [], landing: Landing? = nil,
    isUndoable: Bool = false
  ) {
    self.revision = revision
    self.isChanged = isChanged
    self.deltas = deltas
    isRetargeted = landing?.isRetargeted ?? false
    alternative = landing?.alternative
    self.isUndoable = isUndoable
  }
}

/// The result of a write.
package struct Outcome: Sendable, Equatable {
  /// What a write created or changed, as the write left it.
  package enum Resource: Sendable, Equatable {
    /// `index` is nil for lists that are not rows.
    case list(List, index: RowIndex?)
    case item(Item, index: RowIndex)
    /// `index` counts among the item's photos.
    case photo(Photo, of: ItemID, index: Int)
    case navigator(Navigator, NavigatorEdit)
    case appearance(VersionedAppearance)
    case inventory(InventoryDescription)
  }

  package var receipt: Receipt
  package var resource: Resource?
  /// Whether this write created the resource, rather than finding it.
  package var isCreated: Bool
  /// The results of a batch.
  package var results: BatchResults?
  /// The stored response of a write with a key, or the stored result of an offline client's write. If it is replayed,
  /// ignore the other members.
  package var kept: StoredResponse?
  /// The counts of a transfer.
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
