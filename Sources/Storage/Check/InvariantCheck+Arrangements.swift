import Inventory
import SQLite

extension InvariantCheck {
  /// The places that a list has in its arrangement are the same by leaf and by row, and are those of its rows.
  func checkArrangement(
    of list: ListRecord, _ report: (String) -> Void
  ) throws(StorageError) {
    guard let arrangement = list.tree.arrangement else { return }
    let isThere =
      try db.sql("SELECT 1 FROM arrangement WHERE key = ?1 AND list = ?2 AND state > 0")
      .bind(arrangement).bind(list.key).one { _ in true } ?? false
    if !isThere { report("list \(list.key): its arrangement \(arrangement) is gone") }
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
