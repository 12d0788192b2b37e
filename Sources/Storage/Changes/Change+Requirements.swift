import FoundationEssentials
import Inventory
import SQL

/// The requirements of changes on callers, lists and rows. Each function throws the refusal.
extension Change {
  func requireRole(_ role: Role) throws(StorageError) {
    guard context.caller.role >= role else { throw .refused(.roleForbids(needed: role)) }
  }

  /// Requires an owner who sees the whole inventory.
  func requireWholeInventory() throws(StorageError) {
    try requireRole(.owner)
    guard access.root == access.inventoryRoot else { throw .refused(.needsWholeInventory) }
  }

  func require(_ permission: Permissions, in list: ListRecord) throws(StorageError) {
    guard list.details.permissions.contains(permission) else {
      throw .refused(.listForbids(permission, list.id))
    }
  }

  func requireMatch(_ list: ListRecord) throws(StorageError) {
    try requireCondition()
    guard !context.allows(list.revision) else { return }
    // A condition without a revision does not say which state the client knows.
    let since = context.knownRevision ?? revision
    let delta = try shortDelta(of: list, since: since)
    throw .refused(.preconditionFailed(.list(try visible(list), delta: delta)))
  }

  /// The maximum number of steps of the delta in a refusal, because other writes wait meanwhile.
  private static let stepsOfRefusal = 1_000

  private func shortDelta(of list: ListRecord, since: Revision) throws(StorageError) -> Delta {
    do throws(StorageError) {
      return try DeltaReader(db: db, bound: Self.stepsOfRefusal).delta(
        of: list, since: since, access: access)
    } catch {
      guard case .refused(.boundExceeded) = error else { throw error }
      return Delta(
        listID: list.id, fromRevision: since, toRevision: list.revision, content: .resync)
    }
  }

  func requireMatch(_ item: ItemRecord, in list: ListRecord) throws(StorageError) {
    try requireCondition()
    guard !context.allows(item.revision) else { return }
    throw .refused(.preconditionFailed(.item(item.item(in: list.id))))
  }

  private func requireCondition() throws(StorageError) {
    guard !context.lacksIfMatch else { throw .refused(.preconditionRequired) }
  }

  /// The list as the caller sees it.
  func visible(_ list: ListRecord) throws(StorageError) -> List {
    try list.list(isRoot: list.key == access.root, in: db)
  }

  /// The list and the place of an item.
  func home(of item: ItemRecord) throws(StorageError) -> (list: ListRecord, place: TreeSlot) {
    guard let parent = item.parent, let place = item.place else {
      throw .broken("item \(item.key) can be seen but has no place")
    }
    return (try self.list(parent), place)
  }

  /// The list and the place of a row. Throws `rootList` for the root list, and `contentsList` for an item's contents.
  func standing(_ entry: Access.Entry) throws(StorageError) -> (list: ListRecord, place: TreeSlot) {
    guard entry.key != access.root, let parent = entry.parent else {
      throw .refused(.rootList)
    }
    guard let place = entry.place else {
      throw .refused(.contentsList(item: ItemID(try access.id(of: parent))))
    }
    return (try self.list(parent), place)
  }

  /// Checks the conditions of a call that names the row itself.
  func requireOwnMatch(_ entry: Access.Entry) throws(StorageError) {
    guard context.isConditional else { return }
    if entry.isList {
      try requireMatch(try list(entry.key))
    } else if let item = try ItemRecord.find(key: entry.key, in: db) {
      try requireMatch(item, in: try home(of: item).list)
    }
  }

  func requireMovable(
    _ entry: Access.Entry, from source: ListRecord, to target: ListRecord
  ) throws(StorageError) {
    try require(.move, in: source)
    guard source.key != target.key else { return }
    try require(.add, in: target)
    try refuseCycle(entry, into: target)
    if let kind = entry.kind { try requireAccepted(kind, by: target) }
    try requireRoom(
      for: entry, in: target.key, from: try access.levelInInventory(of: entry.key))
  }

