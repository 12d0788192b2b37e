import FoundationEssentials
import Inventory
import SQL

extension CommandRunner {
  func batch(_ batch: Batch, in reference: ListReference) throws(StorageError) -> Outcome {
    let list = try change.list(reference)
    try change.requireRole(.editor)
    guard batch.count <= Limits.operationsInBatch else {
      throw .refused(.tooManyRows(limit: Limits.operationsInBatch))
    }
    try change.refuse(batch.fieldErrors(currentYear: change.currentYear))
    try change.requireMatch(list)
    if !batch.deletions.isEmpty { try change.require(.delete, in: list) }
    if !batch.insertions.isEmpty { try change.require(.add, in: list) }
    if !batch.moves.isEmpty { try change.require(.move, in: list) }
    try change.refuse(batch.fieldErrors(inListOf: list.tree.count))

    let deleted = try batch.deletions.map { (subject) throws(StorageError) in
      try row(subject, in: list, beyond: .sentinelUndeletable)
    }
    let moved = try batch.moves.map { (move) throws(StorageError) in
      try row(move.subject, in: list, beyond: .sentinelImmovable)
    }
    let updated = try batch.updates.map { (update) throws(StorageError) in
      try row(update.id, in: list)
    }
    try change.refuse(
      batch.fieldErrors(deleting: deleted.map(\.entry.id), moving: moved.map(\.entry.id)))
    var text = TextCost()
    try text.count((deleted + moved + updated).lazy.map(\.entry.key), in: db)
    var updates = try updates(batch.updates, of: updated, in: list)
    try requireRoom(for: updates, batch.insertions)
    for insertion in batch.insertions { try requireNew(insertion.new, in: list) }
    for row in deleted { try requireDeletable(row.entry, batch.isRecursive) }

    // Updates and deletions use the indices before the batch, so they come first.
    for number in updates.indices {
      try perform(&updates[number], at: updated[number].index, of: list)
    }
    for row in deleted.sorted(by: { $0.index > $1.index }) {
      try change.trash(try change.access.entry(row.entry.key), of: list.key, at: row.index)
    }
    let items = try place(batch, moved, after: deleted.map(\.index), in: list)
    let receipt = try change.commit(action: "batch")

    var results = BatchResults()
    results.deletions = deleted.map { .init(id: $0.entry.id, index: RowIndex($0.index)) }
    results.moves = zip(moved, batch.moves).map {
      .init(id: $0.entry.id, from: RowIndex($0.index), to: RowIndex($1.to))
    }
    for insertion in batch.insertions {
      let index = RowIndex(insertion.index)
      if let item = items[insertion.new.id] {
        results.insertions.append(.item(item, index: index))
      } else {
        let entry = try change.access.entry(insertion.new.id)
        results.insertions.append(
          .list(try change.visible(try change.list(entry.key)), index: index))
      }
    }
    for update in updates { results.updates.append(try resource(of: update, in: list)) }
    return Outcome(receipt: receipt, results: results)
  }

  /// A row that a batch names, with its index before the batch.
  private typealias Named = (entry: Access.Entry, index: Int)

  private func row(
    _ subject: Batch.Subject, in list: ListRecord, beyond sentinel: InventoryError
  ) throws(StorageError) -> Named {
    switch subject {
    case .id(let id): return try row(id, in: list)
    case .index(let index, let expected):
      let entry = try entry(
        at: index, of: list, expecting: expected, sentinel: sentinel, field: "index")
      return (entry, index)
    }
  }

  private func row(_ id: RowID, in list: ListRecord) throws(StorageError) -> Named {
    guard let entry = try change.access.find(id), entry.parent == list.key, entry.place != nil
    else { throw .refused(.rowMoved(id, now: nil)) }
    return (entry, try change.index(of: entry, in: list.key))
  }

  /// Throws `kindMismatch`, `tooDeep` or `idInTrash`, or `idTaken` if the id exists: inside a batch a creation is never
  /// treated as a repeated one.
  private func requireNew(_ new: Batch.New, in list: ListRecord) throws(StorageError) {
    switch new {
    case .item(let item): try change.requireAccepted(item.details.kind, by: list)
    case .list: try change.access.requireRoom(below: list.key)
    }
    guard let entry = try change.access.taken(new.id) else { return }
    try requireVisible(entry)
    throw .refused(.idTaken(new.id))
  }

