import Inventory

/// The result of a bulk command in one committed state, computed by a reader. Rows that need no change are left out.
struct BulkPlan: Sendable {
  var change: BulkChange
  /// The new rows as a tree to stage: its top, a list for each group, then the rows. Empty if the writer creates the
  /// rows directly.
  var tree: [NumberedRecord] = []
  var counts = TransferCounts()

  /// The text of rows that the final change writes again.
  private var text = TextCost()
  /// Existing lists whose rows change, and existing items that get contents.
  private var listsChanged: Set<RowID> = []

  var isChanged: Bool { counts.created > 0 || counts.updated > 0 }

  /// - Parameter rows: the maximum number of rows that are not staged.
  /// - Throws: every refusal of the command.
  init(_ command: BulkCommand, rowsAtOnce rows: Int, _ change: Change) throws(StorageError) {
    switch command.rows {
    case .records(let records):
      try self.init(records, into: command.list, rowsAtOnce: rows, change)
    case .items(let items) where items.contains { !$0.rooms.isEmpty }:
      let table = try RoomedItems(items, in: command.list, change)
      try self.init(table.records, into: command.list, rowsAtOnce: rows, change)
      self.change.isTable = true
      self.change.basis.lists = table.lists
    case .items(let items):
      try self.init(items, in: command.list, rowsAtOnce: rows, change)
    }
    try requireSize()
  }

  private init(
    _ records: [NumberedRecord], into reference: ListReference, rowsAtOnce rows: Int,
    _ change: Change
  ) throws(StorageError) {
    var basis = PlanBasis(change.access)
    let target = try change.target(of: records, reference)
    basis.rows.insert(RowID(target.id))
    let plan = try MergePlan(records, into: target, change)
    var edits: [NumberedRecord] = []
    var new = NewRows(into: target)
    var itemsEdited: Set<RowID> = []
    var itemsWithPhotos: Set<RowID> = []
    for step in plan.steps {
      basis.rows.formUnion([step.record.id, step.holder])
      let numbered = NumberedRecord(line: step.line, record: step.record)
      switch (step.record, step.existing) {
      case (.list(let list), let key?):
        let record = try change.list(key)
        try change.requireEditable(record, as: list.details)
        guard record.details != list.details else { continue }
        // From here on, the file's permissions apply.
        try change.update(key) { $0.details = list.details }
        edits.append(numbered)
        counts.updated += 1
      case (.item(let item), let key?):
        let record = try ItemRecord.read(key, in: change.db)
        guard record.details != item.details else { continue }
        let home = try change.home(of: record).list
        try change.require(.edit, in: home)
        listsChanged.insert(RowID(home.id))
        edits.append(numbered)
        text.count(from: record.details, to: item.details)
        itemsEdited.insert(RowID(item.id))
        counts.updated += 1
      case (.photo(let photo), _) where step.isHolderKnown:
        guard !step.isInPlace || photo.upload != nil else { continue }
        edits.append(numbered)
        guard !step.isInPlace, let key = plan.keys[step.holder],
          let item = try ItemRecord.find(key: key, in: change.db)
        else { continue }
        let home = try change.home(of: item).list
        try change.require(.edit, in: home)
        listsChanged.insert(RowID(home.id))
        itemsWithPhotos.insert(step.holder)
      case (.photo, _): new.add(numbered, in: step.holder, isHolderKnown: false)
      case (_, nil):
        counts.created += 1
        if step.isHolderKnown { listsChanged.insert(step.holder) }
        if step.isHolderKnown, let key = plan.keys[step.holder] {
          if step.isRow {
            try change.require(.add, in: try change.list(key))
          } else if let item = try ItemRecord.find(key: key, in: change.db) {
            try change.require(.edit, in: try change.home(of: item).list)
          }
        }
        new.add(numbered, in: step.holder, isHolderKnown: step.isHolderKnown)
      }
    }
    counts.updated += itemsWithPhotos.subtracting(itemsEdited).count
    let all = edits + new.records
    if BulkRows.records(all).isSmall(atMost: rows) {
      // In their original order: photos after their items.
      let kept = Set(all.map(\.line))
      let part = records.filter { kept.contains($0.line) }
      self.change = BulkChange(list: reference, basis: basis, edits: .records(part))
    } else {
      self.change = BulkChange(
        list: reference, basis: basis, edits: .records(edits), groups: new.groups,
        created: counts.created)
      tree = new.tree
      text.count(kept: new.text)
    }
  }

