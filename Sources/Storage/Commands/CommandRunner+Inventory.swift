import Inventory
import SQL

/// An inventory's appearance and details are not rows: their changes get no revision and are not logged.
extension CommandRunner {
  func setAppearance(_ appearance: Appearance) throws(StorageError) -> Outcome {
    try change.requireWholeInventory()
    let present = try change.access.appearance()
    try requireMatch(version: present.version)
    let new = try save(appearance, after: present)
    return outcome(isChanged: new != present, .appearance(new))
  }

  /// Saves the appearance as the next version, if it differs from the present one.
  @discardableResult
  func save(
    _ appearance: Appearance, after present: VersionedAppearance
  ) throws(StorageError) -> VersionedAppearance {
    guard present.appearance != appearance else { return present }
    let new = VersionedAppearance(appearance, version: present.version + 1)
    try db.sql(
      """
      INSERT INTO appearance (inventory, version, navigation_bar, toolbar, tab_bar, button, title,
        currency)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (inventory) DO UPDATE
      SET version = excluded.version, navigation_bar = excluded.navigation_bar,
        toolbar = excluded.toolbar, tab_bar = excluded.tab_bar, button = excluded.button,
        title = excluded.title, currency = excluded.currency
      """
    ).bind(try change.access.inventoryID()).bind(new.version)
      .bind(appearance.navigationBar.code).bind(appearance.toolbar.code)
      .bind(appearance.tabBar.code).bind(appearance.button.code).bind(appearance.title.code)
      .bind(appearance.currency?.description).perform()
    return new
  }

  func editInventory(
    _ edit: (InventoryDescription) throws(InventoryError) -> DepthLimit?
  ) throws(StorageError) -> Outcome {
    var description = try change.access.description()
    try change.requireRole(.owner)
    guard change.context.allows(description.revision) else {
      throw .refused(.preconditionFailed(.inventory(description)))
    }
    let limit: DepthLimit?
    do throws(InventoryError) { limit = try edit(description) } catch { throw .refused(error) }
    let isChanged = limit != description.depthLimit
    if isChanged {
      try db.sql("UPDATE inventory SET depth_limit = ?2 WHERE key = ?1")
        .bind(change.access.inventory).bind(limit.map { Int64($0.level) }).perform()
      description.depthLimit = limit
    }
    return outcome(isChanged: isChanged, .inventory(description))
  }
}

extension Access {
  func appearance() throws(StorageError) -> VersionedAppearance {
    try db.sql(
      """
      SELECT version, navigation_bar, toolbar, tab_bar, button, title, currency FROM appearance
      WHERE inventory = ?1
      """
    ).bind(try inventoryID()).one { row in
      VersionedAppearance(
        Appearance(
          navigationBar: Tint(code: row.int64(1)), toolbar: Tint(code: row.int64(2)),
          tabBar: Tint(code: row.int64(3)), button: Tint(code: row.int64(4)),
          title: Tint(code: row.int64(5)),
          currency: row.stringOrNil(6).flatMap { Currency(text: $0) }),
        version: row.version(0))
    } ?? VersionedAppearance()
  }
}

extension Tint {
  fileprivate init(code: Int64) { self.init(UInt32(truncatingIfNeeded: code)) }
  fileprivate var code: Int64 { Int64(rgb) }
}
