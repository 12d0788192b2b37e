import Inventory

extension Problem {
  /// What a refusal of the application is to a client.
  init(_ error: InventoryError) {
    switch error {
    case .notFound(let subject):
      self.init(.notFound, "There is no such \(subject.rawValue).")
    case .inTrash(let top):
      self.init(
        .inTrash, "It is in the trash, with \(top) that was deleted.", extensions: [.trashID(top)])
    case .invalid(let violations):
      self = .invalid(violations.map { .member($0.path, $0.detail) })
    case .preconditionFailed(.list(let list, let delta)):
      self.init(
        .preconditionFailed, "The list is at revision \(list.revision) by now.",
        extensions: [.delta(delta)])
    case .preconditionFailed(.item(let item)):
      self.init(
        .preconditionFailed, "The item is at revision \(item.revision) by now.",
        extensions: [.current(item)])
    case .preconditionFailed(.version(let version)):
      self.init(
        .preconditionFailed, "It is at version \(version) by now.",
        extensions: [.version(version)])
    case .preconditionFailed(.inventory(let inventory)):
      self.init(
        .preconditionFailed, "The inventory is at revision \(inventory.revision) by now.",
        extensions: [.inventory(inventory)])
    case .preconditionRequired:
      self.init(
        .preconditionRequired,
        "By now another row may be at this index: send If-Match, or say by ids what is meant.")
    case .listMovedOn(let delta):
      self.init(
        .listMovedOn, "The list is at revision \(delta.toRevision) by now.",
        extensions: [.delta(delta)])

    case .tokenRevoked: self = .badToken
    case .tokenMissing: self = .missingToken
    case .listForbids(let permissions, let list):
      let names = Permissions.named.filter { permissions.contains($0.permission) }.map(\.name)
      self.init(
        .listForbids, "The list \(list) does not permit: \(names.joined(separator: ", ")).",
        extensions: [.list(list)])
    case .roleForbids(let needed):
      self.init(.roleForbids, "This takes the role of \(needed) or more.")
    case .cycle:
      self.init(.cycle, "It would end up inside of itself.")
    case .tooDeep(let limit):
      self.init(
        .tooDeep, "Lists go down to level \(limit) here, the root list's being 1.",
        extensions: [.limit(limit)])
    case .kindMismatch(let list, let accepts):
      self.init(
        .kindMismatch, "The list \(list) takes items of kind \(accepts.rawValue) only.",
        extensions: [.list(list)])
    case .listNotEmpty(let rowCount):
      self.init(
        .listNotEmpty,
        "It holds \(rowCount == 1 ? "one row" : "\(rowCount) rows"); "
          + "?recursive=true deletes it with all that is below.",
        extensions: [.count(rowCount)])
    case .rootList:
      self.init(.rootList, "The root list can't be moved or deleted.")
    case .contentsList(let item):
      self.init(
        .contentsList, "It holds the contents of the item \(item).", extensions: [.item(item)])
    case .sentinelImmovable:
      self.init(.sentinelImmovable, "At this index stands the pinned last row.")
    case .sentinelUndeletable:
      self.init(.sentinelUndeletable, "At this index stands the pinned last row.")
    case .sentinelLast(let lastIndex):
      self.init(
        .sentinelLast, "The last place is index \(lastIndex).", extensions: [.index(lastIndex)])
    case .anchorGone(let row):
      self.init(
        .anchorGone, "The row \(row) is not among the list's other rows.", extensions: [.row(row)])
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
        .inTrash, status: 409, "The id \(row) is that of something in the trash.",
        extensions: [.row(row), .trashID(top)])
    case .notThePresentRows(let missing, let unknown, let duplicate):
      self.init(
        .notThePresentRows,
        "Missing: \(missing.count), unknown: \(unknown.count), twice: \(duplicate.count).",
        extensions: [.rows(missing: missing, unknown: unknown, duplicate: duplicate)])
    case .tooManyRows(let limit):
      self.init(.tooManyRows, "At most \(limit) rows at once.", extensions: [.limit(limit)])
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
        .idTaken, "Another photo has the id \(photo), or had it.",
        extensions: [.row(RowID(photo.uuid))])
    case .idempotencyKeyReused:
      self.init(
        .idempotencyKeyReused, "The first request with this Idempotency-Key said something else.")
    case .ambiguousPath(let candidates):
      self.init(
        .ambiguousPath, "The path names \(candidates.count) rows.",
        extensions: [.candidates(candidates)])

