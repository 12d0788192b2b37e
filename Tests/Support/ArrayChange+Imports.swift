import FoundationEssentials
import Inventory

extension ArrayChange {
  mutating func stage(
    _ records: [NumberedRecord], of id: ImportID, _ target: ImportTarget
  ) throws(InventoryError) -> Outcome {
    try state.requireRoot(of: caller)
    try requireValid(records, areNew: true)
    var rest = records[...]
    if state.staged[id] == nil {
      state.staged[id] = try begin(&rest, target)
    }
    guard var tree = state.staged[id] else { throw .importGone }
    let most = hasTarget(tree) ? mostLevels(in: tree.list) : .max
    for numbered in rest {
      if let reason = try put(numbered.record, into: &tree, most: most) {
        throw .lineConflicts([
          LineConflict(line: numbered.line, id: numbered.record.id, reason: reason)
        ])
      }
    }
    state.staged[id] = tree
    return unchanged
  }

  mutating func abandonImport(_ id: ImportID) -> Outcome {
    state.staged[id] = nil
    return unchanged
  }

  mutating func finishImport(
    _ id: ImportID, _ appearance: Appearance?
  ) throws(InventoryError) -> Outcome {
    try state.requireRoot(of: caller)
    guard let tree = state.staged.removeValue(forKey: id) else { throw .importGone }
    guard let list = tree.list else { return try replaceInventory(by: tree, appearance) }
    guard hasTarget(tree) else { throw .notFound(.list) }
    try state.require(RowID(list), for: caller, as: .list)
    try requireRole(.editor)
    try require(.add, in: list)
    try state.requireRoom(
      onLevel: state.level(of: RowID(list)) + tree.levels, for: caller)
    state.lists.merge(tree.lists) { present, _ in present }
    state.items.merge(tree.items) { present, _ in present }
    state.photos.merge(tree.photos) { present, _ in present }
    state[tree.top].parent = list
    arrive(tree)
    setRows(state[list].rows + [RowID(tree.top)], of: list)
    return Outcome(receipt: finish())
  }

  /// Whether the list has not been purged since that takes the tree in. Another may have its id.
  private func hasTarget(_ tree: ArrayState.StagedTree) -> Bool {
    tree.list.map { state.isStill(RowID($0), since: tree.revision) } ?? true
  }

  var unchanged: Outcome {
    Outcome(receipt: Receipt(revision: before.revision, isChanged: false))
  }

  private func begin(
    _ records: inout ArraySlice<NumberedRecord>, _ target: ImportTarget
  ) throws(InventoryError) -> ArrayState.StagedTree {
    var list: ListID?
    switch target {
    case .inventory: try requireWholeInventory()
    case .end(let reference):
      let id = try state.listID(reference, for: caller)
      try requireRole(.editor)
      try require(.add, in: id)
      list = id
    }
    guard state.staged.count < Limits.importsAtOnce else { throw .importRunning }
    guard let first = records.popFirst() else { throw .importGone }
    guard case .list(let top) = first.record, top.holder == .nothing else {
      throw .lineConflicts([
        LineConflict(line: first.line, id: first.record.id, reason: .noParent)
      ])
    }
    if list != nil, isTaken(RowID(top.id)) {
      throw .lineConflicts([LineConflict(line: first.line, id: RowID(top.id), reason: .idTaken)])
    }
    if mostLevels(in: list) < 1 {
      throw .lineConflicts([LineConflict(line: first.line, id: RowID(top.id), reason: .tooDeep)])
    }
    var tree = ArrayState.StagedTree(list: list, top: top.id, revision: state.revision)
    if list == nil { tree.revision = Revision(state.revision.number + Revision.replacementGap) }
    tree.lists[top.id] = stored(top, in: tree)
    return tree
  }

  /// On how many levels the tree may have lists, unless it turns out at the end that nothing takes it in.
  private func mostLevels(in list: ListID?) -> Int {
    guard let limit = state.depthLimit else { return .max }
    guard let list else { return limit.level }
    do throws(InventoryError) { try state.require(RowID(list), for: caller, as: .list) } catch {
      return .max
    }
    return limit.level - state.level(of: RowID(list))
  }

  func requireWholeInventory() throws(InventoryError) {
    try requireRole(.owner)
    guard caller.root == nil || caller.root == state.rootID else {
      throw .needsWholeInventory
    }
  }

  private func stored(
    _ list: TransferredList, in tree: ArrayState.StagedTree
  ) -> ArrayState.StoredList {
    ArrayState.StoredList(
      details: list.details, revision: tree.revision, createdAt: list.createdAt,
      updatedAt: list.updatedAt)
  }

