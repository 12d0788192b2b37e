import Inventory

/// The writer's part of a bulk command. New rows are staged in pieces, invisible to readers. One short change edits
/// existing rows and puts the new ones in place.
extension CommandRunner {
  /// Stages the next records of a bulk command's tree. The first record is the tree's top.
  func stageNew(
    _ records: [NumberedRecord], of id: ImportID, into reference: ListReference
  ) throws(StorageError) {
    try change.requireRole(.editor)
    var rest = records[...]
    let access = change.access
    let staging: Staging
    if let present = try findStaging(id) {
      staging = present
    } else {
      let list = try change.list(reference)
      guard let first = rest.popFirst(), case .list(let top) = first.record else {
        throw .refused(.importGone)
      }
      staging = try Staging.begin(
        id, with: top, for: access.inventory, list: list.key, home: access.inventory,
        revision: access.revision, in: db)
    }
    var writing = StagedRecords(Array(rest), of: staging, most: .max, change)
    try writing.write(Array(rest))
  }

  func make(_ bulk: BulkChange) throws(StorageError) -> Outcome {
    let list = try change.list(bulk.list)
    try change.requireRole(.editor)
    if bulk.isTable { try change.requireMatch(list) }
    // The plan would undo later edits of the rows that it edits, and miss those of rows that it leaves out. Other rows
    // may have the serial numbers, references and titles by now.
    try bulk.basis.requireCurrent(change.access)
    var counts =
      switch bulk.edits {
      case .records(let records):
        try make(try MergePlan(records, into: list, isPart: true, change))
      case .items(let items): try make(try UpsertPlan(items, in: list, change), in: list)
      }
    if let id = bulk.staging {
      guard let staging = try findStaging(id) else { throw .refused(.importGone) }
      try staging.arrive(at: change.revision, in: db)
      for group in bulk.groups { try attach(group) }
      // The staged lists are empty by now.
      try staging.abandon(in: db)
      change.access.ancestors.forget(movingRow: staging.top, hasLists: true)
      counts.created += bulk.created
    }
    let action = bulk.isTable ? "import table" : "import"
    return Outcome(receipt: try change.commit(action: action), counts: counts)
  }

  private func attach(_ group: BulkChange.Group) throws(StorageError) {
    func refuse(_ reason: LineConflict.Reason) -> StorageError {
      .conflict(reason, line: group.line, group.holder)
    }
    guard let holder = try change.access.find(group.holder),
      holder.isList != group.isContents,
      try change.access.visibility(holder.key, holder.parent) == .live
    else { throw refuse(.noParent) }
    if group.levels > 0 {
      try change.access.requireRoom(forLevels: group.levels, below: holder.key)
    }
    let staged = try ListRecord.find(group.list, inventory: change.access.inventory, in: db)
    guard let staged else { throw .refused(.importGone) }
    if group.isContents {
      guard holder.contents == nil else { throw refuse(.otherContents) }
      try attachContents(staged, of: holder.key)
    } else {
      try attachRows(of: staged, to: holder.key, group, refusing: refuse)
    }
  }

  private func attachRows(
    of staged: ListRecord, to key: RowKey, _ group: BulkChange.Group,
    refusing refuse: (LineConflict.Reason) -> StorageError
  ) throws(StorageError) {
    let list = try change.list(key)
    try change.require(.add, in: list)
    guard group.kinds.allSatisfy(list.details.itemKind.accepts) else {
      throw refuse(.kindMismatch)
    }
    guard staged.tree.count == group.rows.count else {
      throw .broken("list \(staged.key): other rows were staged")
    }
    var tree = list.tree
    let start = tree.count
    try db.sql(
      """
      UPDATE list SET revision = ?2
      WHERE key IN (SELECT key FROM row WHERE parent = ?1 AND kind = 0)
      """
    ).bind(staged.key).bind(change.revision.number).perform()
    for leaf in try staged.tree.leaves(in: db) {
      let new = try tree.makeLeaf(atEnd: leaf.count, shape: change.shape, in: db)
      let moved = try db.sql(
        """
        UPDATE row SET parent = ?3, leaf = ?4, placed = ?5,
          revision = CASE WHEN kind > 0 THEN ?5 END
        WHERE parent = ?1 AND leaf = ?2
        """
      ).bind(staged.key).bind(leaf.id).bind(key).bind(new).bind(change.revision.number)
        .performCounting()
      guard moved == leaf.count else {
        throw .broken("list \(staged.key): leaf \(leaf.id) has other rows than it counts")
      }
    }
    try change.update(key) {
      $0.tree = tree
      $0.total += staged.total
    }
    try empty(staged)
    for (number, row) in group.rows.enumerated() {
      if let content = row.content { change.know(content, of: row.id) }
      change.record(.insert(row.id, at: start + number), on: key)
    }
    change.summaryChanged(of: key)
    change.access.ancestors.forget(movingRow: staged.key, hasLists: true)
  }

  /// Empties a staged list, so that it can be deleted.
  private func empty(_ list: ListRecord) throws(StorageError) {
    try db.sql("DELETE FROM node WHERE list = ?1").bind(list.key).perform()
    var list = list
    list.tree = OrderTree(list: list.key, root: 0, height: 0, nextNode: 1, count: 0)
    list.total = .zero
    try list.save(in: db)
  }

  private func attachContents(_ staged: ListRecord, of key: RowKey) throws(StorageError) {
    var item = try ItemRecord.read(key, in: db)
    try change.require(.edit, in: try change.home(of: item).list)
    try db.sql("UPDATE row SET parent = ?2, leaf = NULL, pos = NULL, placed = ?3 WHERE key = ?1")
      .bind(staged.key).bind(key).bind(change.revision.number).perform()
    guard let place = staged.place, let top = staged.parent,
      var above = try ListRecord.find(key: top, in: db)
    else { throw .broken("list \(staged.key) is staged nowhere") }
    try above.tree.release(place, shape: change.shape, in: db)
    try above.save(in: db)
    try ListRecord.setRevision(change.revision, of: staged.key, in: db)
    try change.setContents(of: &item, to: (staged.key, staged.id))
    change.access.ancestors.forget(movingRow: staged.key, hasLists: true)
  }
}
