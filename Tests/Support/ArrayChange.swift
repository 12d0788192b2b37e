import Inventory

/// One write in progress: a copy of the state that a command changes, and the results of the command.
///
/// Every command checks in this order: the visibility of the resources that it names, the role, the field errors, the
/// conditions, then the rules of the domain. A repeated creation is answered before the conditions are checked, because
/// the first one may have made the validator stale. The result of a command is found by comparing the states before and
/// after it. If they are equal, the command changed nothing.
struct ArrayChange {
  let before: ArrayState
  var state: ArrayState
  let context: WriteContext
  let now: Timestamp
  /// The lists whose rows or fields the command may have changed.
  private var lists: [ListID] = []
  private var items: [ItemID] = []
  private let action: String
  /// Rows that were moved within their list.
  var moved: Set<RowID> = []
  /// When items that a merge brings were last changed.
  var arrivalTimes: [ItemID: Timestamp] = [:]
  /// Lists whose rows were put into another order as a whole.
  var reordered: Set<ListID> = []

  init(
    of state: ArrayState, _ context: WriteContext, at now: Timestamp, doing action: String
  ) {
    self.action = action
    before = state
    self.state = state
    self.context = context
    self.now = now
  }

  mutating func run(_ command: Command) throws(InventoryError) -> Outcome {
    switch command {
    case .createList(let new): try create(new)
    case .createItem(let new, let list, let position): try create(new, in: list, position)
    case .appendItems(let new, let list): try append(new, to: list)
    case .makeContents(let item, let id): try makeContents(of: item, id: id)
    case .editList(let list, let edit): try editList(list, edit)
    case .editItem(let item, let edit): try editItem(item, edit)
    case .moveRow(let list, let from, let to, let expecting):
      try moveRow(in: list, from: from, to: to, expecting: expecting)
    case .relocate(let row, let list, let position):
      try relocate(row, into: list, position)
    case .moveRows(let rows, let list, let position): try moveRows(rows, into: list, position)
    case .reorder(let list, let order): try reorder(list, order)
    case .deleteRow(let row, let kind, let isRecursive):
      try deleteRow(row, kind, isRecursive: isRecursive)
    case .deleteRowAt(let list, let index, let expecting, let isRecursive):
      try deleteRow(at: index, of: list, expecting: expecting, isRecursive: isRecursive)
    case .addPhoto(let new, let item): try addPhoto(new, to: item)
    case .deletePhoto(let photo, let item): try deletePhoto(photo, of: item)
    case .addRendition(let new, let photo, let item):
      try addRendition(new, of: photo, in: item)
    case .reorderPhotos(let item, let photos): try reorderPhotos(of: item, photos)
    case .makeNavigator(let id, let make): try makeNavigator(id, make)
    case .editNavigator(let id, let edit): try editNavigator(id, edit)
    case .deleteNavigator(let id): try deleteNavigator(id)
    case .setAppearance(let appearance): try setAppearance(appearance)
    case .editInventory(let edit): try editInventory(edit)
    case .undo(let revision): try undo(revision)
    case .restore(let row, let list, let position): try restore(row, into: list, position)
    case .purge(let row): try purge(row)
    case .merge(let records, let list): try merge(records, into: list)
    case .upsertItems(let items, let list): try upsert(items, in: list)
    case .stage(let id, let target, let records): try stage(records, of: id, target)
    case .finishImport(let id, let appearance): try finishImport(id, appearance)
    case .abandonImport(let id): abandonImport(id)
    case .batch(let list, let batch): try self.batch(batch, in: list)
    case .recall: unchanged
    }
  }

  var caller: Caller { context.caller }
}

// What commands check.
extension ArrayChange {
  func requireRole(_ needed: Role) throws(InventoryError) {
    guard caller.role >= needed else { throw .roleForbids(needed: needed) }
  }

  /// The list's own permissions decide, and the role what is left of them.
  func require(_ needed: Permissions, in list: ListID) throws(InventoryError) {
    let allowed = state[list].details.permissions.intersection(caller.role.permissions)
    guard needed.isSubset(of: allowed) else { throw .listForbids(needed, list) }
  }

  func requireMatch(list id: ListID) throws(InventoryError) {
    guard !context.lacksIfMatch else { throw .preconditionRequired }
    guard !context.allows(state[id].revision) else { return }
    let list = state.list(id, for: caller)
    // Conditions that name no revision at all can't say what the client knows.
    let since = context.knownRevision ?? state.revision.next
    throw .preconditionFailed(.list(list, delta: state.delta(of: id, since: since, for: caller)))
  }

  func requireMatch(item id: ItemID) throws(InventoryError) {
    guard !context.lacksIfMatch else { throw .preconditionRequired }
    guard !context.allows(state[id].revision) else { return }
    throw .preconditionFailed(.item(state.item(id)))
  }

  func requireMatch(row: RowID) throws(InventoryError) {
    if state.lists[ListID(row)] != nil {
      try requireMatch(list: ListID(row))
    } else {
      try requireMatch(item: ItemID(row))
    }
  }

