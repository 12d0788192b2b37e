import Inventory

extension ArrayChange {
  mutating func create(_ new: NewList) throws(InventoryError) -> Outcome {
    let parent = try state.listID(new.parent, for: caller)
    try requireRole(.editor)
    try requireValid(new.details.fieldErrors)
    if try isRepeated(RowID(new.id), state.lists[new.id].map { $0.parent == parent }) {
      return Outcome(
        receipt: finish(), resource: resource(list: new.id))
    }
    try requireMatch(list: parent)
    try require(.add, in: parent)
    try state.requireRoom(onLevel: state.level(of: RowID(parent)) + 1, for: caller)
    let landing = try landing(new.position, among: state[parent].rows)
    add(new.id, new.details)
    state[new.id].parent = parent
    var rows = state[parent].rows
    rows.insert(RowID(new.id), at: landing.index)
    setRows(rows, of: parent)
    let receipt = finish(
      landing: landing)
    return Outcome(receipt: receipt, resource: resource(list: new.id), isCreated: true)
  }

  mutating func create(
    _ new: NewItem, in list: ListReference, _ position: Position
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    try requireValid(fieldErrors(of: new.details))
    let isSame = state.items[new.id].map {
      $0.list == list && $0.details.kind == new.details.kind
    }
    if try isRepeated(RowID(new.id), isSame) {
      return Outcome(
        receipt: finish(), resource: resource(item: new.id))
    }
    try requireMatch(list: list)
    try require(.add, in: list)
    let landing = try put(new, into: list, position)
    let receipt = finish(landing: landing)
    return Outcome(receipt: receipt, resource: resource(item: new.id), isCreated: true)
  }

  mutating func append(
    _ new: [NewItem], to list: ListReference
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    guard new.count <= Limits.rowsInOneChange else {
      throw .tooManyRows(limit: Limits.rowsInOneChange)
    }
    for (number, item) in new.enumerated() {
      try requireValid(
        fieldErrors(of: item.details).map { FieldError([String(number)] + $0.path, $0.detail) })
    }
    try requireMatch(list: list)
    try require(.add, in: list)
    for item in new {
      // Only a single creation can be repeated.
      guard !isTaken(RowID(item.id)) else { throw .idTaken(RowID(item.id)) }
      _ = try put(item, into: list, .last)
    }
    return Outcome(receipt: finish())
  }

  mutating func makeContents(of item: ItemID, id: ListID) throws(InventoryError) -> Outcome {
    try state.requireItem(item, for: caller)
    try requireRole(.editor)
    if let contents = state[item].contents {
      try requireMatch(item: item)
      return Outcome(
        receipt: finish(), resource: resource(list: contents))
    }
    guard !isTaken(RowID(id)) else { throw .idTaken(RowID(id)) }
    try requireMatch(item: item)
    try require(.edit, in: state[item].list)
    try state.requireRoom(onLevel: state.level(of: RowID(item)) + 1, for: caller)
    add(id, ListDetails(title: state[item].details.title))
    state[id].item = item
    state[item].contents = id
    touch(item)
    let receipt = finish(isUndoable: false)
    return Outcome(receipt: receipt, resource: resource(list: id), isCreated: true)
  }

  private mutating func put(
    _ new: NewItem, into list: ListID, _ position: Position
  ) throws(InventoryError) -> Landing {
    try requireAccepted(new.details.kind, by: list)
    let landing = try landing(position, among: state[list].rows)
    add(new, to: list)
    var rows = state[list].rows
    rows.insert(RowID(new.id), at: landing.index)
    setRows(rows, of: list)
    return landing
  }

  func requireAccepted(_ kind: ItemKind, by list: ListID) throws(InventoryError) {
    let accepts = state[list].details.itemKind
    guard accepts.accepts(kind) else { throw .kindMismatch(list: list, accepts: accepts) }
  }

  /// Makes an item without putting it among the rows.
  mutating func add(_ new: NewItem, to list: ListID) {
    state.items[new.id] = ArrayState.StoredItem(
      list: list, details: new.details, contents: nil, revision: before.revision.next,
      createdAt: new.createdAt ?? now, updatedAt: now)
    touch(new.id)
  }

  mutating func add(_ id: ListID, _ details: ListDetails) {
    state.lists[id] = ArrayState.StoredList(
      details: details, revision: before.revision.next, createdAt: now, updatedAt: now)
    touch(id)
  }

  /// Whether the id is taken by just what is to be made; `isSame` is nil where it is not.
  ///
  /// What another caller has under this id, out of this caller's sight, takes the id too.
  func isRepeated(_ id: RowID, _ isSame: Bool?) throws(InventoryError) -> Bool {
    guard isTaken(id) else { return false }
    guard !isArriving(id) else { throw .idArriving(id) }
    do throws(InventoryError) {
      try state.require(id, for: caller, as: .row)
    } catch {
      if case .inTrash(let top) = error { throw .idInTrash(id, top: top) }
      throw .idTaken(id)
    }
    guard isSame == true else { throw .idTaken(id) }
    return true
  }

  func isTaken(_ id: RowID) -> Bool {
    state.lists[ListID(id)] != nil || state.items[ItemID(id)] != nil || isArriving(id)
  }

  private func isArriving(_ id: RowID) -> Bool {
    state.staged.values.contains {
      $0.list != nil && ($0.lists[ListID(id)] != nil || $0.items[ItemID(id)] != nil)
    }
  }
}
