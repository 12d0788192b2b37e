import Inventory
import SQLite

/// An inventory in a copy, and the revision at which it was copied.
package struct CopiedInventory: Sendable, Equatable {
  package let id: InventoryID
  package let revision: Revision
}

extension CopiedInventory {
  static func all(in db: Connection) throws(SQLiteError) -> [CopiedInventory] {
    // In the first schemas all were to be seen.
    let hides = try db.prepare(
      "SELECT count(*) FROM pragma_table_info('inventory') WHERE name = 'hidden'"
    ).first { $0.bool(0) }
    var all: [CopiedInventory] = []
    try db.prepare(
      "SELECT id, revision FROM inventory"
        + (hides == true ? " WHERE hidden = 0 ORDER BY coalesce(stands_for, key)" : " ORDER BY key")
    ).forEach { row in
      all.append(CopiedInventory(id: InventoryID(row.uuid(0)), revision: Revision(row.int64(1))))
    }
    return all
  }
}
