import Inventory

/// Computes the undo of a change by comparing three states: before the change, after it, and now.
struct ArrayUndo {
  let entry: ArrayLogEntry
  let revision: Revision
  let state: ArrayState
  let now: Timestamp
  let caller: Caller
  /// The entries of the log after the change.
  private let later: [ArrayLogEntry]
  /// The list that each row stood in before the change, and after it.
  private(set) var origins: [RowID: ListID] = [:]
  private(set) var destinations: [RowID: ListID] = [:]
  private(set) var conflicts: [RowID: UndoConflict.Reason] = [:]
  /// The details that are to be set.
  private(set) var items: [ItemID: ItemDetails] = [:]
  private(set) var photos: [ItemID: [PhotoID]] = [:]
  private(set) var lists: [ListID: ListDetails] = [:]

  init(
    of entry: ArrayLogEntry, _ revision: Revision, in state: ArrayState, now: Timestamp,
    for caller: Caller
  ) {
    self.caller = caller
    self.entry = entry
    self.revision = revision
    self.state = state
    self.now = now
    later = state.log.filter { $0.key > revision }.sorted { $0.key < $1.key }.map(\.value)
    for (list, order) in entry.rows {
      for row in order.before { origins[row] = list }
      for row in order.after { destinations[row] = list }
    }
  }

  /// Whether the change took the row from its place in a list, so that it goes back there.
  func isBack(_ row: RowID, to list: ListID) -> Bool {
    origins[row] == list && (destinations[row] != list || entry.moved.contains(row))
  }

  /// The entry that the trash had for a row that the change restored, if it can have it again.
  func former(_ row: RowID, leaving list: ListID) -> ArrayState.Deleted? {
    guard var deleted = entry.restored[row] else { return nil }
    guard state.isStill(deleted.list, since: revision) else {
      guard !state.isScoped(caller) else { return nil }
      deleted.list = list
      deleted.isRehomed = true
      return deleted
    }
    guard isInSight(RowID(deleted.list)), !state.chain(of: RowID(deleted.list)).contains(row)
    else { return nil }
    return deleted
  }

  func arriving(in list: ListID) -> [RowID] {
    (entry.rows[list]?.before ?? []).filter { destinations[$0] != list }
  }

  /// Of the rows that come back into a list from another one, as they are now.
  var levels: [RowID: Int] {
    let moved = destinations.keys.filter { origins[$0] != nil && origins[$0] != destinations[$0] }
    return Dictionary(uniqueKeysWithValues: moved.map { ($0, state.level(of: $0)) })
  }

  /// First those that the rows themselves show, then those that take a look at what has happened since.
  mutating func findConflicts() throws(InventoryError) {
    for (list, order) in entry.rows {
      if entry.reordered.contains(list) {
        guard state.isStill(list, since: revision) else { throw .notFound(.list) }
        if !isLive(list) { conflicts[RowID(list)] = .gone }
        continue
      }
      for row in order.before where isBack(row, to: list) { look(atReturn: row, to: list) }
      for row in order.after where origins[row] == nil { look(atInserted: row) }
    }
    for (item, edit) in entry.itemEdits { look(at: item, edit) }
    for (item, edit) in entry.photoEdits {
      if !isLive(RowID(item)) {
        note(RowID(item), .gone)
      } else if state[item].photos != edit.after {
        note(RowID(item), .edited)
      } else {
        photos[item] = edit.before
      }
    }
    for (list, edit) in entry.listEdits { look(at: list, edit) }
    for (list, order) in entry.rows {
      if entry.reordered.contains(list) {
        if conflicts[RowID(list)] == nil,
          state[list].rows != order.after || !order.after.allSatisfy(isStill)
        {
          note(RowID(list), .reordered)
        }
        continue
      }
      for row in order.before
      where conflicts[row] == nil && isBack(row, to: list) && destinations[row] != nil {
        if !isInPlace(row) { note(row, .moved) }
      }
      for row in order.after where conflicts[row] == nil && origins[row] == nil {
        if !isInPlace(row) {
          note(row, .moved)
        } else if isEdited(row) {
          note(row, .edited)
        }
      }
    }
    try refuseConflicts()
  }