    case .stackFull(let limit):
      self.init(
        .stackFull, "The stack has its \(limit) screens.", extensions: [.limit(limit)])
    case .notThePresentTabs(let missing, let unknown, let duplicate):
      self.init(
        .notThePresentTabs,
        "Missing: \(missing.count), unknown: \(unknown.count), twice: \(duplicate.count).",
        extensions: [.tabs(missing: missing, unknown: unknown, duplicate: duplicate)])
    case .tooManyNavigators(let limit):
      self.init(
        .tooManyNavigators, "There are \(limit) navigators of yours.",
        extensions: [.limit(limit)])
    case .undoConflict(let conflicts):
      self.init(
        .undoConflict,
        conflicts.count == 1
          ? "One row is not as the change left it."
          : "\(conflicts.count) rows are not as the change left them.",
        extensions: [.undoConflicts(conflicts)])
    case .notUndoable(let revision):
      self.init(.notUndoable, "The change \(revision) has no inverse.")
    case .historyGone(let now):
      self.init(
        .historyGone, "The log does not reach back so far, or the revision is yet to come.",
        extensions: [.revision(now)])
    case .listGone(let row):
      self.init(
        .listGone, "The list that \(row) stood in is gone; say with listId which one takes it.",
        extensions: [.row(row)])
    case .lineConflicts(let conflicts):
      self.init(
        .lineConflicts, conflicts.first.map { "Line \($0.line): \($0.reason.sentence)" } ?? "",
        extensions: conflicts.first.map { [.line($0.line), .conflicts(conflicts)] } ?? [])
    case .invalidLines(let violations):
      self = .invalid(lines: violations.map { LineFault($0) })
    case .importRunning:
      self.init(.importRunning, "Too many imports are running or waiting. Try again shortly.")
    case .importGone:
      self.init(
        .importGone,
        "The import was given up before it was whole, or another one has replaced the inventory.")

    case .overloaded:
      self.init(.overloaded, "Too many changes are waiting.")
    case .contended:
      self.init(
        .overloaded, "The list was changed each time before this was done. Try again later.")
    case .shuttingDown:
      self.init(.shuttingDown, "The server is being stopped.")
    case .outOfDescriptors:
      self.init(.overloaded, "The server has too many files open. Try again shortly.")
    case .deadlineExceeded, .boundExceeded:
      self.init(.deadlineExceeded, "The read was given up at its deadline.")
    case .storageFull:
      self.init(.storageFull, "There is no room for the change.")
    case .outcomeUnknown:
      self.init(.outcomeUnknown, "The change may be there after the server's restart, or not.")
    case .storageFailed, .storageDamaged:
      // The text is for the log: it may tell of files and queries.
      self.init(.internalError, "The storage failed.")
    }
  }
}

extension Excess {
  /// For a person.
  fileprivate var sentence: String {
    switch self {
    case .rowsEdited:
      "One import changes at most \(limit) rows that exist already. Unchanged rows don't count. Split it into several."
    case .textEdited:
      "One import changes at most \(limit) bytes of text, counted before and after. Split it into several."
    case .textOfBatch:
      "One batch adds or changes at most \(limit) bytes of text, counted before and after. Split it into several."
    case .textKept:
      "The rows that one request moves, deletes, edits or adds to lists that exist already have at most \(limit) bytes of text in all. Split it into several."
    case .rowsAdded:
      "One import adds at most \(limit) rows to lists that exist already. Split it into several, or import new lists with their rows."
    }
  }
}
