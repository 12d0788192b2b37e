import Inventory
import JSON

extension ArrayChange {
  mutating func merge(
    _ records: [NumberedRecord], into list: ListReference
  ) throws(InventoryError) -> Outcome {
    let target = try state.listID(list, for: caller)
    try requireRole(.editor)
    guard records.count <= Limits.rowsInOneChange else {
      throw .tooManyRows(limit: Limits.rowsInOneChange)
    }
    try requireValid(records, areNew: false)
    let records = records.map { NumberedRecord(line: $0.line, record: filled($0.record)) }
    // A trial on a copy finds the conflicts; permissions are looked at only where there are none.
    var trial = self
    var conflicts: [LineConflict] = []
    var seen: Set<RowID> = []
    var seenPhotos: Set<RowID> = []
    for (number, numbered) in records.enumerated() {
      let id = numbered.record.id
      let isNew =
        if case .photo = numbered.record { seenPhotos.insert(id).inserted } else {
          seen.insert(id).inserted
        }
      var reason: LineConflict.Reason? = isNew ? nil : .repeated
      if reason == nil {
        reason = trial.conflict(of: numbered.record, isFirst: number == 0, into: target)
      }
      if reason == nil, case .photo(let photo) = numbered.record, photo.upload == nil,
        trial.state.photos[photo.id] == nil
      {
        throw .importGone
      }
      if let reason {
        conflicts.append(LineConflict(line: numbered.line, id: id, reason: reason))
      } else {
        trial.put(numbered.record, into: target)
      }
    }
    guard conflicts.isEmpty else { throw .lineConflicts(Array(conflicts.prefix(100))) }
    let nameless = records.compactMap { $0.record.missingName?.on(line: $0.line) }
    guard nameless.isEmpty else {
      throw .invalidLines(Array(nameless.prefix(Limits.reportedErrors)))
    }
    var counts = TransferCounts()
    var changedItems: Set<ItemID> = []
    for numbered in records {
      try requirePermission(for: numbered.record, into: target)
      switch change(by: numbered.record) {
      case .creation: counts.created += 1
      case .edit(nil): counts.updated += 1
      case .edit(let item?): if changedItems.insert(item).inserted { counts.updated += 1 }
      case .nothing: break
      }
      put(numbered.record, into: target)
    }
    let receipt = finish()
    return Outcome(receipt: receipt, counts: counts)
  }

  func requireValid(_ records: [NumberedRecord], areNew: Bool) throws(InventoryError) {
    let year = now.year
    let fieldErrors = records.flatMap { numbered in
      numbered.record.fieldErrors(currentYear: year, isNew: areNew).map {
        $0.on(line: numbered.line)
      }
    }
    guard fieldErrors.isEmpty else { throw .invalidLines(fieldErrors) }
  }

  /// An item may be changed by several records.
  private enum Kind { case creation, edit(ItemID? = nil), nothing }

  private func change(by record: TransferRecord) -> Kind {
    switch record {
    case .list(let list):
      state.lists[list.id].map { $0.details == list.details ? .nothing : .edit() } ?? .creation
    case .item(let item):
      state.items[item.id].map { $0.details == item.details ? .nothing : .edit(item.id) }
        ?? .creation
    case .photo(let photo):
      before.items[photo.item] == nil || state[photo.item].photos.contains(photo.id)
        ? .nothing : .edit(photo.item)
    }
  }

  /// The record with what its line leaves out as what has its id has it.
  private func filled(_ record: TransferRecord) -> TransferRecord {
    switch record {
    case .list(let list): .list(state.lists[list.id].map { list.filled(from: $0.details) } ?? list)
    case .item(let item): .item(state.items[item.id].map { item.filled(from: $0.details) } ?? item)
    case .photo: record
    }
  }

  private func isVisible(_ row: RowID) -> Bool {
    (try? state.require(row, for: caller, as: .row)) != nil
  }