  private init(
    _ items: [ItemUpsert], in reference: ListReference, rowsAtOnce rows: Int,
    _ change: Change
  ) throws(StorageError) {
    var basis = PlanBasis(change.access)
    let list = try change.target(of: items, reference)
    let plan = try UpsertPlan(items, in: list, change)
    basis.lists = Set(plan.lists)
    var edits: [ItemUpsert] = []
    var changed: [ItemUpsert] = []
    var new = NewRows(into: list)
    for step in plan.steps {
      // With the id, the writer need not look the item up again.
      var upsert = step.upsert
      upsert.id = step.id
      if let present = step.present {
        guard present.details != step.details else {
          basis.rows.insert(RowID(step.id))
          continue
        }
        try change.require(.edit, in: list)
        text.count(from: present.details, to: step.details)
        edits.append(upsert)
        changed.append(upsert)
        counts.updated += 1
      } else {
        try change.require(.add, in: list)
        changed.append(upsert)
        let item = TransferredItem(
          id: step.id, list: list.id, details: step.details, createdAt: change.now,
          updatedAt: change.now)
        new.add(
          NumberedRecord(line: step.upsert.line, record: .item(item)), in: RowID(list.id),
          isHolderKnown: true)
        counts.created += 1
      }
    }
    if BulkRows.items(changed).isSmall(atMost: rows) {
      self.change = BulkChange(
        list: reference, basis: basis, isTable: true, edits: .items(changed))
    } else {
      self.change = BulkChange(
        list: reference, basis: basis, isTable: true, edits: .items(edits), groups: new.groups,
        created: counts.created)
      tree = new.tree
      text.count(kept: new.text)
    }
  }

  /// Throws `tooMuchAtOnce` if the final change would keep the writer from other writes for too long.
  private func requireSize() throws(StorageError) {
    let added = change.groups.reduce(0) { $0 + max(1, $1.rows.count) }
    guard change.edits.count <= Limits.rowsEditedAtOnce else {
      throw .refused(.tooMuchAtOnce(.rowsEdited))
    }
    try text.requireRoom()
    guard added <= Limits.rowsAddedAtOnce else { throw .refused(.tooMuchAtOnce(.rowsAdded)) }
    guard listsChanged.count <= Limits.listsChangedAtOnce else {
      throw .refused(.tooMuchAtOnce(.listsChanged))
    }
  }
}

/// The short final change of a bulk command: its edits, and the new rows that have been staged.
struct BulkChange: Sendable {
  /// New rows of one list, or the new contents list of one item.
  struct Group: Sendable {
    /// The id of the list or item.
    var holder: RowID
    /// The line of the first row.
    var line: Int
    /// The staged list that holds the rows, or that is the contents.
    var list: ListID
    var isContents: Bool
    /// In order; none for a contents list.
    var rows: [NewRow] = []
    /// The kinds of the items among them.
    var kinds: Set<ItemKind> = []
    /// The number of levels of lists in them.
    var levels = 0
  }

  struct NewRow: Sendable {
    var id: RowID
    /// The row's content; nil if it must be read.
    var content: Row.Content?
  }

  /// The list that the command names.
  var list: ListReference
  /// What the change was computed from.
  var basis: PlanBasis
  /// Whether it is a table's, and not a merge's.
  var isTable = false
  /// The edits of existing rows. The writer checks each of them again.
  var edits: BulkRows
  var groups: [Group] = []
  /// The number of new rows, including those of new lists.
  var created = 0
  /// The import that has staged the rows; nil if there is none.
  var staging: ImportID?
}