  /// Throws `tooDeep` if a row does not fit into a list, with the lists below it. The row may be in the list already.
  ///
  /// - Parameter old: its level before; nil for a row that was in no list.
  func requireRoom(for entry: Access.Entry, in list: RowKey, from old: Int?) throws(StorageError) {
    do throws(StorageError) {
      try access.requireRoom(
        for: entry, in: list, from: old, bound: &listsToLookAt)
    } catch {
      guard case .refused(.boundExceeded) = error else { throw error }
      try requireRoomUnseen(in: list, from: old)
    }
  }

  /// Throws `tooManyRows` if it is uncertain whether a row fits into a list: the row has more lists below it than a
  /// command may check, so they are taken to be as deep as the inventory's deepest list.
  private func requireRoomUnseen(in list: RowKey, from old: Int?) throws(StorageError) {
    let level = try access.levelInInventory(of: list) + 1
    // Rows from the trash were measured from the top of what was deleted.
    let deepest = deepestBefore + (level - (old ?? 1))
    guard access.depthLimit.admits(deepest) else {
      throw .refused(.tooManyRows(limit: Limits.listsTakenDown))
    }
    access.note(deepest)
  }

  /// Throws `cycle` if a row would be below itself.
  func refuseCycle(_ entry: Access.Entry, into target: ListRecord) throws(StorageError) {
    guard entry.isList || entry.contents != nil else { return }
    guard try !access.ancestors.isAncestor(entry.key, of: target.key) else {
      throw .refused(.cycle)
    }
  }

  func refuse(_ fieldErrors: [FieldError]) throws(StorageError) {
    guard fieldErrors.isEmpty else { throw .refused(.invalid(fieldErrors)) }
  }

  func fieldErrors(of new: ItemDetails, replacing old: ItemDetails) -> [FieldError] {
    new.fieldErrors(currentYear: currentYear)
      + (new.kind == old.kind ? [] : [FieldError(["kind"], "An item keeps its kind.")])
  }

  func requireAccepted(_ kind: ItemKind, by list: ListRecord) throws(StorageError) {
    guard list.details.itemKind.accepts(kind) else {
      throw .refused(.kindMismatch(list: list.id, accepts: list.details.itemKind))
    }
  }

  var currentYear: Int { now.year }

  /// The list above, if the list's row looks different. Nil for the caller's root and for contents lists, which are no
  /// rows.
  func parentEdited(by new: ListDetails, of list: ListRecord) -> RowKey? {
    guard !ListFields(between: list.details, and: new).isDisjoint(with: .shownByRow),
      list.key != access.root, list.place != nil
    else { return nil }
    return list.parent
  }

  /// Requires what an edit of a list needs from the caller and from the list above.
  func requireEditable(_ list: ListRecord, as new: ListDetails) throws(StorageError) {
    if list.details.permissions != new.permissions { try requireRole(.owner) }
    if let parent = parentEdited(by: new, of: list) {
      try require(.edit, in: try self.list(parent))
    }
  }

  /// The target list of a merge. Throws the refusals that do not depend on its rows.
  func target(
    of records: [NumberedRecord], _ reference: ListReference
  ) throws(StorageError) -> ListRecord {
    let list = try list(reference)
    try requireRole(.editor)
    try requireCount(records.count)
    try requireValid(records, areNew: false)
    return list
  }

  /// The target list of a table of items. Throws the refusals that do not depend on its rows.
  func target(
    of items: [ItemUpsert], _ reference: ListReference
  ) throws(StorageError) -> ListRecord {
    let list = try list(reference)
    try requireRole(.editor)
    try requireCount(items.count)
    try requireMatch(list)
    return list
  }

  /// Throws `tooManyRows` for more rows than one change may have.
  func requireCount(_ rows: Int) throws(StorageError) {
    guard rows <= Limits.rowsInOneChange else {
      throw .refused(.tooManyRows(limit: Limits.rowsInOneChange))
    }
  }

  /// Throws `invalidLines` with all lines that break rules.
  ///
  /// - Parameter areNew: whether no row can have one of the ids.
  func requireValid(_ records: [NumberedRecord], areNew: Bool) throws(StorageError) {
    let year = currentYear
    let fieldErrors = records.flatMap { numbered in
      numbered.record.fieldErrors(currentYear: year, isNew: areNew).map {
        $0.on(line: numbered.line)
      }
    }
    guard fieldErrors.isEmpty else { throw .refused(.invalidLines(fieldErrors)) }
  }
}
