/// A reason for refusing a read or a write. A refused write has changed nothing.
package enum InventoryError: Error, Sendable, Equatable {
  /// The kind of thing that an id was expected to name.
  package enum Subject: String, Sendable {
    case list, item, row, path, inventory, photo, change, token, invitation, navigator, tab, screen
    case snapshot
  }

  /// The present state, for a client that sent a stale entity tag.
  package enum Current: Sendable, Equatable {
    case list(List, delta: Delta)
    case item(Item)
    /// The version of a navigator or the appearance, which count their own versions.
    case version(Int64)
    case inventory(InventoryDescription)
  }

  case notFound(Subject)
  /// The id names a row in the trash, or below the deleted row `top`.
  case inTrash(top: RowID)
  case invalid([FieldError])
  case preconditionFailed(Current)
  /// The write needs a condition and has none.
  case preconditionRequired
  /// The list has changed since the revision at which a page was requested, or that revision is in the future.
  case listMovedOn(Delta)

  /// The caller's token has been revoked or has expired.
  case tokenRevoked
  /// The caller has no token, and the server now has tokens.
  case tokenMissing
  /// The invitation is unknown, used or expired, or its maker's rights are gone.
  case invitationInvalid
  /// The server has no tokens, so an invitation would lock out everyone but the invited person.
  case serverOpen

  case listForbids(Permissions, ListID)
  /// The caller's role is too low.
  case roleForbids(needed: Role)
  /// The caller sees only one list.
  case needsWholeInventory
  case cycle
  /// A list would be below the lowest permitted level, counted from the caller's root.
  case tooDeep(limit: Int)
  case kindMismatch(list: ListID, accepts: AcceptedKind)
  case listNotEmpty(rowCount: Int)
  case rootList
  case contentsList(item: ItemID)
  case sentinelImmovable
  case sentinelUndeletable
  case sentinelLast(lastIndex: RowIndex)
  case anchorGone(RowID)
  /// The row is not at the index where the caller expected it. `now` is its present index; nil if it is not in the
  /// list.
  case rowMoved(RowID, now: RowIndex?)
  case idTaken(RowID)
  /// The id that a client chose is the id of a row in the trash, or below `top` there.
  case idInTrash(RowID, top: RowID)
  /// The ids are not exactly the list's rows. Each kind of error has at most `Limits.rowsNamedInRefusal` ids. `missing`
  /// is empty if there were far too many ids.
  case notThePresentRows(missing: [RowID], unknown: [RowID], duplicate: [RowID])
  case tooManyRows(limit: Int)
  /// An import or a table changes more in existing lists than one change may.
  case tooMuchAtOnce(Excess)
  /// The ids are not exactly the item's photos.
  case notThePresentPhotos(missing: [PhotoID], unknown: [PhotoID], duplicate: [PhotoID])
  case tooManyPhotos(limit: Int)
  case photoIDTaken(PhotoID)
  /// The photo already has another rendition of this size.
  case renditionTaken(RenditionSize)
  /// The idempotency key was used by another request before.
  case idempotencyKeyReused
  case ambiguousPath(candidates: [PathStep])
  /// The stack has as many screens as it may have.
  case stackFull(limit: Int)
  /// The ids are not exactly the navigator's tabs.
  case notThePresentTabs(missing: [TabID], unknown: [TabID], duplicate: [TabID])
  /// The caller has as many navigators as it may have.
  case tooManyNavigators(limit: Int)
  /// An offline client's number leaves a gap, or another write has used it. `last` is the number of the client's last
  /// write; 0 if the client is unknown.
  case sequenceGap(last: Int64)
  /// The caller has as many offline clients as it may have.
  case tooManySyncClients(limit: Int)
  /// The rows and reordered lists that conflict with an undo, by id; at most a hundred.
  case undoConflict([UndoConflict])
  /// The change has no inverse.
  case notUndoable(Revision)
  /// The log does not reach back to the revision, or the revision is in the future.
  case historyGone(now: Revision)
  /// The list that a row was deleted from is gone, so it cannot return there.
  case listGone(RowID)
  /// Lines of an import that conflict, in order, at most `Limits.reportedErrors`.
  case lineConflicts([LineConflict])
  /// Lines of an import that break rules, in order; of tables at most `Limits.reportedErrors`.
  case invalidLines([FieldError])
  /// Too many imports are being staged or are waiting.
  case importRunning
  /// An import that is running has a row with this id. It may be refused.
  case idArriving(RowID)
  /// The import was abandoned, the server was restarted, or another import has replaced the inventory.
  case importGone

  /// The queue of the store is full. Try again later.
  case overloaded
  /// The data that a long change depends on changed during each attempt. Try again later.
  case contended
  case shuttingDown
  case deadlineExceeded
  /// A bounded read exceeded its bound. The session runs it again as a long read.
  case boundExceeded
  case storageFull
  /// The process has no free file descriptor. Try again later. The text is for the log.
  case outOfDescriptors(String)
  /// The database server cannot be reached, or another program has locked the file. The text is for the log.
  case storeUnavailable(String)
  /// The medium failed during a commit. The change may or may not be there after a restart.
  case outcomeUnknown
  /// The store broke one of its own rules, or its medium failed. The text is for the log.
  case storageFailed(String)
  /// The stored data are damaged. The text is for the log.
  case storageDamaged(String)
}

extension InventoryError {
  /// Whether the error is about the server or the caller's token, and not about the write. The same write may succeed
  /// later.
  package var isTransient: Bool {
    switch self {
    case .overloaded, .contended, .shuttingDown, .deadlineExceeded, .boundExceeded, .storageFull,
      .outOfDescriptors, .storeUnavailable, .outcomeUnknown, .storageFailed, .storageDamaged,
      .tokenRevoked, .tokenMissing, .idArriving:
      true
    default: false
    }
  }
}