  private func conflict(
    of record: TransferRecord, isFirst: Bool, into target: ListID
  ) -> LineConflict.Reason? {
    if case .photo(let photo) = record { return conflict(of: photo) }
    guard isFirst == (record.holder == nil) else { return isFirst ? .noParent : .secondTop }
    let isPresent = isTaken(record.id)
    if isPresent {
      do throws(InventoryError) {
        try state.require(record.id, for: caller, as: .row)
      } catch {
        if case .inTrash = error { return .inTrash }
        return .idTaken
      }
    }
    switch record {
    case .list(let list):
      if isPresent, state.lists[list.id] == nil { return .otherKind }
      switch list.holder {
      case .nothing: return isPresent ? nil : hasRoom(below: RowID(target))
      case .list(let above):
        guard state.lists[above] != nil, isVisible(RowID(above)) else { return .noParent }
        if isPresent { return hasHolder(list.id) && state[list.id].item == nil ? nil : .elsewhere }
        return hasRoom(below: RowID(above))
      case .item(let above):
        guard let item = state.items[above], isVisible(RowID(above)) else { return .noParent }
        guard !isPresent else {
          return hasHolder(list.id) && state[list.id].item == above ? nil : .elsewhere
        }
        return item.contents == nil ? hasRoom(below: RowID(above)) : .otherContents
      }
    case .item(let item):
      let kind = item.details.kind
      if isPresent, state.items[item.id]?.details.kind != kind { return .otherKind }
      guard let list = state.lists[item.list], isVisible(RowID(item.list)) else {
        return .noParent
      }
      if isPresent { return nil }
      // Lists that come with the import may hold what they would not take in.
      guard before.lists[item.list] != nil else { return nil }
      return list.details.itemKind.accepts(kind) ? nil : .kindMismatch
    case .photo: return nil
    }
  }

  /// Whether the caller sees what contains the list.
  private func hasHolder(_ list: ListID) -> Bool { list != state.rootID && list != caller.root }

  private func hasRoom(below holder: RowID) -> LineConflict.Reason? {
    let limit = state.depthLimit
    return limit?.admits(state.level(of: holder) + 1) ?? true ? nil : .tooDeep
  }

  private func conflict(of photo: TransferredPhoto) -> LineConflict.Reason? {
    guard let item = state.items[photo.item], isVisible(RowID(photo.item)) else { return .noParent }
    if let present = state.photos[photo.id] {
      guard present.item == photo.item else { return .idTaken }
      let isBack = photo.upload != nil && !item.photos.contains(photo.id)
      if isBack, !isRemoved(photo, present.photo) { return .idTaken }
    }
    let isFull = item.photos.count >= Limits.photosOfItem
    return isFull && !item.photos.contains(photo.id) ? .tooManyPhotos : nil
  }

  /// Whether a removed photo has the values of one that arrives, and the caller saw it until then.
  private func isRemoved(_ photo: TransferredPhoto, _ present: Photo) -> Bool {
    let removals = state.log.filter { _, entry in
      entry.photoEdits[photo.item].map {
        $0.before.contains(photo.id) && !$0.after.contains(photo.id)
      } ?? false
    }
    return present.size == photo.size && present.image == photo.image
      && removals.keys.max().map { state.sees(RowID(photo.item), at: $0, for: caller) } ?? false
  }

  private func requirePermission(
    for record: TransferRecord, into target: ListID
  ) throws(InventoryError) {
    func requireIfKnown(_ permission: Permissions, in list: ListID) throws(InventoryError) {
      if before.lists[list] != nil { try require(permission, in: list) }
    }
    switch record {
    case .list(let list):
      if let present = state.lists[list.id] {
        if present.details.permissions != list.details.permissions { try requireRole(.owner) }
        let parent = state.list(list.id, for: caller).parentID
        let fields = ListFields(between: present.details, and: list.details)
        if let parent, !fields.isDisjoint(with: .shownByRow) {
          try require(.edit, in: parent)
        }
        return
      }
      switch list.holder {
      case .nothing: try require(.add, in: target)
      case .list(let above): try requireIfKnown(.add, in: above)
      case .item(let above):
        if before.items[above] != nil { try requireIfKnown(.edit, in: state[above].list) }
      }
    case .item(let item):
      if let present = state.items[item.id] {
        if present.details != item.details { try require(.edit, in: present.list) }
      } else {
        try requireIfKnown(.add, in: item.list)
      }
    case .photo(let photo):
      guard let item = before.items[photo.item],
        !state[photo.item].photos.contains(photo.id)
      else { return }
      try requireIfKnown(.edit, in: item.list)
    }
  }

  private mutating func put(_ record: TransferRecord, into target: ListID) {
    switch record {
    case .list(let list):
      if state.lists[list.id] != nil {
        state[list.id].details = list.details
        touch(list.id)
        return
      }
      var new = ArrayState.StoredList(
        details: list.details, revision: before.revision.next, createdAt: list.createdAt,
        updatedAt: list.updatedAt)
      var above: ListID?
      switch list.holder {
      case .nothing: above = target
      case .list(let id): above = id
      case .item(let id):
        new.item = id
        state[id].contents = list.id
        touch(id)
      }
      new.parent = above
      state.lists[list.id] = new
      touch(list.id)
      if let above { setRows(state[above].rows + [RowID(list.id)], of: above) }
    case .item(let item):
      if state.items[item.id] != nil {
        state[item.id].details = item.details
      } else {
        state.items[item.id] = ArrayState.StoredItem(
          list: item.list, details: item.details, contents: nil, revision: before.revision.next,
          createdAt: item.createdAt, updatedAt: item.updatedAt)
        arrivalTimes[item.id] = item.updatedAt
        setRows(state[item.list].rows + [RowID(item.id)], of: item.list)
      }
      touch(item.id)
    case .photo(let photo):
      if state.photos[photo.id] == nil {
        state.photos[photo.id] = arrived(photo, at: before.revision.next)
      } else if let upload = photo.upload {
        state.uploads[upload] = nil
      }
      guard !state[photo.item].photos.contains(photo.id) else { return }
      state[photo.item].photos.append(photo.id)
      touch(photo.item)
    }
  }