  private mutating func put(
    _ record: TransferRecord, into tree: inout ArrayState.StagedTree, most levels: Int
  ) throws(InventoryError) -> LineConflict.Reason? {
    if case .photo(let photo) = record { return try put(photo, into: &tree) }
    guard let holder = record.holder else { return .secondTop }
    let isInTree = tree.lists[ListID(record.id)] != nil || tree.items[ItemID(record.id)] != nil
    if isInTree || (tree.list != nil && isTaken(record.id)) { return .idTaken }
    switch record {
    case .list(let list):
      var new = stored(list, in: tree)
      if case .item(let item) = list.holder {
        guard let present = tree.items[item] else { return .noParent }
        guard present.contents == nil else { return .otherContents }
        guard tree.level(of: holder) < levels else { return .tooDeep }
        new.item = item
        tree.items[item]?.contents = list.id
      } else {
        guard tree.lists[ListID(holder)] != nil else { return .noParent }
        guard tree.level(of: holder) < levels else { return .tooDeep }
        new.parent = ListID(holder)
        tree.lists[ListID(holder)]?.rows.append(record.id)
      }
      tree.lists[list.id] = new
    case .item(let item):
      guard tree.lists[item.list] != nil else { return .noParent }
      tree.lists[item.list]?.rows.append(record.id)
      tree.items[item.id] = ArrayState.StoredItem(
        list: item.list, details: item.details, contents: nil, revision: tree.revision,
        createdAt: item.createdAt, updatedAt: item.updatedAt)
    case .photo: break
    }
    return nil
  }

  private mutating func put(
    _ photo: TransferredPhoto, into tree: inout ArrayState.StagedTree
  ) throws(InventoryError) -> LineConflict.Reason? {
    let isTaken = tree.list != nil && state.photos[photo.id] != nil
    if isTaken || tree.photos[photo.id] != nil { return .idTaken }
    guard let item = tree.items[photo.item] else { return .noParent }
    guard item.photos.count < Limits.photosOfItem else { return .tooManyPhotos }
    guard let upload = photo.upload, state.uploads[upload] != nil else { throw .importGone }
    tree.photos[photo.id] = arrived(photo, at: tree.revision)
    tree.items[photo.item]?.photos.append(photo.id)
    return nil
  }

  /// A photo of the bytes that have been staged for it.
  mutating func arrived(
    _ photo: TransferredPhoto, at revision: Revision
  ) -> ArrayState.StoredPhoto {
    guard let bytes = photo.upload.flatMap({ state.uploads.removeValue(forKey: $0) }) else {
      preconditionFailure("The photo \(photo.id) has no bytes.")
    }
    return ArrayState.StoredPhoto(
      photo: Photo(
        id: photo.id, image: photo.image, size: photo.size, revision: revision,
        createdAt: photo.createdAt),
      item: photo.item, bytes: bytes)
  }

  private mutating func replaceInventory(
    by tree: ArrayState.StagedTree, _ appearance: Appearance?
  ) throws(InventoryError) -> Outcome {
    try requireWholeInventory()
    try state.requireRoom(onLevel: tree.levels, for: caller)
    if let appearance { save(appearance) }
    let revision = Revision(before.revision.number + Revision.replacementGap)
    state.revision = revision
    state.historyStart = revision
    state.rootID = tree.top
    state.lists = tree.lists
    state.items = tree.items
    state.photos = tree.photos
    state.trash = [:]
    state.staged = [:]
    state.removeTokens { [lists = state.lists] in lists[$0] == nil }
    state.log = [:]
    arrive(tree)
    return Outcome(receipt: Receipt(revision: revision, isChanged: true))
  }

  private mutating func arrive(_ tree: ArrayState.StagedTree) {
    let revision = tree.list == nil ? state.revision : before.revision.next
    state.arrivals.insert(revision)
    for list in tree.lists.keys {
      state[list].revision = revision
      keepVersion(of: list, at: revision)
      state.arrived[RowID(list)] = revision
    }
    for item in tree.items.keys { state.arrived[RowID(item)] = tree.revision }
  }

  private mutating func keepVersion(of list: ListID, at revision: Revision) {
    state[list].versions = [
      ArrayState.Version(
        revision: revision, details: state[list].details, parent: state[list].parent,
        rows: state.rows(of: list))
    ]
  }
}

extension ArrayState {
  /// What an export has of a list or an item, and of its photos.
  func records(of row: RowID) -> [TransferRecord] {
    let photos = items[ItemID(row)] == nil ? [] : photos(of: ItemID(row))
    return [record(of: row, isTop: false)]
      + photos.map { photo in
        .photo(
          TransferredPhoto(
            id: photo.id, item: ItemID(row), image: photo.image, size: photo.size,
            createdAt: photo.createdAt))
      }
  }

  /// What an export has of a list or an item.
  func record(of row: RowID, isTop: Bool) -> TransferRecord {
    if let list = lists[ListID(row)] {
      let holder: TransferredList.Holder =
        isTop
        ? .nothing : list.item.map { .item($0) } ?? list.parent.map { .list($0) } ?? .nothing
      return .list(
        TransferredList(
          id: ListID(row), holder: holder, details: list.details, createdAt: list.createdAt,
          updatedAt: list.updatedAt))
    }
    let item = self[ItemID(row)]
    return .item(
      TransferredItem(
        id: ItemID(row), list: item.list, details: item.details, createdAt: item.createdAt,
        updatedAt: item.updatedAt))
  }
}
