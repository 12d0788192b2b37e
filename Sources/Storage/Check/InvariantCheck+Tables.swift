import Inventory
import SQLite

extension InvariantCheck {
  /// Checks that all tables, views, triggers and indices are those of the migrations, and that there are no others.
  func checkSchema(_ report: (String) -> Void) throws(StorageError) {
    let own = try Self.schema(of: db)
    let fresh: Connection
    do throws(SQLiteError) {
      fresh = try Connection(path: ":memory:", mode: .readWriteCreate)
    } catch { throw .sqlite(error) }
    do throws(MigrationError) { _ = try Schema.migrator.migrate(fresh) } catch {
      throw .broken("the schema cannot be created: \(error)")
    }
    let due = try Self.schema(of: fresh)
    for object in own.keys.sorted() where due[object] == nil {
      report("\(object.kind) \(object.name): it does not belong to Rowhouse")
    }
    for (object, text) in due.sorted(by: { $0.key < $1.key }) {
      guard let present = own[object] else {
        report("\(object.kind) \(object.name): it is missing")
        continue
      }
      // SQLite rewrites the text of tables when they are altered, each version in its own way.
      if object.kind != "table", present != text {
        report("\(object.kind) \(object.name): it was changed")
      }
    }
  }

  private struct SchemaObject: Hashable, Comparable {
    let kind: String
    let name: String

    static func < (one: Self, other: Self) -> Bool {
      (one.kind, one.name) < (other.kind, other.name)
    }
  }

  /// The text of each object, without SQLite's own, whose names begin with sqlite_.
  private static func schema(of db: Connection) throws(StorageError) -> [SchemaObject: String] {
    var objects: [SchemaObject: String] = [:]
    try db.sql(
      """
      SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ).each { objects[SchemaObject(kind: $0.string(0), name: $0.string(1))] = $0.string(2) }
    return objects
  }

  /// Checks that no list is deeper than a server can allow.
  func checkDepth(_ report: (String) -> Void) throws(StorageError) {
    for (inventory, level) in try DeepestLevels(in: db).all
    where level > DepthLimit.levels.upperBound {
      report(
        "inventory \(inventory): it has lists on level \(level), but "
          + "\(DepthLimit.levels.upperBound) levels are supported")
    }
  }
}

extension InvariantCheck {
  /// Checks that deleted rows name the list that contained them, or a list above it. Skips purged rows of an inventory
  /// that is deleted as a whole.
  func checkHomes(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      "SELECT row FROM trash WHERE NOT EXISTS (SELECT 1 FROM list WHERE list.key = trash.list)"
    ).each {
      report("row \($0.int64(0)): it is in the trash, but its former list is missing")
    }
    try db.sql(
      """
      SELECT purge.row FROM purge JOIN row ON row.key = purge.row
      JOIN inventory ON inventory.key = row.inventory
      WHERE hidden = 0 AND NOT EXISTS (SELECT 1 FROM list WHERE list.key = home)
      """
    ).each { report("row \($0.int64(0)): it is purged, but its former list is missing") }
  }
}

extension InvariantCheck {
  /// Checks that a list's arrangement has the same places by leaf and by row, all of them of the list's rows.
  func checkArrangement(of list: ListRecord, _ report: (String) -> Void) throws(StorageError) {
    guard let arrangement = list.tree.arrangement else { return }
    let isThere =
      try db.sql("SELECT 1 FROM arrangement WHERE key = ?1 AND list = ?2 AND state > 0")
      .bind(arrangement).bind(list.key).one { _ in true } ?? false
    if !isThere { report("list \(list.key): its arrangement \(arrangement) is missing") }
    try db.sql(
      """
      SELECT
        (SELECT count(*) FROM arranged_leaf WHERE arrangement = ?1),
        (SELECT count(*) FROM arranged_row WHERE arrangement = ?1),
        (SELECT count(*) FROM arranged_row JOIN arranged_leaf
            USING (arrangement, leaf, pos, row)
          JOIN row ON row.key = arranged_row.row
          WHERE arrangement = ?1 AND row.parent = ?2 AND row.leaf IS NOT NULL)
      """
    ).bind(arrangement).bind(list.key).each { row in
      if row.int(0) != row.int(2) || row.int(1) != row.int(2) {
        report(
          "list \(list.key): its arrangement has \(row.int(0)) places by leaf and \(row.int(1)) by row, "
            + "of which \(row.int(2)) agree")
      }
    }
  }
}

extension InvariantCheck {
  /// Checks that tabs and screens have places from 0 on without gaps, and that each tab has a screen.
  func checkNavigators(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT key, count(place), coalesce(max(place) + 1, 0), coalesce(sum(tab.id = selected_tab), 0)
      FROM navigator LEFT JOIN navigator_tab AS tab ON tab.navigator = key GROUP BY key
      """
    ).each { row in
      if row.int(1) == 0 || row.int(1) != row.int(2) || row.int(3) != 1 {
        report(
          "navigator \(row.int64(0)): its tabs are not "
            + "numbered without gaps, or none of them is selected")
      }
    }
    try db.sql(
      """
      SELECT tab.navigator, tab.place, count(screen.place), coalesce(max(screen.place) + 1, 0)
      FROM navigator_tab AS tab
      LEFT JOIN navigator_screen AS screen
        ON screen.navigator = tab.navigator AND screen.tab = tab.place
      GROUP BY tab.navigator, tab.place
      """
    ).each { row in
      if row.int(2) == 0 || row.int(2) != row.int(3) {
        report(
          "navigator \(row.int64(0)): the stack of tab "
            + "\(row.int(1)) is empty, or not numbered without gaps")
      }
    }
    try db.sql(
      """
      SELECT DISTINCT navigator FROM navigator_screen
      WHERE NOT EXISTS (
        SELECT 1 FROM navigator_tab AS tab
        WHERE tab.navigator = navigator_screen.navigator AND tab.place = navigator_screen.tab)
      """
    ).each { report("navigator \($0.int64(0)): it has screens of a tab that does not exist") }
  }
}

extension InvariantCheck {
  /// Checks that photos have places without gaps and all their bytes, and that the item's row shows the first one.
  func checkPhotos(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT item, count(*), count(DISTINCT place), min(place), max(place),
        (SELECT kind FROM row WHERE key = item)
      FROM photo WHERE state = 1 GROUP BY item
      """
    ).each { row in
      let count = row.int64(1)
      if row.int64(2) != count || row.int64(3) != 0 || row.int64(4) != count - 1 {
        report("item \(row.int64(0)): its photos are not at the places 0 to \(count - 1)")
      }
      if row.int64(5) == 0 { report("row \(row.int64(0)): it has photos, but is not an item") }
    }
    try db.sql(
      """
      SELECT row.key FROM row
      LEFT JOIN photo AS first ON first.item = row.key AND first.place = 0
      WHERE row.photo IS NOT first.id
      """
    ).each { report("row \($0.int64(0)): its stored first photo is wrong") }
    try db.sql(
      """
      SELECT key, size, total(length(bytes)), count(*), max(number), max(length(bytes))
      FROM photo LEFT JOIN photo_piece ON photo = key WHERE state IN (1, 2) GROUP BY key
      """
    ).each { row in
      let pieces = row.int64(3)
      if row.int64(1) != row.int64(2) || row.int64(4) != pieces - 1
        || row.int64(5) > Int64(PhotoPiece.size)
      {
        report(
          "photo \(row.int64(0)): \(row.int64(2)) of its \(row.int64(1)) bytes are stored, "
            + "in \(pieces) pieces")
      }
    }
  }
}
