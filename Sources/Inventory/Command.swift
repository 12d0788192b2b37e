/// A list to be made.
package struct NewList: Sendable {
  package var id: ListID
  package var parent: ListReference
  package var details: ListDetails
  package var position: Position

  package init(
    id: ListID, parent: ListReference, details: ListDetails, position: Position = .last
  ) {
    self.id = id
    self.parent = parent
    self.details = details
    self.position = position
  }
}

/// An item to be made.
package struct NewItem: Sendable {
  package var id: ItemID
  package var details: ItemDetails
  /// Nil: the time of the change.
  package var createdAt: Timestamp?
  /// Nil: the time of the change.
  package var updatedAt: Timestamp?

  package init(
    id: ItemID, details: ItemDetails, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil
  ) {
    self.updatedAt = updatedAt
    self.id = id
    self.details = details
    self.createdAt = createdAt
  }
}

/// A new order for the rows of a list.
package enum NewOrder: Sendable {
  /// Every row's id, once.
  case ids([RowID])
  case sorted(SortOrder)
}

/// Which of two kinds of row an id must name.
package enum RowKind: Sendable {
  case any, list, item

  package func includes(isList: Bool) -> Bool {
    switch self {
    case .any: true
    case .list: isList
    case .item: !isList
    }
  }
}

/// A write; each is one change, whole or not at all.
package enum Command: Sendable {
  case createList(NewList)
  /// `edit` gets the details as they are when the change is made and returns them as they are to be.
  case editList(ListReference, edit: @Sendable (ListDetails) throws(InventoryError) -> ListDetails)
  case createItem(NewItem, in: ListReference, Position)
  /// Puts items at the end of a list, in order, as one change; at most `Limits.rowsInOneChange`.
  case appendItems([NewItem], to: ListReference)
  case editItem(ItemID, edit: @Sendable (ItemDetails) throws(InventoryError) -> ItemDetails)
  /// Makes an item's contents list, titled as the item is, or finds the one it has.
  case makeContents(of: ItemID, id: ListID)
  /// Takes the row at `from` out and puts it in at `to`, counted after the taking out.
  case moveRow(in: ListReference, from: Int, to: Int, expecting: RowID?)
  /// Moves a row within its list or, when `list` is given, into another.
  case relocate(RowID, into: ListReference?, Position)
  /// Takes rows from wherever they are into one list, in the order given; at most `Limits.rowsMovedAtOnce`.
  case moveRows([RowID], into: ListReference, Position)
  case reorder(ListReference, NewOrder)
  case deleteRow(RowID, kind: RowKind, isRecursive: Bool)
  /// Deletes what stands at an index; `expecting` must be it, if given.
  case deleteRowAt(ListReference, index: Int, expecting: RowID?, isRecursive: Bool)
  /// Makes staged bytes the last of an item's photos.
  case addPhoto(NewPhoto, to: ItemID)
  case deletePhoto(PhotoID, of: ItemID)
  /// Every photo's id, once.
  case reorderPhotos(of: ItemID, [PhotoID])

  // What follows is no change of rows: it takes no revision and stays out of the log. `IfMatch` is
  // compared with the version of what is changed. Navigators belong to the caller that makes them.

  /// `make` sees the inventory as the navigator is made.
  case makeNavigator(
    NavigatorID, make: @Sendable (any Snapshot) throws(InventoryError) -> NavigatorEdit)
  /// `edit` gets the details as they are when the change is made.
  case editNavigator(
    NavigatorID,
    edit: @Sendable (NavigatorDetails, any Snapshot) throws(InventoryError) -> NavigatorEdit)
  case deleteNavigator(NavigatorID)
  case setAppearance(Appearance)
  /// Takes no revision either. `edit` gets the inventory as it is and returns its details as they are to be.
  ///
  /// - Throws: `notFound(.inventory)` to a caller who sees a part of it only.
  case editInventory(
    edit: @Sendable (InventoryDescription) throws(InventoryError) -> InventoryDetails)
  /// Makes the inverse of a change of rows, as a change of its own.
  case undo(Revision)
  /// Puts back what was deleted: where it was, by its neighbours then, or where it is told to go.
  case restore(RowID, into: ListReference?, Position?)
  /// Gives up what was deleted, with all below it; no list changes, so it takes no revision.
  case purge(RowID)
  /// Updates what is there by id and makes the rest at the end of its list, or of its item's photos, in
  /// order; at most `Limits.rowsInOneChange`. A photo's bytes never change, so one that is there stays as
  /// it is, and one that its item had before comes back. An unknown top becomes a row of the list, below which all must be then.
  ///
  /// - Throws: `importGone` where a photo came without bytes and there are none of it.
  case merge([NumberedRecord], into: ListReference)
  /// Makes or changes items of one list, new ones at its end; at most `Limits.rowsInOneChange`.
  ///
  /// With `rooms` in any of them, items are looked for in the lists below it too. One that exists stays in its list.
  case upsertItems([ItemUpsert], in: ListReference)
  /// Takes in the next records of a tree out of sight; the first is its top. No change, no revision.
  case stage(ImportID, ImportTarget, [NumberedRecord])
  /// Puts a staged tree where it is to be. Replacing an inventory raises its revision by
  /// `Revision.replacementGap` and drops the history before.
  case finishImport(ImportID)
  /// Gives up a staged tree; nothing happens where there is none.
  case abandonImport(ImportID)
  /// At most `Limits.operationsInBatch`.
  case batch(ListReference, Batch)
  /// Nothing but the answer that is kept for the context's `retry`; the outcome has none if there is none.
  case recall
}

