import Inventory
import SQL

/// Navigators are not rows: their changes get no revision and are not logged.
extension CommandRunner {
  private var snapshot: DatabaseSnapshot { DatabaseSnapshot(change.access.caller, in: db) }

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
    let isTaken = try db.sql("SELECT 1 FROM navigator WHERE inventory = ?1 AND id = ?2")
      .bind(try access.inventoryID()).bind(id).hasRow()
    guard !isTaken else { throw .refused(.idTaken(RowID(id.uuid))) }
    let edit: NavigatorEdit
    do throws(InventoryError) { edit = try make(snapshot) } catch { throw .refused(error) }
    let navigator = Navigator(
      id: id, details: edit.details, version: 1, createdAt: change.now, lastUsedAt: change.now)
    let key: NavigatorKey = try db.sql(
      """
      INSERT INTO navigator
        (inventory, id, owner, name, selected_tab, version, created_at, last_used_at)
      VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6)
      """
    ).bind(try access.inventoryID()).bind(id).bind(access.caller.owner).bind(edit.details.name)
      .bind(edit.details.selectedTab.text).bind(change.now.seconds).insert()
    try NavigatorRecord.save(edit.details.tabs, over: [], of: key, in: db)
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
    try NavigatorRecord.remove(record.key, in: db)
    return outcome(isChanged: true, nil)
  }

  private func navigator(_ id: NavigatorID) throws(StorageError) -> NavigatorRecord {
    guard let record = try NavigatorRecord.find(id, change.access) else {
      throw .refused(.notFound(.navigator))
    }
    return record
  }

  func requireMatch(version: Int64) throws(StorageError) {
    guard !change.context.allows(Revision(version)) else { return }
    throw .refused(.preconditionFailed(.version(version)))
  }
}
