import Inventory
import SQL

/// A navigator as stored in the tables.
struct NavigatorRecord {
  let key: NavigatorKey
  var summary: NavigatorSummary

  private static let columns: StaticString = """
    SELECT key, id, name, selected_tab, version, created_at, last_used_at FROM navigator
    """

  static func find(_ id: NavigatorID, _ access: Access) throws(StorageError) -> NavigatorRecord? {
    try access.db.sql(columns, "WHERE inventory = ?1 AND id = ?2 AND owner = ?3")
      .bind(try access.inventoryID()).bind(id).bind(access.caller.owner).one(NavigatorRecord.init)
  }

  /// The caller's navigators, the most recently used first.
  static func all(
    named name: String?, _ access: Access
  ) throws(StorageError) -> [NavigatorSummary] {
    try access.db.sql(
      columns,
      """
      WHERE inventory = ?1 AND owner = ?2 AND (CAST(?3 AS TEXT) IS NULL OR name = ?3)
      ORDER BY last_used_at DESC, id
      """
    ).bind(try access.inventoryID()).bind(access.caller.owner).bind(name)
      .all { NavigatorRecord($0).summary }
  }

  /// Detaches all navigators of a token; `NavigatorSweep` deletes them later.
  static func releaseAll(of token: TokenID, in db: Connection) throws(StorageError) {
    try db.sql(
      """
      UPDATE navigator SET inventory = zeroblob(16), id = randomblob(16), owner = ''
      WHERE inventory IN (SELECT id FROM inventory) AND owner = ?1
      """
    ).bind(token.description).perform()
  }

  /// Removes a navigator with its tabs and screens.
  static func remove(_ key: NavigatorKey, in db: Connection) throws(StorageError) {
    try db.sql("DELETE FROM navigator_screen WHERE navigator = ?1").bind(key).perform()
    try db.sql("DELETE FROM navigator_tab WHERE navigator = ?1").bind(key).perform()
    try db.sql("DELETE FROM navigator WHERE key = ?1").bind(key).perform()
  }

  private init(_ row: Statement) {
    key = row.key(0)
    summary = NavigatorSummary(
      id: NavigatorID(row.uuid(1)), name: row.stringOrNil(2),
      selectedTab: TabID(row.string(3)), version: row.version(4),
      createdAt: row.time(5), lastUsedAt: row.time(6))
  }

  func navigator(in db: Connection) throws(StorageError) -> Navigator {
    var tabs = try db.sql(
      "SELECT id, title, image FROM navigator_tab WHERE navigator = ?1 ORDER BY place"
    ).bind(key).all {
      Tab(id: TabID($0.string(0)), title: $0.stringOrNil(1), image: $0.stringOrNil(2), stack: [])
    }
    try db.sql(
      """
      SELECT tab, kind, target, name, title, mode, is_momentary, state,
        added, prompt, trailing_action, trailing_title, trailing_enabled
      FROM navigator_screen WHERE navigator = ?1 ORDER BY tab, place
      """
    ).bind(key).each { row in
      let tab = row.int(0)
      if tabs.indices.contains(tab) { tabs[tab].stack.append(ScreenReference(row)) }
    }
    guard !tabs.isEmpty, tabs.allSatisfy({ !$0.stack.isEmpty }) else {
      throw .broken("navigator \(key) has a tab without screens, or none")
    }
    return Navigator(
      id: summary.id,
      details: NavigatorDetails(name: summary.name, tabs: tabs, selectedTab: summary.selectedTab),
      version: summary.version, createdAt: summary.createdAt, lastUsedAt: summary.lastUsedAt)
  }

  /// Writes the differences between the old and the new tabs.
  static func save(
    _ new: [Tab], over old: [Tab], of key: NavigatorKey, in db: Connection
  ) throws(StorageError) {
    for place in 0..<max(new.count, old.count) {
      let before = place < old.count ? old[place] : nil
      let after = place < new.count ? new[place] : nil
      if let after {
        if before?.withoutStack != after.withoutStack {
          try db.sql(
            """
            INSERT INTO navigator_tab (navigator, place, id, title, image)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (navigator, place) DO UPDATE
            SET id = excluded.id, title = excluded.title, image = excluded.image
            """
          ).bind(key).bind(place).bind(after.id.text).bind(after.title).bind(after.image).perform()
        }
      } else {
        try db.sql("DELETE FROM navigator_tab WHERE navigator = ?1 AND place = ?2")
          .bind(key).bind(place).perform()
      }
      try save(after?.stack ?? [], over: before?.stack ?? [], tab: place, of: key, in: db)
    }
  }

