import Inventory
import SQLite

extension InvariantCheck {
  /// Photos have places without holes, all their bytes, and the first is what the item's row shows.
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
        report("item \(row.int64(0)): its photos have not the places 0 to \(count - 1)")
      }
      if row.int64(5) == 0 { report("row \(row.int64(0)): it has photos and is no item") }
    }
    try db.sql(
      """
      SELECT row.key FROM row
      LEFT JOIN photo AS first ON first.item = row.key AND first.place = 0
      WHERE row.photo IS NOT first.id
      """
    ).each { report("row \($0.int64(0)): it does not show its first photo") }
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
          "photo \(row.int64(0)): of its \(row.int64(1)) bytes \(row.int64(2)) are there "
            + "in \(pieces) pieces")
      }
    }
  }
}
