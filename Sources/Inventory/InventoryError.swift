/// Why the application refuses a read or a write; nothing has changed when one is thrown.
package enum InventoryError: Error, Sendable, Equatable {
  /// What an id was taken to name.
  package enum Subject: String, Sendable {
    case list, item, row, path, inventory, photo, change, token, navigator, tab, screen, snapshot
  }

  /// What is there now, for the holder of a stale validator.
  package enum Current: Sendable, Equatable {
    case list(List, delta: Delta)
    case item(Item)
    /// What counts versions of its own: a navigator, the appearance.
    case version(Int64)
    case inventory(InventoryDescription)
  }

  case notFound(Subject)
  /// The id names something in the trash, or below what was deleted: `top`.
  case inTrash(top: RowID)
  case invalid([FieldError])
  case preconditionFailed(Current)
  /// The write depends on no revision, and has to.
  case preconditionRequired
  /// A page was asked for at a revision that the list has left.
  case listMovedOn(Delta)

  /// The token that the caller has shown has been revoked since.
  case tokenRevoked
  /// The caller has shown no token, and the server has one since.
  case tokenMissing

  case listForbids(Permissions, ListID)
  /// The caller's role does not reach so far.
  case roleForbids(needed: Role)
  case cycle
  /// A list would come to stand below the lowest level on which the inventory lets them, counted from the caller's root.
  case tooDeep(limit: Int)
  case kindMismatch(list: ListID, accepts: AcceptedKind)
  case listNotEmpty(rowCount: Int)
  case rootList
  case contentsList(item: ItemID)
  case sentinelImmovable
  case sentinelUndeletable
  case sentinelLast(lastIndex: RowIndex)
  case anchorGone(RowID)
  /// The row is not where the caller took it to be; nil: it is not in this list any more.
  case rowMoved(RowID, now: RowIndex?)
  case idTaken(RowID)
  /// An id that a client chose for something new names what is in the trash, or below `top` there.
  case idInTrash(RowID, top: RowID)
  /// Not exactly the present members of a list; each kind of fault is cut at a hundred ids.
  case notThePresentRows(missing: [RowID], unknown: [RowID], duplicate: [RowID])
  case tooManyRows(limit: Int)
  /// An import or a table does more to lists that are there already than one change may.
  case tooMuchAtOnce(Excess)
  /// Not exactly the present photos of an item.
  case notThePresentPhotos(missing: [PhotoID], unknown: [PhotoID], duplicate: [PhotoID])
  case tooManyPhotos(limit: Int)
  case photoIDTaken(PhotoID)
  /// The key of a write names another one that came before.
  case idempotencyKeyReused
  case ambiguousPath(candidates: [PathStep])
  /// No screen more goes on the stack.
  case stackFull(limit: Int)
  /// Not exactly the present tabs of a navigator.
  case notThePresentTabs(missing: [TabID], unknown: [TabID], duplicate: [TabID])
  /// The caller has as many as one may have.
  case tooManyNavigators(limit: Int)
  /// What stands in the way of an undo, a row each, by their ids; at most a hundred.
  case undoConflict([UndoConflict])
  /// The change did something that has no inverse.
  case notUndoable(Revision)
  /// The log does not reach back so far, or the revision is yet to come.
  case historyGone(now: Revision)
  /// The list that something was deleted from is not there to take it back.
  case listGone(RowID)
  /// Lines of what is imported that do not fit, in order, at most `Limits.faultsTold`.
  case lineConflicts([LineConflict])
  /// Lines of what is imported that break rules, in order; of tables at most `Limits.faultsTold`.
  case invalidLines([FieldError])
  /// Another import is being staged.
  case importRunning
  /// The import was given up, or the server was started anew.
  case importGone

  /// More is waiting than the store takes in; to be tried again later.
  case overloaded
  /// What a long change was worked out from has changed each time before it was done; to be tried again later.
  case contended
  case shuttingDown
  case deadlineExceeded
  /// A bounded read has come upon more than it may touch; the session makes a long one of it.
  case boundExceeded
  case storageFull
  /// The process has no file descriptor left; to be tried again later. The text is for the log.
  case outOfDescriptors(String)
  /// The medium failed while a change was made durable: it may be there after a restart, or not.
  case outcomeUnknown
  /// The store broke one of its own rules or its medium failed; the text is for the log.
  case storageFailed(String)
  /// What the store has kept is broken; the text is for the log.
  case storageDamaged(String)
}
