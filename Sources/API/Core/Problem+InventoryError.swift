import Inventory

extension Problem {
  /// The problem that describes an error of the application.
  init(_ error: InventoryError) {
    switch error {
    case .notFound(let subject):
      self.init(.notFound, "There is no such \(subject.rawValue).")
    case .inTrash(let top):
      self.init(.inTrash, "It is in the trash. Restore it first.", extensions: [.trashID(top)])
    case .invalid(let fieldErrors):
      self = .invalid(fieldErrors)
    case .preconditionFailed(.list(let list, let delta)):
      self.init(
        .preconditionFailed, "The list is now at revision \(list.revision).",
        extensions: [.delta(delta)])
    case .preconditionFailed(.item(let item)):
      self.init(
        .preconditionFailed, "The item is now at revision \(item.revision).",
        extensions: [.current(item)])
    case .preconditionFailed(.version(let version)):
      self.init(
        .preconditionFailed, "It is now at version \(version).",
        extensions: [.version(version)])
    case .preconditionFailed(.inventory(let inventory)):
      self.init(
        .preconditionFailed, "The inventory is now at revision \(inventory.revision).",
        extensions: [.inventory(inventory)])
    case .preconditionRequired:
      self.init(
        .preconditionRequired,
        "Another row may be at this index now. Send If-Match, or name rows by id.")
    case .listMovedOn(let delta):
      self.init(
        .listMovedOn, "The list is now at revision \(delta.toRevision).",
        extensions: [.delta(delta)])

    case .tokenRevoked: self = .badToken
    case .tokenMissing: self = .missingToken
    case .invitationInvalid: self = .badInvitation
    case .serverOpen:
      self.init(
        .serverOpen, "Create an owner's token first: an invitation would lock out everyone else.")
    case .listForbids(let permissions, let list):
      let names = Permissions.named.filter { permissions.contains($0.permission) }.map(\.name)
      self.init(
        .listForbids, "The list \(list) does not permit: \(names.joined(separator: ", ")).",
        extensions: [.list(list)])
    case .roleForbids(let needed):
      self.init(.roleForbids, "This needs the role \(needed) or higher.")
    case .needsWholeInventory:
      self.init(.roleForbids, "This needs a token for the whole inventory.")
    case .cycle:
      self.init(.cycle, "It would end up inside itself.")
    case .tooDeep(let limit):
      self.init(
        .tooDeep, "Lists nest down to level \(limit) here. The root list is level 1.",
        extensions: [.limit(limit)])
    case .kindMismatch(let list, let accepts):
      self.init(
        .kindMismatch, "The list \(list) takes only items of kind \(accepts.rawValue).",
        extensions: [.list(list)])
    case .listNotEmpty(let rowCount):
      self.init(
        .listNotEmpty,
        "The list has \(rowCount == 1 ? "one row" : "\(rowCount) rows"). "
          + "Send recursive=true to delete it with everything in it.",
        extensions: [.count(rowCount)])
    case .rootList:
      self.init(.rootList, "The root list can't be moved or deleted.")
    case .contentsList(let item):
      self.init(
        .contentsList, "It holds the contents of the item \(item).", extensions: [.item(item)])
    case .sentinelImmovable:
      self.init(.sentinelImmovable, "The pinned last row is at this index.")
    case .sentinelUndeletable:
      self.init(.sentinelUndeletable, "The pinned last row is at this index.")
    case .sentinelLast(let lastIndex):
      self.init(
        .sentinelLast, "The last place is index \(lastIndex).", extensions: [.index(lastIndex)])
    case .anchorGone(let row):
      self.init(
        .anchorGone, "The row \(row) is not one of the list's other rows.", extensions: [.row(row)])
    case .rowMoved(let row, let index):
      self.init(
        .rowMoved,
        index.map { "The row \(row) is at index \($0) now." }
          ?? "The row \(row) is not in this list.",
        extensions: [.row(row), .index(index)])
    case .idTaken(let row):
      self.init(.idTaken, "Something else has the id \(row).", extensions: [.row(row)])
    case .idInTrash(let row, let top):
      self.init(
        .inTrash, status: 409, "A row in the trash has the id \(row).",
        extensions: [.row(row), .trashID(top)])
    case .notThePresentRows(let missing, let unknown, let duplicate):
      self.init(
        .notThePresentRows,
        "Missing: \(missing.count), unknown: \(unknown.count), twice: \(duplicate.count).",
        extensions: [.rows(missing: missing, unknown: unknown, duplicate: duplicate)])
    case .tooManyRows(let limit):
      self.init(
        .tooManyRows, "One change takes at most \(limit) rows.", extensions: [.limit(limit)])
    case .tooMuchAtOnce(let excess):
      self.init(.tooManyRows, excess.sentence, extensions: [.limit(excess.limit)])
    case .notThePresentPhotos(let missing, let unknown, let duplicate):
      func rows(_ photos: [PhotoID]) -> [RowID] { photos.prefix(100).map { RowID($0.uuid) } }
      self.init(
        .notThePresentPhotos,
        "Missing: \(missing.count), unknown: \(unknown.count), twice: \(duplicate.count).",
        extensions: [
          .rows(missing: rows(missing), unknown: rows(unknown), duplicate: rows(duplicate))
        ])
    case .tooManyPhotos(let limit):
      self.init(
        .tooManyPhotos, "An item has at most \(limit) photos.", extensions: [.limit(limit)])
    case .photoIDTaken(let photo):
      self.init(
        .idTaken, "Another photo has, or had, the id \(photo).",
        extensions: [.row(RowID(photo.uuid))])
    case .renditionTaken(let size):
      self.init(
        .renditionTaken, "The photo already has another rendition of the size \(size.rawValue).")
    case .idempotencyKeyReused:
      self.init(
        .idempotencyKeyReused, "An earlier request with this Idempotency-Key was different.")
    case .ambiguousPath(let candidates):
      self.init(
        .ambiguousPath, "The path matches \(candidates.count) rows.",
        extensions: [.candidates(candidates)])

    case .stackFull(let limit):
      self.init(
        .stackFull, "The stack already has \(limit) screens.", extensions: [.limit(limit)])
    case .notThePresentTabs(let missing, let unknown, let duplicate):
      self.init(
        .notThePresentTabs,
        "Missing: \(missing.count), unknown: \(unknown.count), twice: \(duplicate.count).",
        extensions: [.tabs(missing: missing, unknown: unknown, duplicate: duplicate)])
    case .tooManyNavigators(let limit):
      self.init(
        .tooManyNavigators, "You already have \(limit) navigators.",
        extensions: [.limit(limit)])
    case .sequenceGap(let last):
      self.init(
        .sequenceGap,
        last == 0
          ? "The server does not know this client, or has forgotten it. Its first command has the number 1."
          : "The client's last command has the number \(last). This batch leaves a gap after it, or another command was done under one of its numbers.",
        extensions: [.lastSequence(last)])
    case .tooManySyncClients(let limit):
      self.init(
        .tooManySyncClients, "You already have \(limit) offline clients.",
        extensions: [.limit(limit)])
    case .undoConflict(let conflicts):
      self.init(
        .undoConflict,
        conflicts.count == 1
          ? "One row has changed since."
          : "\(conflicts.count) rows have changed since.",
        extensions: [.undoConflicts(conflicts)])
    case .notUndoable(let revision):
      self.init(.notUndoable, "The change \(revision) has no inverse.")
    case .historyGone(let now):
      self.init(
        .historyGone, "The log does not have this revision.",
        extensions: [.revision(now)])
    case .listGone(let row):
      self.init(
        .listGone, "The list of \(row) no longer exists. Send the id of another list as listId.",
        extensions: [.row(row)])
    case .lineConflicts(let conflicts):
      self.init(
        .lineConflicts, conflicts.first.map { "Line \($0.line): \($0.sentence)" } ?? "",
        extensions: conflicts.first.map { [.line($0.line), .conflicts(conflicts)] } ?? [])
    case .invalidLines(let fieldErrors):
      self = .invalid(lines: fieldErrors)
    case .importRunning:
      self.init(.importRunning, "Too many imports are running or waiting. Try again shortly.")
    case .idArriving(let id):
      self.init(
        .overloaded, "An import that is running has the id \(id). Try again when it has ended.")
    case .importGone:
      self.init(
        .importGone,
        "The import was abandoned before it was complete, or another one replaced the inventory.")

    case .overloaded:
      self.init(.overloaded, "Too many requests of this kind are under way.")
    case .contended:
      self.init(
        .overloaded, "The list was changed each time before this was done. Try again later.")
    case .shuttingDown:
      self.init(.shuttingDown, "The server is stopping.")
    case .outOfDescriptors:
      self.init(.overloaded, "The server has too many files open. Try again shortly.")
    case .storeUnavailable:
      self.init(.overloaded, "The database cannot be used now. Try again shortly.")
    case .deadlineExceeded, .boundExceeded:
      self.init(.deadlineExceeded, "The read took longer than it may take.")
    case .storageFull:
      self.init(.storageFull, "There is no room for the change.")
    case .outcomeUnknown:
      self.init(.outcomeUnknown, "After the server's restart, the change may be there or not.")
    case .storageFailed, .storageDamaged:
      // The text may contain files and queries, so only the log gets it.
      self.init(.internalError, "The storage failed.")
    }
  }
}

extension Excess {
  /// The error text for people.
  fileprivate var sentence: String {
    switch self {
    case .rowsEdited:
      "One import changes at most \(limit) rows that exist already. Unchanged rows don't count. Split it into several."
    case .textEdited:
      "One import changes at most \(limit) bytes of text, old and new together. Split it into several."
    case .textOfBatch:
      "One batch adds or changes at most \(limit) bytes of text, old and new together. Split it into several."
    case .textKept:
      "The rows that one request moves, deletes, edits or adds to lists that exist already have at most \(limit) bytes of text in all. Split it into several."
    case .rowsAdded:
      "One import adds at most \(limit) rows to lists that exist already. Split it into several, or import new lists with their rows."
    case .listsChanged:
      "One import changes rows of at most \(limit) lists that exist already. Split it into several."
    case .textSorted:
      "Rows are sorted by at most \(limit) bytes of text in all. Sort by another field."
    }
  }
}

extension InventoryError {
  /// The error text for people.
  package var sentence: String { Problem(self).detail }
}
