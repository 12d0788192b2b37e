import Inventory
import SQLite

extension InvariantCheck {
  /// Checks that times, revisions, and the values of rows, photos and screens are such as a server writes.
  func checkValues(_ report: (String) -> Void) throws(StorageError) {
    try checkTimes(report)
    try checkRows(report)
    try checkPhotoValues(report)
    try checkKeys(report)
    try db.sql(
      """
      SELECT navigator, tab, place FROM navigator_screen
      WHERE state IS NOT NULL AND NOT iif(json_valid(state), json_type(state) = 'object', 0)
      """
    ).each {
      report(
        "navigator \($0.int64(0)): the state of its screen \($0.int64(1)).\($0.int64(2)) is not a JSON object"
      )
    }
  }

  private func checkTimes(_ report: (String) -> Void) throws(StorageError) {
    let range = Timestamp.range
    try db.sql(
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
        UNION ALL SELECT 'answer', key, at FROM answer)
      WHERE time NOT BETWEEN ?1 AND ?2
      """
    ).bind(range.lowerBound.seconds).bind(range.upperBound.seconds).each {
      report("\($0.string(0)) \($0.int64(1)): its time \($0.int64(2)) is out of range")
    }
  }

  private func checkRows(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT key FROM row
      WHERE (kind > 0) IS NOT (updated_at IS NOT NULL AND revision IS NOT NULL AND quantity IS NOT NULL)
        OR fields IS NOT NULL AND NOT iif(json_valid(fields), json_type(fields) = 'object', 0)
      """
    ).each { report("row \($0.int64(0)): a value is missing, or its custom fields cannot be read") }
    // `Statement.bind(_: ItemDetails)` writes these columns.
    try db.sql(
      """
      SELECT key FROM row WHERE CASE kind
        WHEN 1 THEN coalesce(name, make, model, year, fuel) IS NULL
        WHEN 2 THEN title = iif(coalesce(year, make, model) IS NULL, coalesce(name, ''),
          substr(coalesce(' ' || year, '') || coalesce(' ' || make, '') || coalesce(' ' || model, ''), 2))
        ELSE 1 END IS NOT TRUE
      """
    ).each { report("row \($0.int64(0)): its title or its values do not fit its kind") }
    try db.sql(
      "SELECT key FROM row WHERE quantity NOT BETWEEN ?1 AND ?2 OR value NOT BETWEEN ?3 AND ?4"
    )
    .bind(Limits.quantity.lowerBound).bind(Limits.quantity.upperBound)
    .bind(Limits.value.lowerBound).bind(Limits.value.upperBound)
    .each { report("row \($0.int64(0)): its value or its quantity is out of range") }
    try db.sql(
      """
      SELECT row.key, placed FROM row JOIN inventory ON inventory.key = row.inventory
      WHERE hidden = 0 AND placed > inventory.revision
      UNION ALL
      SELECT row, trash.revision FROM trash JOIN inventory ON inventory.key = trash.inventory
      WHERE hidden = 0 AND trash.revision > inventory.revision
      """
    ).each {
      report("row \($0.int64(0)): its revision \($0.int64(1)) is higher than its inventory's")
    }
    try db.sql("SELECT row FROM trash WHERE place < 0").each {
      report("row \($0.int64(0)): it is in the trash with a former place below 0")
    }
  }

  private func checkPhotoValues(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT photo.key, max(coalesce(added, 0), coalesce(removed, 0)) AS latest
      FROM photo JOIN inventory ON inventory.key = photo.inventory
      WHERE hidden = 0 AND state IN (1, 2) AND latest > inventory.revision
      """
    ).each {
      report("photo \($0.int64(0)): its revision \($0.int64(1)) is higher than its inventory's")
    }
    try db.sql(
      "SELECT key, type, size, width, height, orientation FROM photo WHERE state IN (1, 2)"
    ).each { row in
      let isSound =
        ImageType(rawValue: row.string(1)) != nil && row.int64(2) > 0
        && (row.int64OrNil(3) ?? 1) > 0 && (row.int64OrNil(4) ?? 1) > 0
        && (1...8).contains(row.int64OrNil(5) ?? 1)
      if !isSound { report("photo \(row.int64(0)): its type, size or orientation is invalid") }
    }
  }

  /// Checks that no key can be assigned twice.
  private func checkKeys(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT name, last, coalesce((SELECT seq FROM sqlite_sequence AS given
          WHERE given.name = used.name), 0) AS given
      FROM (SELECT 'row' AS name, max(key) AS last FROM row
        UNION ALL SELECT 'photo', max(key) FROM photo
        UNION ALL SELECT 'arrangement', max(key) FROM arrangement) AS used
      WHERE last > given
      """
    ).each {
      report(
        "\($0.string(0)): its highest key is \($0.int64(1)), but the last assigned key is \($0.int64(2))"
      )
    }
  }
}
