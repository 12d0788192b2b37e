import Inventory
import SQLite

/// What is no change of rows: navigators, the appearance and an inventory's details take no revision and stay out of the log.
extension CommandRunner {
  private var snapshot: SQLiteSnapshot { SQLiteSnapshot(db: db) }

  func makeNavigator(
    _ id: NavigatorID, _ make: (any Snapshot) throws(InventoryError) -> NavigatorEdit
  ) throws(StorageError) -> Outcome {
    let access = change.access
    let count =
      try db.sql("SELECT count(*) FROM navigator WHERE inventory = ?1 AND owner = ?2")
      .bind(try access.inventoryID()).bind(access.caller.owner).one { $0.int(0) } ?? 0
    guard count < Limits.navigators else {
      throw .refused(.tooManyNavigators(limit: Limits.navigators))
    }
    let isTaken =
      try db.sql("SELECT 1 FROM navigator WHERE inventory = ?1 AND id = ?2")
      .bind(try access.inventoryID()).bind(id).one { _ in true } ?? false
    guard !isTaken else { throw .refused(.idTaken(RowID(id.uuid))) }
    let edit: NavigatorEdit
    do throws(InventoryError) { edit = try make(snapshot) } catch { throw .refused(error) }
    let navigator = Navigator(
      id: id, details: edit.details, version: 1, createdAt: change.now, lastUsedAt: change.now)
    try db.sql(
      """
      INSERT INTO navigator
        (inventory, id, owner, name, selected_tab, version, created_at, last_used_at)
      VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6)
      """
    ).bind(try access.inventoryID()).bind(id).bind(access.caller.owner).bind(edit.details.name)
      .bind(edit.details.selectedTab.text).bind(change.now.seconds).perform()
    try NavigatorRecord.save(edit.details.tabs, over: [], of: db.lastInsertRowID, in: db)
    return outcome(isChanged: true, .navigator(navigator, edit), isCreated: true)
  }

  func editNavigator(
    _ id: NavigatorID,
    _ edit: (NavigatorDetails, any Snapshot) throws(InventoryError) -> NavigatorEdit
  ) throws(StorageError) -> Outcome {
    let record = try navigator(id)
    try requireMatch(version: record.summary.version)
    var navigator = try record.navigator(in: db)
    let old = navigator.details
    let new: NavigatorEdit
    do throws(InventoryError) { new = try edit(old, snapshot) } catch { throw .refused(error) }
    guard new.details != old else {
      return outcome(isChanged: false, .navigator(navigator, new))
    }
    navigator.details = new.details
    navigator.version += 1
    navigator.lastUsedAt = change.now
    try db.sql(
      """
      UPDATE navigator SET name = ?2, selected_tab = ?3, version = ?4, last_used_at = ?5
      WHERE key = ?1
      """
    ).bind(record.key).bind(new.details.name).bind(new.details.selectedTab.text)
      .bind(navigator.version).bind(change.now.seconds).perform()
    try NavigatorRecord.save(new.details.tabs, over: old.tabs, of: record.key, in: db)
    return outcome(isChanged: true, .navigator(navigator, new))
  }

  func deleteNavigator(_ id: NavigatorID) throws(StorageError) -> Outcome {
    let record = try navigator(id)
    try requireMatch(version: record.summary.version)
    try db.sql("DELETE FROM navigator_screen WHERE navigator = ?1").bind(record.key).perform()
    try db.sql("DELETE FROM navigator_tab WHERE navigator = ?1").bind(record.key).perform()
    try db.sql("DELETE FROM navigator WHERE key = ?1").bind(record.key).perform()
    return outcome(isChanged: true, nil)
  }

  func setAppearance(_ appearance: Appearance) throws(StorageError) -> Outcome {
    try requireWholeInventory()
    try refuse(appearance.violations)
    var present = try change.access.appearance()
    try requireMatch(version: present.version)
    guard present.appearance != appearance else {
      return outcome(isChanged: false, .appearance(present))
    }
    present = VersionedAppearance(appearance, version: present.version + 1)
    try db.sql("INSERT OR REPLACE INTO appearance VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      .bind(try change.access.inventoryID()).bind(present.version)
      .bind(appearance.navigationBar.code).bind(appearance.toolbar.code)
      .bind(appearance.tabBar.code).bind(appearance.button.code).bind(appearance.title.code)
      .perform()
    return outcome(isChanged: true, .appearance(present))
  }

  func editInventory(
    _ edit: (InventoryDetails) -> InventoryDetails
  ) throws(StorageError) -> Outcome {
    var description = try change.access.description()
    try requireRole(.owner)
    let details = edit(description.details)
    let isChanged = details != description.details
    if isChanged {
      try db.sql("UPDATE inventory SET depth_limit = ?2 WHERE key = ?1")
        .bind(change.access.inventory).bind(details.depthLimit.map { Int64($0.level) }).perform()
      description.details = details
    }
    return outcome(isChanged: isChanged, .inventory(description))
  }

  private func navigator(_ id: NavigatorID) throws(StorageError) -> NavigatorRecord {
    guard let record = try NavigatorRecord.find(id, change.access) else {
      throw .refused(.notFound(.navigator))
    }
    return record
  }

  private func requireMatch(version: Int64) throws(StorageError) {
    guard !change.context.allows(Revision(version)) else { return }
    throw .refused(.preconditionFailed(.version(version)))
  }

  private func outcome(
    isChanged: Bool, _ resource: Outcome.Resource?, isCreated: Bool = false
  ) -> Outcome {
    Outcome(
      receipt: Receipt(revision: change.access.revision, isChanged: isChanged), resource: resource,
      isCreated: isCreated)
  }
}

extension Access {
  func appearance() throws(StorageError) -> VersionedAppearance {
    try db.sql(
      """
      SELECT version, navigation_bar, toolbar, tab_bar, button, title FROM appearance
      WHERE inventory = ?1
      """
    ).bind(try inventoryID()).one { row in
      VersionedAppearance(
        Appearance(
          navigationBar: Tint(code: row.int64(1)), toolbar: Tint(code: row.int64(2)),
          tabBar: Tint(code: row.int64(3)), button: Tint(code: row.int64(4)),
          title: Tint(code: row.int64(5))),
        version: row.int64(0))
    } ?? VersionedAppearance()
  }
}

extension Tint {
  fileprivate init(code: Int64) { self.init(UInt32(truncatingIfNeeded: code)) }
  fileprivate var code: Int64 { Int64(rgb) }
}