  func requireValid(_ fieldErrors: [FieldError]) throws(InventoryError) {
    guard fieldErrors.isEmpty else { throw .invalid(fieldErrors) }
  }

  func fieldErrors(of details: ItemDetails) -> [FieldError] {
    details.fieldErrors(currentYear: now.year)
  }

  /// Where a row lands among `others`, the list's rows without those that are put in.
  func landing(_ position: Position, among others: [RowID]) throws(InventoryError) -> Landing {
    switch position {
    case .first: return Landing(index: 0)
    case .last: return Landing(index: others.count)
    case .index(let index):
      return try Landing.above(
        sentinelOf: others.count, proposed: index, isStrict: context.isStrict,
        field: ["position", "index"])
    case .before(let anchor):
      guard let index = others.firstIndex(of: anchor) else { throw .anchorGone(anchor) }
      return Landing(index: index)
    case .after(let anchor):
      guard let index = others.firstIndex(of: anchor) else { throw .anchorGone(anchor) }
      return Landing(index: index + 1)
    case .either(let preferred, let other):
      switch preferred {
      case .before(let anchor) where !others.contains(anchor),
        .after(let anchor) where !others.contains(anchor):
        return try landing(other, among: others).found(by: other)
      default: return try landing(preferred, among: others)
      }
    }
  }
}

// What commands change.
extension ArrayChange {
  mutating func touch(_ list: ListID) {
    if !lists.contains(list) { lists.append(list) }
  }

  mutating func touch(_ item: ItemID) {
    items.append(item)
    touch(state[item].list)
  }

  mutating func setRows(_ rows: [RowID], of list: ListID) {
    state[list].rows = rows
    touch(list)
  }

  /// Makes `list` the one that the row belongs to, without putting it among the rows.
  mutating func setHome(of row: RowID, to list: ListID) {
    if state.lists[ListID(row)] != nil {
      state[ListID(row)].parent = list
      touch(ListID(row))
    } else {
      state[ItemID(row)].list = list
      touch(ItemID(row))
    }
  }

  /// Numbers the change if anything differs from before.
  mutating func finish(landing: Landing? = nil, isUndoable: Bool = true) -> Receipt {
    let next = before.revision.next
    let touchedItems = items.filter { item in
      guard let old = before.items[item] else { return true }
      let new = state[item]
      return old.details != new.details || old.contents != new.contents || old.list != new.list
        || old.photos != new.photos
    }
    for item in touchedItems {
      state[item].revision = next
      state[item].updatedAt = arrivalTimes[item] ?? now
    }

    // What a sublist's row shows may have changed: one level up, and no further.
    for list in lists {
      // A list in the trash may have lost the list above it.
      if let parent = state[list].parent, state.lists[parent] != nil { touch(parent) }
    }
    var isChanged = !touchedItems.isEmpty
    var deltas: [Delta] = []
    // A contents list once made stays with its item.
    let isUndoable =
      isUndoable
      && touchedItems.allSatisfy { item in
        before.items[item].map { $0.contents == state[item].contents } ?? true
      }
    var entry = ArrayLogEntry(
      action, context, at: now, isUndoable: isUndoable, moved: moved, reordered: reordered)
    entry.note(items: touchedItems, from: before, to: state)
    entry.note(trashFrom: before, to: state)
    for list in lists {
      let new = ArrayState.Version(
        revision: next, details: state[list].details, parent: state[list].parent,
        rows: state.rows(of: list))
      guard let old = before.lists[list], let last = old.versions.last else {
        isChanged = true
        entry.note(made: list)
        state[list].versions = [new]
        continue
      }
      guard last.rows != new.rows || last.details != new.details || last.parent != new.parent else {
        continue
      }
      isChanged = true
      entry.note(list, from: last, to: new)
      state[list].revision = next
      state[list].updatedAt = now
      state[list].versions.append(new)
      // A list above the caller's root is none of the caller's business, and one in the trash is on no screen.
      if state.isLive(RowID(list)),
        state.chain(of: RowID(list)).contains(RowID(state.root(for: caller)))
      {
        deltas.append(
          PlainDelta(from: last, to: new, for: caller).delta(
            of: list, from: old.revision, to: next))
      }
    }
    if isChanged {
      state.revision = next
      state.log[next] = entry
      for row in entry.placed(in: state) { state.placed[row] = next }
      state.lastRequestID = context.requestID
    }
    return Receipt(
      revision: state.revision, isChanged: isChanged, deltas: deltas,
      landing: landing, isUndoable: isChanged && isUndoable)
  }

  func resource(list id: ListID) -> Outcome.Resource {
    let isRoot = id == state.root(for: caller)
    let index = isRoot ? nil : state.seat(of: RowID(id))?.index
    return .list(state.list(id, for: caller), index: index.map { RowIndex($0) })
  }

  func resource(item id: ItemID) -> Outcome.Resource {
    guard let seat = state.seat(of: RowID(id)) else {
      preconditionFailure("The item \(id) is in no list.")
    }
    return .item(state.item(id), index: RowIndex(seat.index))
  }
}