  private func refuseConflicts() throws(InventoryError) {
    guard !conflicts.isEmpty else { return }
    let all = conflicts.map { UndoConflict($0.key, $0.value) }
    throw .undoConflict(
      Array(all.sorted { $0.id.description < $1.id.description }.prefix(UndoConflict.most)))
  }

  /// Whether it got no place since, or the same rows come before it as after the change, of those that were there then
  /// and are there now.
  private func isInPlace(_ row: RowID) -> Bool {
    guard state.placed[row] ?? Revision(0) > revision else { return true }
    guard let list = destinations[row], let order = entry.rows[list] else { return false }
    let now = state[list].rows
    func before(_ rows: [RowID], _ others: [RowID]) -> Set<RowID> {
      Set(rows.prefix { $0 != row }).intersection(others)
    }
    return before(order.after, now) == before(now, order.after)
  }

  /// Whether the row, or anything below it, has other values or other rows than after the change.
  private func isEdited(_ row: RowID) -> Bool {
    if hasOtherValues(row) { return true }
    if let item = state.items[ItemID(row)] {
      return item.contents.map { isEdited(RowID($0)) } ?? false
    }
    let list = state[ListID(row)]
    if list.revision > revision {
      let then = list.versions.last { $0.revision <= revision }
      guard then?.rows.map(\.id) == list.rows, list.rows.allSatisfy(isStill) else { return true }
    }
    return list.rows.contains(where: isEdited)
  }

  /// Whether the later changes of its fields in the log have an effect together.
  private func hasOtherValues(_ row: RowID) -> Bool {
    let items = later.compactMap { $0.itemEdits[ItemID(row)] }
    let photos = later.compactMap { $0.photoEdits[ItemID(row)] }
    let lists = later.compactMap { $0.listEdits[ListID(row)] }
    let contents = state.items[ItemID(row)]?.contents
    return items.first?.before != items.last?.after || photos.first?.before != photos.last?.after
      || lists.first?.before != lists.last?.after
      || contents.map { !state.isStill($0, since: revision) } ?? false
  }

  private func isLive(_ list: ListID) -> Bool {
    state.isStill(list, since: revision) && isLive(RowID(list))
  }

  private func isStill(_ row: RowID) -> Bool { state.isStill(row, since: revision) }

  /// What has left the caller's sight is gone to it.
  private func isLive(_ row: RowID) -> Bool {
    isStill(row) && state.isLive(row) && isInSight(row)
  }

  private func isInSight(_ row: RowID) -> Bool {
    state.isInSight(row, for: caller)
  }

  private mutating func look(atReturn row: RowID, to list: ListID) {
    if destinations[row] != nil {
      guard isLive(row) else { return note(row, .gone) }
      if isElsewhere(row) { return note(row, .moved) }
    } else {
      guard state.exists(row), isStill(row), isInSight(row) else { return note(row, .gone) }
      guard let deleted = state.trash[row] else {
        return note(row, isLive(row) ? .moved : .gone)
      }
      if let then = entry.deleted[row], deleted.revision != then.revision,
        deleted.list != then.list || deleted.isRehomed || !state.isStill(then.list, since: revision)
      {
        return note(row, .moved)
      }
    }
    if !isLive(list) { note(row, .listGone) }
  }

  private mutating func look(atInserted row: RowID) {
    guard isLive(row) else { return note(row, .gone) }
    if isElsewhere(row) { note(row, .moved) }
  }

  /// Whether it has come into another list than the change left it in.
  private func isElsewhere(_ row: RowID) -> Bool {
    guard state.placed[row] ?? Revision(0) > revision else { return false }
    guard let list = state.seat(of: row)?.list, list == destinations[row] else { return true }
    // A list that has the id of one that was purged is another.
    return state.lists[list] != nil && !state.isStill(list, since: revision)
  }

