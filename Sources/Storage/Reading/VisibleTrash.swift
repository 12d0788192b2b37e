import Inventory
import SQLite

/// What one caller sees of an inventory's trash, the latest first, what one change deleted by its ids.
enum VisibleTrash {
  /// All of it, which stays in the tables: there may be a hundred thousand.
  case whole(Access)
  /// The keys of the rows that a caller sees who does not see all.
  case part([Int64])

  var count: Int {
    get throws(StorageError) {
      switch self {
      case .part(let keys): return keys.count
      case .whole(let access):
        return try access.db.sql("SELECT count(*) FROM trash WHERE inventory = ?1")
          .bind(access.inventory).one { $0.int(0) } ?? 0
      }
    }
  }

  /// How many come before that row; nil if it is not among them.
  func place(of key: Int64) throws(StorageError) -> Int? {
    switch self {
    case .part(let keys): return keys.firstIndex(of: key)
    case .whole(let access):
      return try access.db.sql(
        """
        SELECT
          (SELECT count(*) FROM trash WHERE inventory = ?1 AND revision > found.revision)
          + (SELECT count(*) FROM trash JOIN row ON row.key = trash.row
            WHERE trash.inventory = ?1 AND trash.revision = found.revision AND row.id < found.id)
        FROM (SELECT trash.revision, row.id FROM trash JOIN row ON row.key = trash.row
          WHERE trash.row = ?2 AND trash.inventory = ?1) AS found
        """
      ).bind(access.inventory).bind(key).one { $0.int(0) }
    }
  }

  func keys(from first: Int, limit: Int) throws(StorageError) -> [Int64] {
    switch self {
    case .part(let keys): return Array(keys.dropFirst(first).prefix(limit))
    case .whole(let access):
      var keys: [Int64] = []
      try access.db.sql(
        """
        SELECT trash.row FROM trash JOIN row ON row.key = trash.row
        WHERE trash.inventory = ?1 ORDER BY trash.revision DESC, row.id LIMIT ?2 OFFSET ?3
        """
      ).bind(access.inventory).bind(limit).bind(first).each { keys.append($0.int64(0)) }
      return keys
    }
  }
}