  mutating func upsert(
    _ upserts: [ItemUpsert], in list: ListReference
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    guard upserts.count <= Limits.rowsInOneChange else {
      throw .tooManyRows(limit: Limits.rowsInOneChange)
    }
    try requireMatch(list: list)
    var seen: Set<ItemID> = []
    var conflicts: [LineConflict] = []
    var faults: [FieldError] = []
    var steps: [(upsert: ItemUpsert, id: ItemID, details: ItemDetails)] = []
    let hasRooms = upserts.contains { !$0.rooms.isEmpty }
    let lists = hasRooms ? self.lists(below: list) : [list]
    for upsert in upserts {
      let match = present(upsert, in: lists)
      let present = match?.item
      let id = present ?? upsert.id ?? upsert.newID
      guard seen.insert(id).inserted else {
        conflicts.append(
          LineConflict(
            line: upsert.line, id: RowID(id), reason: .repeated, match: match?.by ?? .id))
        continue
      }
      let (details, broken) = try upsert.patch.applied(to: present.map { state[$0].details })
      faults += (broken + fieldErrors(of: details)).map {
        $0.on(line: upsert.line)
      }
      if present == nil {
        if isTaken(RowID(id)) {
          var reason = LineConflict.Reason.idTaken
          do throws(InventoryError) { try state.require(RowID(id), for: caller, as: .row) } catch {
            if case .inTrash = error { reason = .inTrash }
          }
          conflicts.append(LineConflict(line: upsert.line, id: RowID(id), reason: reason))
        }
        if !hasRooms, !state[list].details.itemKind.accepts(details.kind) {
          conflicts.append(LineConflict(line: upsert.line, id: RowID(id), reason: .kindMismatch))
        }
      }
      steps.append((upsert, id, details))
    }
    guard faults.isEmpty else { throw .invalidLines(Array(faults.prefix(Limits.reportedErrors))) }
    guard conflicts.isEmpty else {
      throw .lineConflicts(Array(conflicts.prefix(Limits.reportedErrors)))
    }
    if hasRooms { return try merge(try roomed(steps, in: list), into: .id(list)) }
    var counts = TransferCounts()
    for (_, id, details) in steps {
      if let present = state.items[id] {
        guard present.details != details else { continue }
        try require(.edit, in: list)
        state[id].details = details
        counts.updated += 1
      } else {
        try require(.add, in: list)
        state.items[id] = ArrayState.StoredItem(
          list: list, details: details, contents: nil, revision: before.revision.next,
          createdAt: now, updatedAt: now)
        setRows(state[list].rows + [RowID(id)], of: list)
        counts.created += 1
      }
      touch(id)
    }
    return Outcome(receipt: finish(), counts: counts)
  }

  private func present(
    _ upsert: ItemUpsert, in lists: [ListID]
  ) -> (item: ItemID, by: LineConflict.Match)? {
    let items = lists.flatMap { state[$0].rows }.map { ItemID($0) }
      .filter { state.items[$0] != nil }
    if let id = upsert.id { return items.contains(id) ? (id, .id) : nil }
    if let reference = upsert.reference {
      let named = items.filter { text(of: reference.field, in: $0) == reference.value }
      if named.count == 1 { return (named[0], .reference) }
    }
    guard let serial = upsert.serialNumber else { return nil }
    let found = items.filter { state[$0].details.serialNumber.hasBytes(of: serial) }
    guard found.count == 1 else { return nil }
    let other = upsert.referenceField.flatMap { text(of: $0, in: found[0]) }
    return other == nil || other == upsert.reference?.value ? (found[0], .serialNumber) : nil
  }

  /// An item's custom field as a reference: the trimmed text, the UUID at the end of an address, or a number. Nil for
  /// other values.
  private func text(of field: String, in item: ItemID) -> String? {
    let fields = try? JSONReader.parse(Array(state[item].details.fields.json.utf8))
    guard case .object(let object)? = fields else { return nil }
    switch object[field] {
    case .string(let text):
      return ItemReference(field: field, value: TextRules.trimmed(text)).value
    case .number(let number): return number.text
    default: return nil
    }
  }
}
