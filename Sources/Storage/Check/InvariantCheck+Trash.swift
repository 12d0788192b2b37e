import Inventory
import SQLite

extension InvariantCheck {
  /// What was deleted names the list that it stood in, or what held that one; an inventory that is cleared away whole
  /// has no trash any more that went by it.
  func checkHomes(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      "SELECT row FROM trash WHERE NOT EXISTS (SELECT 1 FROM list WHERE list.key = trash.list)"
    ).each { report("row \($0.int64(0)): it is in the trash, and the list it stood in is gone") }
    try db.sql(
      """
      SELECT purge.row FROM purge JOIN row ON row.key = purge.row
      JOIN inventory ON inventory.key = row.inventory
      WHERE hidden = 0 AND NOT EXISTS (SELECT 1 FROM list WHERE list.key = home)
      """
    ).each { report("row \($0.int64(0)): it is purged, and the list it stood in is gone") }
  }
}