  private static func save(
    _ new: [ScreenReference], over old: [ScreenReference], tab: Int, of key: NavigatorKey,
    in db: Connection
  ) throws(StorageError) {
    for (place, screen) in new.enumerated() where place >= old.count || old[place] != screen {
      try screen.save(at: place, tab: tab, of: key, in: db)
    }
    guard old.count > new.count else { return }
    try db.sql("DELETE FROM navigator_screen WHERE navigator = ?1 AND tab = ?2 AND place >= ?3")
      .bind(key).bind(tab).bind(new.count).perform()
  }
}

extension Tab {
  fileprivate var withoutStack: Tab { Tab(id: id, title: title, image: image, stack: []) }
}

extension ScreenReference {
  fileprivate init(_ row: Statement) {
    let target: ScreenTarget =
      switch row.int64(1) {
      case 0: .list(ListID(row.uuid(2)))
      case 1: .item(ItemID(row.uuid(2)))
      case 2: .photos(ItemID(row.uuid(2)))
      case 3: .about
      default: .custom(name: row.string(3), title: row.string(4))
      }
    let trailing = row.stringOrNil(10).flatMap(BarAction.init).map {
      TrailingButton($0, title: row.stringOrNil(11), isEnabled: row.bool(12))
    }
    self.init(
      target, mode: row.stringOrNil(5).flatMap(ScreenMode.init),
      added: row.stringOrNil(8).flatMap(AddedKind.init), prompt: row.stringOrNil(9),
      trailing: trailing, state: row.stringOrNil(7).map(CustomFields.init),
      isMomentary: row.bool(6))
  }

  fileprivate func save(
    at place: Int, tab: Int, of key: NavigatorKey, in db: Connection
  ) throws(StorageError) {
    var own: (name: String, title: String)?
    if case .custom(let name, let title) = target { own = (name, title) }
    try db.sql(
      """
      INSERT INTO navigator_screen (navigator, tab, place, kind, target, name, title, mode,
        is_momentary, state, added, prompt, trailing_action, trailing_title, trailing_enabled)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      ON CONFLICT (navigator, tab, place) DO UPDATE
      SET kind = excluded.kind, target = excluded.target, name = excluded.name,
        title = excluded.title, mode = excluded.mode, is_momentary = excluded.is_momentary,
        state = excluded.state, added = excluded.added, prompt = excluded.prompt,
        trailing_action = excluded.trailing_action, trailing_title = excluded.trailing_title,
        trailing_enabled = excluded.trailing_enabled
      """
    ).bind(key).bind(tab).bind(place).bind(target.code).bind(target.row).bind(own?.name)
      .bind(own?.title).bind(mode?.rawValue).bind(isMomentary).bind(state?.json)
      .bind(added?.rawValue).bind(prompt).bind(trailing?.action.rawValue).bind(trailing?.title)
      .bind(trailing.map { $0.isEnabled ? 1 : 0 }).perform()
  }
}

extension ScreenTarget {
  fileprivate var code: Int64 {
    switch self {
    case .list: 0
    case .item: 1
    case .photos: 2
    case .about: 3
    case .custom: 4
    }
  }
}

/// Deletes the navigators of removed tokens, one in each step. A token has up to 100 of them, each with up to 128
/// screens.
struct NavigatorSweep: Chore {
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    // `releaseAll` sets this id; no inventory has it.
    let given: NavigatorKey? = try db.sql(
      "SELECT key FROM navigator WHERE inventory = zeroblob(16) LIMIT 1"
    )
    .one { $0.key(0) }
    guard let given else { return false }
    try NavigatorRecord.remove(given, in: db)
    return true
  }
}
