import Inventory

/// What one change did, as its states before and after show it.
struct ArrayLogEntry: Sendable {
  struct Difference<Value: Sendable>: Sendable {
    var before: Value
    var after: Value
  }

  let action: String
  let actor: String
  let requestID: String
  let at: Timestamp
  let isUndoable: Bool
  /// Within their lists.
  let moved: Set<RowID>
  let reordered: Set<ListID>
  /// All lists that the change touched or made.
  private(set) var lists: Set<ListID> = []
  /// Those of them that it did more to than to reload rows.
  private(set) var changedLists: Set<ListID> = []
  /// The places of other rows, or their order.
  private(set) var rows: [ListID: Difference<[RowID]>] = [:]
  private(set) var listEdits: [ListID: Difference<ListDetails>] = [:]
  private(set) var itemEdits: [ItemID: Difference<ItemDetails>] = [:]
  private(set) var photoEdits: [ItemID: Difference<[PhotoID]>] = [:]
  /// Where the rows stood that it took out of the trash, and those that it put there.
  private(set) var restored: [RowID: ArrayState.Deleted] = [:]
  private(set) var deleted: [RowID: ArrayState.Deleted] = [:]
  /// The items whose fields, photos or contents list, the change set.
  private(set) var editedItems: Set<ItemID> = []

  init(
    _ action: String, _ context: WriteContext, at now: Timestamp, isUndoable: Bool,
    moved: Set<RowID>, reordered: Set<ListID>
  ) {
    self.action = action
    actor = context.caller.name
    requestID = context.requestID
    at = now
    self.isUndoable = isUndoable
    self.moved = moved
    self.reordered = reordered
  }

  mutating func note(made list: ListID) {
    lists.insert(list)
    changedLists.insert(list)
  }

  mutating func note(_ list: ListID, from old: ArrayState.Version, to new: ArrayState.Version) {
    lists.insert(list)
    let (before, after) = (old.rows.map(\.id), new.rows.map(\.id))
    if before != after { rows[list] = Difference(before: before, after: after) }
    if old.details != new.details {
      listEdits[list] = Difference(before: old.details, after: new.details)
    }
    if before != after || old.details != new.details || old.parent != new.parent {
      changedLists.insert(list)
    }
  }

  mutating func note(trashFrom before: ArrayState, to after: ArrayState) {
    restored = before.trash.filter { after.trash[$0.key] == nil }
    deleted = after.trash.filter { before.trash[$0.key] == nil }
  }

  mutating func note(items: [ItemID], from before: ArrayState, to after: ArrayState) {
    for item in items {
      guard let old = before.items[item] else { continue }
      let new = after[item]
      if old.details != new.details {
        itemEdits[item] = Difference(before: old.details, after: new.details)
      }
      if old.photos != new.photos {
        photoEdits[item] = Difference(before: old.photos, after: new.photos)
      }
      if old.details != new.details || old.contents != new.contents || old.photos != new.photos {
        editedItems.insert(item)
      }
    }
  }

  /// The rows that the change gave their place.
  func placed(in state: ArrayState) -> Set<RowID> {
    var placed = moved
    for (list, order) in rows {
      placed.formUnion(
        Set(order.after).subtracting(order.before).intersection(state[list].rows))
    }
    return placed
  }

  /// What the log says of it.
  func change(_ revision: Revision, in state: ArrayState, for caller: Caller) -> LoggedChange? {
    func isSeen(_ row: RowID) -> Bool {
      state.isStill(row, since: revision) && state.sees(row, at: revision, for: caller)
    }
    let seen = lists.filter { state.isStill($0, since: revision) && isSeen(RowID($0)) }
    let isOwn = seen.isEmpty && !editedItems.contains { isSeen(RowID($0)) }
    if isOwn, state.isScoped(caller) { return nil }
    return LoggedChange(
      revision: revision, at: at, actor: actor, requestID: requestID, action: action,
      lists: seen.sorted { $0.description < $1.description },
      subjects: subjects(since: revision, in: state).filter(isSeen)
        .prefix(Limits.subjectsOfChange).map(state.step),
      isUndoable: isUndoable && isWithinSight(of: caller, in: state, at: revision))
  }

  /// What the change was about, by id.
  private func subjects(since revision: Revision, in state: ArrayState) -> [RowID] {
    var subjects = moved
    for order in rows.values {
      subjects.formUnion(Set(order.before).symmetricDifference(order.after))
    }
    subjects.formUnion(editedItems.map { RowID($0) })
    subjects.formUnion(listEdits.keys.map { RowID($0) })
    subjects.formUnion(
      reordered.filter { state.isStill($0, since: revision) }.map { RowID($0) })
    return subjects.sorted { $0.description < $1.description }
  }

  /// Whether all that the change did is below the caller's root, reloads of rows apart.
  func isWithinSight(
    of caller: Caller, in state: ArrayState, at revision: Revision
  ) -> Bool {
    guard state.isScoped(caller) else { return true }
    guard changedLists.allSatisfy({ state.isStill($0, since: revision) }) else { return false }
    let subjects = changedLists.map { RowID($0) } + editedItems.map { RowID($0) }
    return subjects.allSatisfy { row in
      state.isStill(row, since: revision) && state.sees(row, at: revision, for: caller)
    }
  }
}

