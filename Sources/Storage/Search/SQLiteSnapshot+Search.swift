import Inventory
import SQLite

/// Views, searches and tags.
extension SQLiteSnapshot {
  func rows(
    of list: ListReference, _ view: RowView, for caller: Caller
  ) throws(InventoryError) -> PageOfRows {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      return try ViewReader(db: db, access: access).page(of: try access.list(list), view)
    }
  }

  func search(
    _ query: SearchQuery, for caller: Caller,
    begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(InventoryError) {
    try reading { () throws(StorageError) in
      let reader = SearchReader(db: db, access: try Access(caller, in: db))
      try reader.search(query, begin: begin, visit: visit)
    }
  }

  func tags(
    prefix: String, offset: Int, limit: Int, for caller: Caller
  ) throws(InventoryError) -> TagCounts {
    try reading { () throws(StorageError) in
      try SearchReader(db: db, access: try Access(caller, in: db)).tags(
        prefix: prefix, offset: offset, limit: limit)
    }
  }
}