  private mutating func look(
    at item: ItemID, _ edit: ArrayLogEntry.Difference<ItemDetails>
  ) {
    guard state.items[item] != nil, isLive(RowID(item)) else {
      return note(RowID(item), .gone)
    }
    var details = state[item].details
    let isSet = DetailFields.item.allSatisfy { $0.reset(edit, &details) }
    let year = now.year
    guard isSet, details.fieldErrors(currentYear: year).isEmpty else {
      return note(RowID(item), .edited)
    }
    items[item] = details
  }

  private mutating func look(at list: ListID, _ edit: ArrayLogEntry.Difference<ListDetails>) {
    // Its id may be another kind's by now.
    guard state.lists[list] != nil, isLive(RowID(list)) else {
      return note(RowID(list), .gone)
    }
    var details = state[list].details
    let isSet = DetailFields.list.allSatisfy { $0.reset(edit, &details) }
    guard isSet, details.fieldErrors.isEmpty else { return note(RowID(list), .edited) }
    lists[list] = details
  }

  private mutating func note(_ row: RowID, _ reason: UndoConflict.Reason) {
    if conflicts[row] == nil { conflicts[row] = reason }
  }

  // What it takes.

  var changesPermissions: Bool {
    lists.contains { $0.value.permissions != state[$0.key].details.permissions }
  }

  /// Of each list, titles of lists apart.
  var needs: [ListID: Permissions] {
    var needs: [ListID: Permissions] = [:]
    for (list, order) in entry.rows {
      if entry.reordered.contains(list) {
        needs[list, default: []].insert(.move)
        continue
      }
      for row in order.before where isBack(row, to: list) {
        needs[list, default: []].insert(destinations[row] == list ? .move : .add)
      }
      for row in order.after where origins[row] != list {
        needs[list, default: []].insert(origins[row] == nil ? .delete : .move)
      }
    }
    for item in Array(items.keys) + photos.keys {
      needs[state[item].list, default: []].insert(.edit)
    }
    return needs
  }

  /// Whether a row would be below itself once all rows are back.
  func isCycle(_ row: RowID, into list: ListID) -> Bool {
    var passed: Set<RowID> = []
    var next: RowID? = RowID(list)
    while let id = next, passed.insert(id).inserted {
      if id == row { return true }
      if let origin = origins[id], destinations[id] != nil {
        next = RowID(origin)
      } else if let list = state.lists[ListID(id)] {
        next = list.parent.map { RowID($0) } ?? list.item.map { RowID($0) }
      } else {
        next = state.items[ItemID(id)].map { RowID($0.list) }
      }
    }
    return false
  }
}

/// The fields that are edited, and put back, by themselves.
private struct DetailFields<Details: Sendable & Equatable> {
  /// Sets the field as it was before the edit, if the edit touched it; false where it is no more as
  /// the edit left it.
  let reset: (ArrayLogEntry.Difference<Details>, inout Details) -> Bool

  init<Value>(_ path: WritableKeyPath<Details, Value>) {
    // Details are compared as a whole, since they alone tell texts apart by their bytes.
    func set(_ details: Details, as other: Details) -> Details {
      var details = details
      details[keyPath: path] = other[keyPath: path]
      return details
    }
    reset = { edit, details in
      guard set(edit.before, as: edit.after) != edit.before else { return true }
      guard set(details, as: edit.after) == details else { return false }
      details = set(details, as: edit.before)
      return true
    }
  }
}

extension DetailFields where Details == ItemDetails {
  static var item: [Self] {
    [
      Self(\.name), Self(\.serialNumber), Self(\.value), Self(\.quantity), Self(\.notes),
      Self(\.tags), Self(\.fields), Self(\.car.make), Self(\.car.model), Self(\.car.year),
      Self(\.car.fuelAmount),
    ]
  }
}

extension DetailFields where Details == ListDetails {
  static var list: [Self] {
    [
      Self(\.title), Self(\.itemKind), Self(\.permissions), Self(\.sentinel.text),
      Self(\.sentinel.isVisible), Self(\.deleteLabel), Self(\.glyph), Self(\.colour),
    ]
  }
}

extension ItemDetails {
  fileprivate var car: Car {
    get { if case .car(let car) = subject { car } else { Car() } }
    set { if case .car = subject { subject = .car(newValue) } }
  }
}