extension Command {
  package var isRecall: Bool { if case .recall = self { true } else { false } }
}

/// The validators that a write may depend on; compared with the revision of what it names.
package enum IfMatch: Sendable, Equatable {
  case any
  case revisions([Revision])

  package func matches(_ revision: Revision) -> Bool {
    switch self {
    case .any: true
    case .revisions(let revisions): revisions.contains(revision)
    }
  }

  /// Those that it names.
  fileprivate var revisions: [Revision] {
    switch self {
    case .any: []
    case .revisions(let revisions): revisions
    }
  }
}

/// Who writes, and on what conditions.
package struct WriteContext: Sendable {
  package var caller: Caller
  package var requestID: String
  /// For a command that names a list by reference: that list's revision; else the item's or list's own.
  package var ifMatch: IfMatch?
  /// Of the same: the write is refused where this matches.
  package var ifNoneMatch: IfMatch?
  /// Refuse the write where it has no `ifMatch`.
  package var demandsIfMatch: Bool
  /// Refuse an index past the last place instead of retargeting it.
  package var isStrict: Bool
  /// Make the change, answer what it comes to, and take it back.
  package var isDryRun = false
  /// Nil: the write is made each time that it is sent.
  package var retry: IdempotentRequest?

  package init(
    caller: Caller, requestID: String, ifMatch: IfMatch? = nil, ifNoneMatch: IfMatch? = nil,
    demandsIfMatch: Bool = false, isStrict: Bool = false, retry: IdempotentRequest? = nil
  ) {
    self.caller = caller
    self.requestID = requestID
    self.ifMatch = ifMatch
    self.ifNoneMatch = ifNoneMatch
    self.demandsIfMatch = demandsIfMatch
    self.isStrict = isStrict
    self.retry = retry
  }

  /// Whether it depends on a revision at all.
  package var isConditional: Bool { ifMatch != nil || ifNoneMatch != nil || demandsIfMatch }

  /// Whether a condition is missing that it has to have.
  package var lacksIfMatch: Bool { demandsIfMatch && ifMatch == nil }

  /// Whether the conditions let what is at this revision be changed.
  package func allows(_ revision: Revision) -> Bool {
    ifMatch?.matches(revision) != false && ifNoneMatch?.matches(revision) != true
  }

  /// The first of the revisions that the conditions name, which the client knows; nil where they name none.
  package var knownRevision: Revision? {
    ((ifMatch?.revisions ?? []) + (ifNoneMatch?.revisions ?? [])).min()
  }
}