  /// Inserts the new rows and moves the others. Returns the new items.
  ///
  /// - Parameter gone: the indices of the deleted rows.
  private func place(
    _ batch: Batch, _ moved: [Named], after gone: [Int], in list: ListRecord
  ) throws(StorageError) -> [RowID: Item] {
    var order = BatchOrder(
      moving: moved.map { row in
        (row.entry.id, row.index - gone.count { $0 < row.index })
      })
    enum Arrival {
      case new(Batch.New)
      case moved(Access.Entry)
    }
    var arrivals = batch.insertions.map { (to: $0.index, what: Arrival.new($0.new)) }
    arrivals += zip(moved, batch.moves).map { (to: $1.to, what: .moved($0.entry)) }
    arrivals.sort { $0.to < $1.to }
    var items: [RowID: Item] = [:]
    for arrival in arrivals {
      switch arrival.what {
      case .new(.item(let new)):
        items[RowID(new.id)] = try change.add(new, to: list, at: order.insert(at: arrival.to))
      case .new(.list(let id, let details)):
        try change.add(id, details, to: list, at: order.insert(at: arrival.to))
      case .moved(let old):
        guard let step = order.move(old.id, to: arrival.to), step.from != step.to else { continue }
        // Earlier steps may have changed its place in the tree.
        let entry = try change.access.entry(old.key)
        try change.move(entry, within: list.key, from: step.from, to: step.to)
      }
    }
    return items
  }
}

/// The updates of a batch.
extension CommandRunner {
  /// Throws `tooMuchAtOnce` if the batch has more text than one commit may add to the search index.
  private func requireRoom(
    for updates: [Update], _ insertions: [Batch.Insertion]
  ) throws(StorageError) {
    var text = TextCost()
    for case .item(let item, let details) in updates where item.details != details {
      text.count(from: item.details, to: details)
    }
    for insertion in insertions {
      if case .item(let new) = insertion.new { text.count(from: nil, to: new.details) }
    }
    try text.requireRoom(.textOfBatch)
  }

  private enum Update {
    case item(ItemRecord, ItemDetails)
    case list(key: RowKey, ListDetails)
  }

  /// The new details of the updated rows.
  private func updates(
    _ updates: [Batch.Update], of rows: [Named], in list: ListRecord
  ) throws(StorageError) -> [Update] {
    var made: [Update] = []
    var fieldErrors: [FieldError] = []
    var changesRows = false
    for (number, update) in updates.enumerated() {
      let entry = rows[number].entry
      var errors: [FieldError] = []
      if entry.isList {
        let old = try change.list(entry.key).details
        let new = try Self.edited(old, by: update.list, &errors) ?? old
        if new.permissions != old.permissions { try change.requireRole(.owner) }
        errors += new.fieldErrors
        if !ListFields(between: old, and: new).isDisjoint(with: .shownByRow) { changesRows = true }
        made.append(.list(key: entry.key, new))
      } else {
        let item = try ItemRecord.read(entry.key, in: db)
        let new = try Self.edited(item.details, by: update.item, &errors) ?? item.details
        errors += change.fieldErrors(of: new, replacing: item.details)
        changesRows = true
        made.append(.item(item, new))
      }
      fieldErrors += errors.map {
        FieldError(["updates", String(number), "patch"] + $0.path, $0.detail)
      }
    }
    try change.refuse(fieldErrors)
    if changesRows { try change.require(.edit, in: list) }
    return made
  }

  /// Nil if the edit itself is invalid; its errors are then added to `errors`.
  private static func edited<Details>(
    _ details: Details, by edit: (Details) throws(InventoryError) -> Details,
    _ errors: inout [FieldError]
  ) throws(StorageError) -> Details? {
    do throws(InventoryError) {
      return try edit(details)
    } catch {
      guard case .invalid(let found) = error else { throw .refused(error) }
      errors += found
      return nil
    }
  }

  private func perform(
    _ update: inout Update, at index: Int, of list: ListRecord
  ) throws(StorageError) {
    switch update {
    case .item(var item, let details):
      try change.replace(&item, with: details, at: index, of: list)
      update = .item(item, details)
    case .list(let key, let details): try change.replace(try change.list(key), with: details)
    }
  }

  private func resource(
    of update: Update, in list: ListRecord
  ) throws(StorageError) -> Outcome.Resource {
    func index(of key: RowKey) throws(StorageError) -> RowIndex {
      RowIndex(try change.index(of: try change.access.entry(key), in: list.key))
    }
    return switch update {
    case .item(let item, _): .item(item.item(in: list.id), index: try index(of: item.key))
    case .list(let key, _):
      .list(try change.visible(try change.list(key)), index: try index(of: key))
    }
  }
}
