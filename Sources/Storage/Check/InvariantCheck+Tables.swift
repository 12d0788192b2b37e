import Inventory
import SQL

extension InvariantCheck {
  /// Checks that all tables, views, triggers and indices are those of the migrations, and that there are no others.
  func checkSchema() throws(StorageError) {
    let own = try Self.schema(of: db)
    let fresh: Connection
    do throws(DatabaseError) {
      fresh = try Connection(path: ":memory:", mode: .readWriteCreate)
    } catch { throw .database(error) }
    do throws(MigrationError) { _ = try Schema.migrator.migrate(fresh) } catch {
      throw .broken("the schema cannot be created: \(error)")
    }
    let due = try Self.schema(of: fresh)
    for object in own.keys.sorted() where due[object] == nil {
      report("\(object): it does not belong to Rowhouse")
    }
    for (object, text) in due.sorted(by: { $0.key < $1.key }) {
      guard let present = own[object] else {
        report("\(object): it is missing")
        continue
      }
      // SQLite rewrites the text of tables when they are altered, each version in its own way.
      if !object.hasPrefix("table "), present != text { report("\(object): it was changed") }
    }
  }

  /// The text of each object by its type and name, without SQLite's own, whose names begin with sqlite_.
  private static func schema(of db: Connection) throws(StorageError) -> [String: String] {
    var objects: [String: String] = [:]
    try db.sql(
      """
      SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ).each { objects[$0.string(0)] = $0.string(1) }
    return objects
  }

  /// Checks that no list is deeper than a server can allow.
  func checkDepth() throws(StorageError) {
    for (inventory, level) in try DeepestLevels(in: db).all
    where level > DepthLimit.levels.upperBound {
      report(
        "inventory \(inventory): it has lists on level \(level), but "
          + "\(DepthLimit.levels.upperBound) levels are supported")
    }
  }

  /// Checks that the list in each trash record exists, and the list whose trash each purged row belongs to. Skips
  /// purged rows of an inventory that is deleted as a whole.
  func checkHomes() throws(StorageError) {
    try report(
      "SELECT row FROM trash WHERE NOT EXISTS (SELECT 1 FROM list WHERE list.key = trash.list)"
    ) { "row \($0.int64(0)): it is in the trash, but its former list is missing" }
    try report(
      """
      SELECT purge.row FROM purge JOIN row ON row.key = purge.row
      JOIN inventory ON inventory.key = row.inventory
      WHERE hidden = 0 AND NOT EXISTS (SELECT 1 FROM list WHERE list.key = home)
      """
    ) { "row \($0.int64(0)): it is purged, but its former list is missing" }
  }

  /// Checks that a list's arrangement has the same places by leaf and by row, all of them of the list's rows.
  func checkArrangement(of list: ListRecord) throws(StorageError) {
    guard let arrangement = list.tree.arrangement else { return }
    let isThere = try db.sql("SELECT 1 FROM arrangement WHERE key = ?1 AND list = ?2 AND state > 0")
      .bind(arrangement).bind(list.key).hasRow()
    if !isThere { report("list \(list.key): its arrangement \(arrangement) is missing") }
    try report(
      db.sql(
        """
        SELECT
          (SELECT count(*) FROM arranged_leaf WHERE arrangement = ?1) AS by_leaf,
          (SELECT count(*) FROM arranged_row WHERE arrangement = ?1) AS by_row,
          (SELECT count(*) FROM arranged_row JOIN arranged_leaf
              USING (arrangement, leaf, pos, row)
            JOIN row ON row.key = arranged_row.row
            WHERE arrangement = ?1 AND row.parent = ?2 AND row.leaf IS NOT NULL) AS both
        WHERE by_leaf <> both OR by_row <> both
        """
      ).bind(arrangement).bind(list.key)
    ) {
      "list \(list.key): its arrangement has \($0.int(0)) places by leaf and \($0.int(1)) by row, "
        + "of which \($0.int(2)) agree"
    }
  }

  /// Checks that tabs and screens have places from 0 on without gaps, and that each tab has a screen.
  func checkNavigators() throws(StorageError) {
    try report(
      """
      SELECT key, count(place) AS tabs, coalesce(max(place) + 1, 0) AS places,
        coalesce(sum(tab.id = selected_tab), 0) AS selected
      FROM navigator LEFT JOIN navigator_tab AS tab ON tab.navigator = key GROUP BY key
      HAVING tabs = 0 OR tabs <> places OR selected <> 1
      """
    ) {
      "navigator \($0.int64(0)): its tabs are not "
        + "numbered without gaps, or none of them is selected"
    }
    try report(
      """
      SELECT tab.navigator, tab.place, count(screen.place) AS screens,
        coalesce(max(screen.place) + 1, 0) AS places
      FROM navigator_tab AS tab
      LEFT JOIN navigator_screen AS screen
        ON screen.navigator = tab.navigator AND screen.tab = tab.place
      GROUP BY tab.navigator, tab.place HAVING screens = 0 OR screens <> places
      """
    ) {
      "navigator \($0.int64(0)): the stack of tab "
        + "\($0.int(1)) is empty, or not numbered without gaps"
    }
    try report(
      """
      SELECT DISTINCT navigator FROM navigator_screen
      WHERE NOT EXISTS (
        SELECT 1 FROM navigator_tab AS tab
        WHERE tab.navigator = navigator_screen.navigator AND tab.place = navigator_screen.tab)
      """
    ) { "navigator \($0.int64(0)): it has screens of a tab that does not exist" }
  }

  /// Checks that photos have places without gaps and all their bytes, and that the item's row shows the first one.
  func checkPhotos() throws(StorageError) {
    try report(
      """
      SELECT item, count(*) AS photos FROM photo WHERE state = 1 GROUP BY item
      HAVING (count(DISTINCT place), min(place), max(place)) IS NOT (photos, 0, photos - 1)
      """
    ) { "item \($0.int64(0)): its photos are not at the places 0 to \($0.int64(1) - 1)" }
    try report(
      "SELECT DISTINCT item FROM photo JOIN row ON row.key = item WHERE state IN (1, 2) AND kind = 0"
    ) { "row \($0.int64(0)): it has photos, but is not an item" }
    // A removed photo, too: undo would add it to that item again.
    try report(
      """
      SELECT photo.key, item FROM photo
      LEFT JOIN row ON row.key = item AND row.inventory = photo.inventory
      WHERE state IN (1, 2) AND row.key IS NULL
      """
    ) { "photo \($0.int64(0)): its inventory has no row \($0.int64(1))" }
    try report(
      """
      SELECT row.key FROM row
      LEFT JOIN photo AS first ON first.item = row.key AND first.place = 0
      WHERE row.photo IS NOT first.id
      """
    ) { "row \($0.int64(0)): its stored first photo is wrong" }
    try report(
      db.sql(
        """
        SELECT key, size, total(length(bytes)) AS stored, count(*) AS pieces
        FROM photo LEFT JOIN photo_piece ON photo = key WHERE state IN (1, 2) GROUP BY key
        HAVING size IS NOT stored OR coalesce(max(number), 0) <> pieces - 1
          OR max(length(bytes)) > ?1
        """
      ).bind(PhotoPiece.size)
    ) {
      "photo \($0.int64(0)): \($0.int64(2)) of its \($0.int64(1)) bytes are stored, "
        + "in \($0.int64(3)) pieces"
    }
  }

  /// Checks that renditions are no larger than permitted.
  func checkRenditions() throws(StorageError) {
    for size in RenditionSize.allCases {
      try report(
        db.sql(
          """
          SELECT photo, length(bytes) AS count FROM photo_rendition
          WHERE size = ?1 AND count NOT BETWEEN 1 AND ?2
          """
        ).bind(size.rawValue).bind(size.limit)
      ) { "photo \($0.int64(0)): its rendition \(size.rawValue) has \($0.int64(1)) bytes" }
    }
  }

  /// Checks that times, revisions, and the values of rows, photos and screens are such as a server writes.
  func checkValues() throws(StorageError) {
    try checkTimes()
    try checkRows()
    try checkPlacings()
    try checkPhotoValues()
    try checkKeys()
    try report(
      """
      SELECT navigator, tab, place FROM navigator_screen
      WHERE state IS NOT NULL AND NOT iif(json_valid(state), json_type(state) = 'object', 0)
      """
    ) {
      "navigator \($0.int64(0)): the state of its screen \($0.int64(1)).\($0.int64(2)) is not a JSON object"
    }
  }

  private func checkTimes() throws(StorageError) {
    let range = Timestamp.range
    try report(
      db.sql(
        """
        SELECT what, key, time FROM (
          SELECT 'inventory' AS what, key, created_at AS time FROM inventory
          UNION ALL SELECT 'row', key, created_at FROM row
          UNION ALL SELECT 'row', key, updated_at FROM row WHERE updated_at IS NOT NULL
          UNION ALL SELECT 'list', key, updated_at FROM list
          UNION ALL SELECT 'change', revision, at FROM change
          UNION ALL SELECT 'row in the trash', row, deleted_at FROM trash
          UNION ALL SELECT 'photo', key, created_at FROM photo
          UNION ALL SELECT 'navigator', key, created_at FROM navigator
          UNION ALL SELECT 'navigator', key, last_used_at FROM navigator
          UNION ALL SELECT 'token', 0, created_at FROM token
          UNION ALL SELECT 'answer', key, at FROM answer
          UNION ALL SELECT 'offline client', key, used_at FROM sync_client)
        WHERE time NOT BETWEEN ?1 AND ?2
        """
      ).bind(range.lowerBound.seconds).bind(range.upperBound.seconds)
    ) { "\($0.string(0)) \($0.int64(1)): its time \($0.int64(2)) is out of range" }
  }

  private func checkRows() throws(StorageError) {
    try report(
      """
      SELECT key FROM row
      WHERE (kind > 0) IS NOT (updated_at IS NOT NULL AND revision IS NOT NULL AND quantity IS NOT NULL)
        OR fields IS NOT NULL AND NOT iif(json_valid(fields), json_type(fields) = 'object', 0)
      """
    ) { "row \($0.int64(0)): a value is missing, or its custom fields cannot be read" }
    // `Statement.bind(_: ItemDetails)` writes these columns.
    try report(
      """
      SELECT key FROM row WHERE CASE kind
        WHEN 1 THEN coalesce(name, make, model, year, fuel) IS NULL
        WHEN 2 THEN title = iif(coalesce(year, make, model) IS NULL, coalesce(name, ''),
          substr(coalesce(' ' || year, '') || coalesce(' ' || make, '') || coalesce(' ' || model, ''), 2))
        ELSE 1 END IS NOT TRUE
      """
    ) { "row \($0.int64(0)): its title or its values do not fit its kind" }
    try report(
      db.sql(
        "SELECT key FROM row WHERE quantity NOT BETWEEN ?1 AND ?2 OR value NOT BETWEEN ?3 AND ?4"
      ).bind(Limits.quantity.lowerBound).bind(Limits.quantity.upperBound)
        .bind(Limits.value.lowerBound).bind(Limits.value.upperBound)
    ) { "row \($0.int64(0)): its value or its quantity is out of range" }
    try report("SELECT row FROM trash WHERE place < 0") {
      "row \($0.int64(0)): it is in the trash with a former place below 0"
    }
  }

  /// Checks the revisions that gave rows and photos their places, or removed them.
  private func checkPlacings() throws(StorageError) {
    try report(
      """
      SELECT what, placing.key, latest FROM (
        SELECT 'row' AS what, inventory, key, placed AS latest FROM row
        UNION ALL SELECT 'row', inventory, row, revision FROM trash
        UNION ALL SELECT 'photo', inventory, key, max(coalesce(added, 0), coalesce(removed, 0))
          FROM photo WHERE state IN (1, 2)) AS placing
      JOIN inventory ON inventory.key = placing.inventory
      WHERE hidden = 0 AND latest > inventory.revision
      """
    ) {
      "\($0.string(0)) \($0.int64(1)): its revision \($0.int64(2)) is higher than its inventory's"
    }
  }

  private func checkPhotoValues() throws(StorageError) {
    try report(
      "SELECT key, type, size, width, height, orientation FROM photo WHERE state IN (1, 2)"
    ) { row in
      let isSound =
        ImageType(rawValue: row.string(1)) != nil && row.int64(2) > 0
        && (row.int64OrNil(3) ?? 1) > 0 && (row.int64OrNil(4) ?? 1) > 0
        && (1...8).contains(row.int64OrNil(5) ?? 1)
      return isSound
        ? nil : "photo \(row.int64(0)): its type, size or orientation is invalid"
    }
  }

  /// Checks that no key can be assigned twice.
  private func checkKeys() throws(StorageError) {
    try report(
      """
      SELECT name, last, coalesce((SELECT seq FROM sqlite_sequence AS given
          WHERE given.name = used.name), 0) AS given
      FROM (SELECT 'row' AS name, max(key) AS last FROM row
        UNION ALL SELECT 'photo', max(key) FROM photo
        UNION ALL SELECT 'arrangement', max(key) FROM arrangement) AS used
      WHERE last > given
      """
    ) {
      "\($0.string(0)): its highest key is \($0.int64(1)), but the last assigned key is \($0.int64(2))"
    }
  }
}
