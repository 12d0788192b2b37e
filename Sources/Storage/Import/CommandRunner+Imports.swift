import Inventory

/// Imports whose rows are staged in many steps, invisible to readers, and put in place by one short change.
extension CommandRunner {
  func stage(
    _ records: [NumberedRecord], of id: ImportID, _ target: ImportTarget
  ) throws(StorageError) -> Outcome {
    try change.requireValid(records, areNew: true)
    var rest = records
    let staging: Staging
    if let present = try findStaging(id) {
      staging = present
    } else {
      staging = try beginStaging(&rest, of: id, target)
    }
    var writing = StagedRecords(
      rest, of: staging, most: try mostLevels(in: staging.list), change)
    try writing.write(rest)
    return unchanged
  }

  func finishImport(
    _ id: ImportID, _ appearance: Appearance?
  ) throws(StorageError) -> Outcome {
    guard let staging = try findStaging(id) else { throw .refused(.importGone) }
    try staging.remove(in: db)
    change.access.ancestors.forget(movingRow: staging.top, hasLists: true)
    guard let list = staging.list else {
      return try replaceInventory(by: staging, appearance)
    }
    return try attach(staging, toEndOf: list)
  }

  func abandonImport(_ id: ImportID) throws(StorageError) -> Outcome {
    if let staging = try Staging.find(id, in: db), staging.inventory == change.access.inventory {
      try staging.abandon(in: db)
      change.access.ancestors.forget(movingRow: staging.top, hasLists: true)
    }
    return unchanged
  }

  /// Nil if nothing is staged with the id. Throws `importGone` if it is for another inventory.
  func findStaging(_ id: ImportID) throws(StorageError) -> Staging? {
    let staging = try Staging.find(id, in: db)
    guard staging.map({ $0.inventory == change.access.inventory }) ?? true else {
      throw .refused(.importGone)
    }
    return staging
  }

  /// The maximum number of levels of lists in a tree that becomes a row of a list, or replaces the inventory.
  private func mostLevels(in list: RowKey?) throws(StorageError) -> Int {
    let access = change.access
    guard let list else { return access.depthLimit.level }
    // If the list is gone, `finishImport` throws the refusal.
    guard try access.visibility(of: list) == .live else { return DepthLimit.levels.upperBound }
    return access.depthLimit.level - (try access.levelInInventory(of: list))
  }

  var unchanged: Outcome {
    Outcome(receipt: Receipt(revision: change.access.revision, isChanged: false))
  }

  /// Begins an import. Removes the tree's top from the records.
  private func beginStaging(
    _ records: inout [NumberedRecord], of id: ImportID, _ target: ImportTarget
  ) throws(StorageError) -> Staging {
    let access = change.access
    var list: RowKey?
    switch target {
    case .inventory: try change.requireWholeInventory()
    case .end(let reference):
      let record = try change.list(reference)
      try change.requireRole(.editor)
      try change.require(.add, in: record)
      list = record.key
    }
    guard try Staging.count(in: db) < Limits.importsAtOnce else { throw .refused(.importRunning) }
    guard !records.isEmpty else { throw .refused(.importGone) }
    let first = records.removeFirst()
    func refuse(_ reason: LineConflict.Reason) -> StorageError {
      .conflict(reason, line: first.line, first.record.id)
    }
    guard case .list(let top) = first.record, top.holder == .nothing else {
      throw refuse(.noParent)
    }
    var home = access.inventory
    var revision = access.revision
    if list == nil {
      revision = Revision(revision.number + Revision.replacementGap)
      home = try InventoryRecord.insertHidden(at: revision, createdAt: change.now, in: db)
    } else if try access.taken(first.record.id) != nil {
      throw refuse(.idTaken)
    }
    guard try mostLevels(in: list) >= 1 else { throw refuse(.tooDeep) }
    let staging = try Staging.begin(
      id, with: top, for: access.inventory, list: list, home: home, revision: revision, in: db)
    if list == nil { try InventoryRecord.setRoot(staging.top, of: home, in: db) }
    return staging
  }

  private func replaceInventory(
    by staging: Staging, _ appearance: Appearance?
  ) throws(StorageError) -> Outcome {
    try change.requireWholeInventory()
    let access = change.access
    guard access.depthLimit.admits(staging.levels) else {
      throw .refused(.tooDeep(limit: access.depthLimit.level))
    }
    if let appearance { try save(appearance, after: try access.appearance()) }
    db.tree?.deepest?.note(staging.levels, in: staging.home)
    try Staging.abandon(Staging.all(for: access.inventory, in: db), in: db)
    let revision = Revision(access.revision.number + Revision.replacementGap)
    let formerRoot = try access.id(of: access.inventoryRoot)
    let old = try db.sql(
      "SELECT id, created_at, coalesce(stands_for, key) FROM inventory WHERE key = ?1"
    ).bind(access.inventory).one {
      (InventoryID($0.uuid(0)), $0.int64(1), $0.key(2) as InventoryKey)
    }
    guard let (id, createdAt, origin) = old else { throw .broken("the inventory is gone") }
    try db.sql("UPDATE inventory SET hidden = 1, id = ?2 WHERE key = ?1").bind(access.inventory)
      .bind(InventoryID(.version7())).perform()
    try db.sql(
      """
      UPDATE inventory SET hidden = 0, id = ?2, created_at = ?3, stands_for = ?4, revision = ?5,
        history_start = ?5, depth_limit = ?6
      WHERE key = ?1
      """
    ).bind(staging.home).bind(id).bind(createdAt).bind(origin).bind(revision.number)
      .bind(access.ownDepthLimit.map { Int64($0.level) }).perform()
    try staging.arrive(at: revision, in: db)
    // Photos that are still arriving for the old inventory have no item any more.
    try db.sql(
      """
      UPDATE photo SET state = 3, id = randomblob(16)
      WHERE inventory = ?1 AND state = 0 AND state <> 1
      """
    ).bind(access.inventory).perform()
    // Tokens, navigators and the appearance refer to the inventory's id, so they remain. Tokens of lists that are gone
    // are removed. So are those of a list that has become the root: they were not for the whole inventory.
    let root = try access.id(of: staging.top)
    try TokenTable(db: db).removeOrphans(
      andThoseOf: root == formerRoot ? [] : [(inventory: id, list: ListID(root))])
    return Outcome(receipt: Receipt(revision: revision, isChanged: true))
  }

  private func attach(_ staging: Staging, toEndOf key: RowKey) throws(StorageError) -> Outcome {
    // The list may have been deleted for good since.
    guard try change.access.visibility(of: key) != .purged else { throw .refused(.notFound(.list)) }
    let entry = try change.access.entry(key)
    try change.access.requireVisible(key, entry.parent, as: .list)
    try change.requireRole(.editor)
    let list = try change.list(key)
    try change.require(.add, in: list)
    try change.access.requireRoom(forLevels: staging.levels, below: key)
    let index = list.tree.count
    let place = try change.reserve(at: index, in: key)
    try change.put(staging.top, in: key, at: place, hasLists: true)
    try staging.arrive(at: change.revision, in: db)
    try ListRecord.setRevision(change.revision, of: staging.top, in: db)
    change.record(.insert(RowID(try change.access.id(of: staging.top)), at: index), on: key)
    change.summaryChanged(of: key)
    return Outcome(receipt: try change.commit(action: "import"))
  }
}