extension ArrayState {
  /// Whether the caller sees a row, and saw it at an earlier revision already: neither it nor what it is in has come
  /// from out of sight since.
  func sees(_ row: RowID, at revision: Revision, for caller: Caller) -> Bool {
    let root = RowID(root(for: caller))
    let later = log.filter { $0.key > revision }
    func departures(of row: RowID, in log: [Revision: ArrayLogEntry]) -> [(Revision, ListID)] {
      log.filter { isStill(row, since: $0.key) }.flatMap { left, entry in
        entry.rows.filter { $1.before.contains(row) && !$1.after.contains(row) }
          .map { (left, $0.key) }
      }
    }
    func arrivals(of row: RowID, after revision: Revision) -> [(Revision, ListID)] {
      later.filter { $0.key > revision && isStill(row, since: $0.key) }.flatMap { came, entry in
        entry.rows.filter { !$1.before.contains(row) && $1.after.contains(row) }
          .map { (came, $0.key) }
      }
    }
    typealias Stay = (left: Revision, list: ListID, since: Revision)
    /// Where it has been since the revision, and since when in the list that it is in now. What was in the trash then,
    /// where it was deleted.
    func stays(of row: RowID, since revision: Revision) -> (past: [Stay], present: Revision) {
      let arrivals = arrivals(of: row, after: revision)
      let departures = departures(of: row, in: log)
      let since = departures.filter { $0.0 > revision }
      func arrival(in list: ListID?, before end: Revision) -> Revision {
        arrivals.filter { $0.1 == list && $0.0 < end }.map(\.0).max() ?? revision
      }
      let stays = since.map { left, list in
        (left: left, list: list, since: arrival(in: list, before: left))
      }
      let list = trash[row]?.list ?? lists[ListID(row)]?.parent ?? items[ItemID(row)]?.list
      let present = arrival(in: list, before: self.revision.next)
      guard let first = arrivals.map(\.0).min(), !since.contains(where: { $0.0 <= first }) else {
        return (stays, present)
      }
      let deletion = departures.filter { $0.0 <= revision }.max { $0.0 < $1.0 }
      guard let deletion else {
        return (stays.map { ($0.left, $0.list, revision) }, revision)
      }
      return (stays + [(deletion.0, deletion.1, revision)], present)
    }
    var visited: [RowID: Revision] = [:]
    func sees(_ row: RowID, since revision: Revision) -> Bool {
      let chain = chain(of: row)
      guard exists(row), isInSight(row, for: caller), let end = chain.firstIndex(of: root) else {
        return false
      }
      guard isScoped(caller) else { return true }
      var since = revision
      for row in chain[..<end] {
        guard visited[row].map({ since < $0 }) ?? true else { break }
        visited[row] = since
        guard placed[row] ?? Revision(0) > since else { continue }
        let stays = stays(of: row, since: since)
        for stay in stays.past {
          guard isStill(stay.list, since: stay.left), sees(RowID(stay.list), since: stay.since)
          else { return false }
        }
        since = stays.present
      }
      return true
    }
    return sees(row, since: revision)
  }

  func entry(_ revision: Revision) throws(InventoryError) -> ArrayLogEntry {
    guard revision > Revision(0), revision <= self.revision else { throw .notFound(.change) }
    guard let entry = log[revision] else { throw .historyGone(now: self.revision) }
    return entry
  }

  /// Whether the list is there, and no later one that has the id of one that was purged.
  func isStill(_ list: ListID, since revision: Revision) -> Bool {
    lists[list]?.versions.first.map { $0.revision <= revision } ?? false
  }

  /// Whether what has the id is what had it when the change was made.
  func isStill(_ row: RowID, since revision: Revision) -> Bool {
    purged[row].map { $0 < revision } ?? true
  }

  /// Whether there may be something that the caller does not see.
  func isScoped(_ caller: Caller) -> Bool { root(for: caller) != rootID }
}

extension Command {
  /// What the log calls it.
  var action: String {
    switch self {
    case .createList: "create list"
    case .createItem: "create item"
    case .appendItems: "append items"
    case .makeContents: "make contents"
    case .editList: "edit list"
    case .editItem: "edit item"
    case .moveRow, .relocate: "move row"
    case .moveRows: "move rows"
    case .reorder: "reorder"
    case .deleteRow, .deleteRowAt: "delete row"
    case .undo: "undo"
    case .restore: "restore row"
    case .purge: "purge"
    case .merge, .stage, .finishImport, .abandonImport: "import"
    case .upsertItems: "import table"
    case .batch: "batch"
    case .addPhoto: "add photo"
    case .deletePhoto: "delete photo"
    case .reorderPhotos: "reorder photos"
    // No changes of rows.
    case .makeNavigator, .editNavigator, .deleteNavigator, .setAppearance, .editInventory, .recall,
      .addRendition:
      ""
    }
  }
}
