/// A list to create.
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

/// An item to create.
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
  /// The ids of all rows, each once.
  case ids([RowID])
  case sorted(SortOrder)
}

/// The kind of row that an id must name.
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

/// A write. Each write is one change, made whole or not at all.
package enum Command: Sendable {
  case createList(NewList)
  /// `edit` receives the details at the time of the change, and returns the new ones.
  case editList(ListReference, edit: @Sendable (ListDetails) throws(InventoryError) -> ListDetails)
  case createItem(NewItem, in: ListReference, Position)
  /// Adds items at the end of a list, in order, as one change. At most `Limits.rowsInOneChange`.
  case appendItems([NewItem], to: ListReference)
  case editItem(ItemID, edit: @Sendable (ItemDetails) throws(InventoryError) -> ItemDetails)
  /// Creates an item's contents list, titled like the item, or finds the existing one.
  case makeContents(of: ItemID, id: ListID)
  /// Moves the row at `from` to `to`, which counts after the removal.
  case moveRow(in: ListReference, from: Int, to: Int, expecting: RowID?)
  /// Moves a row within its list or, if `list` is given, into another one.
  case relocate(RowID, into: ListReference?, Position)
  /// Moves rows from any lists into one list, in the given order. At most `Limits.rowsMovedAtOnce`.
  case moveRows([RowID], into: ListReference, Position)
  case reorder(ListReference, NewOrder)
  case deleteRow(RowID, kind: RowKind, isRecursive: Bool)
  /// Deletes the row at an index. If `expecting` is given, the row must have this id.
  case deleteRowAt(ListReference, index: Int, expecting: RowID?, isRecursive: Bool)
  /// Adds a photo with staged bytes after an item's other photos.
  case addPhoto(NewPhoto, to: ItemID)
  case deletePhoto(PhotoID, of: ItemID)
  /// Adds a rendition of an item's photo. It is no change of the inventory: it has no revision and no undo.
  case addRendition(NewRendition, of: PhotoID, in: ItemID)
  /// The ids of all photos, each once.
  case reorderPhotos(of: ItemID, [PhotoID])

  // The next five cases do not change rows. They take no revision and are not logged. `IfMatch` is compared with the
  // version of the changed resource. A navigator belongs to the caller that creates it.

  /// `make` reads the inventory at the time of the creation, as the caller of the command may see it.
  case makeNavigator(
    NavigatorID, make: @Sendable (any Snapshot) throws(InventoryError) -> NavigatorEdit)
  /// `edit` receives the details at the time of the change.
  case editNavigator(
    NavigatorID,
    edit: @Sendable (NavigatorDetails, any Snapshot) throws(InventoryError) -> NavigatorEdit)
  case deleteNavigator(NavigatorID)
  case setAppearance(Appearance)
  /// `edit` receives the present inventory and returns its new depth limit. Takes no revision.
  ///
  /// - Throws: `notFound(.inventory)` to a caller who sees only a part of the inventory.
  case editInventory(
    edit: @Sendable (InventoryDescription) throws(InventoryError) -> DepthLimit?)
  /// Makes the inverse of a change of rows, as a change of its own.
  case undo(Revision)
  /// Restores a deleted row: to the given place, or beside its old neighbours.
  case restore(RowID, into: ListReference?, Position?)
  /// Purges a deleted row with everything below it. No list changes, so it takes no revision.
  case purge(RowID)
  /// Updates existing rows by id, and adds the others at the end of their list, or of their item's photos, in order. At
  /// most `Limits.rowsInOneChange`. An existing photo stays as it is, and one removed from its item comes back. A new
  /// top record becomes a row of the list, and then all records must be below it.
  ///
  /// - Throws: `importGone` if a photo has no bytes here or in the store.
  case merge([NumberedRecord], into: ListReference)
  /// Creates or changes items of one list, with new ones at its end. At most `Limits.rowsInOneChange`.
  ///
  /// If any of them has `rooms`, items are also looked up in all lists below the list. An existing item stays in its
  /// list.
  case upsertItems([ItemUpsert], in: ListReference)
  /// Stages the next records of an import. The first one is its top. Takes no revision.
  case stage(ImportID, ImportTarget, [NumberedRecord])
  /// Puts a staged import in place. Replacing an inventory raises its revision by
  /// `Revision.replacementGap` and drops the older history. It also sets the appearance, unless that is nil.
  case finishImport(ImportID, Appearance? = nil)
  /// Discards a staged import, if it exists.
  case abandonImport(ImportID)
  /// At most `Limits.operationsInBatch`.
  case batch(ListReference, Batch)
  /// Returns only the response stored for the context's `retry`, if there is one.
  case recall
}

extension Command {
  package var isRecall: Bool { if case .recall = self { true } else { false } }
}

/// The validators of a conditional write. They are compared with the revision of the resource that the write names.
package enum IfMatch: Sendable, Equatable {
  case any
  case revisions([Revision])

  package func matches(_ revision: Revision) -> Bool {
    switch self {
    case .any: true
    case .revisions(let revisions): revisions.contains(revision)
    }
  }

  /// The named revisions.
  fileprivate var revisions: [Revision] {
    switch self {
    case .any: []
    case .revisions(let revisions): revisions
    }
  }
}

/// The caller of a write, and its conditions.
package struct WriteContext: Sendable {
  package var caller: Caller
  package var requestID: String
  /// Compared with the revision of the list that the command names as a `ListReference`. For `relocate`, and for
  /// commands without a `ListReference`, compared with the revision of the item or list that they change.
  package var ifMatch: IfMatch?
  /// Compared with the same revision as `ifMatch`. The write is refused if one of these revisions matches.
  package var ifNoneMatch: IfMatch?
  /// Refuses the write if it has no `ifMatch`.
  package var demandsIfMatch: Bool
  /// Refuses an index past the last place instead of retargeting it.
  package var isStrict: Bool
  /// Makes the change, answers its result, and rolls it back.
  package var isDryRun = false
  /// Nil: the write is made every time that it is sent.
  package var retry: IdempotentRequest?
  /// The number of an offline client's write. Nil for other writes.
  package var sync: SyncStep?
  /// The size of the request's body, in bytes.
  package var bodySize: Int
  /// Whether the client has disconnected. Long preparations then end, and nothing is changed.
  package var isGone: @Sendable () -> Bool = { false }

  package init(
    caller: Caller, requestID: String, ifMatch: IfMatch? = nil, ifNoneMatch: IfMatch? = nil,
    demandsIfMatch: Bool = false, isStrict: Bool = false, retry: IdempotentRequest? = nil,
    bodySize: Int = 0
  ) {
    self.caller = caller
    self.requestID = requestID
    self.ifMatch = ifMatch
    self.ifNoneMatch = ifNoneMatch
    self.demandsIfMatch = demandsIfMatch
    self.isStrict = isStrict
    self.retry = retry
    self.bodySize = bodySize
  }

  /// Whether the write depends on a revision.
  package var isConditional: Bool { ifMatch != nil || ifNoneMatch != nil || demandsIfMatch }

  /// Whether a required `ifMatch` is missing.
  package var lacksIfMatch: Bool { demandsIfMatch && ifMatch == nil }

  /// Whether the conditions allow a change of a resource at this revision.
  package func allows(_ revision: Revision) -> Bool {
    ifMatch?.matches(revision) != false && ifNoneMatch?.matches(revision) != true
  }

  /// The lowest revision that the conditions name, which the client knows; nil if they name none.
  package var knownRevision: Revision? {
    ((ifMatch?.revisions ?? []) + (ifNoneMatch?.revisions ?? [])).min()
  }
}
