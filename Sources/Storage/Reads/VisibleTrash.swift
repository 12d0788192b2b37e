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
      guard let (revision, skipped) = try Self.start(of: first, access) else { return [] }
      var keys: [Int64] = []
      try access.db.sql(
        """
        SELECT trash.row FROM trash JOIN row ON row.key = trash.row
        WHERE trash.inventory = ?1 AND trash.revision <= ?2
        ORDER BY trash.revision DESC, row.id LIMIT ?3 OFFSET ?4
        """
      ).bind(access.inventory).bind(revision).bind(limit).bind(skipped)
        .each { keys.append($0.int64(0)) }
      return keys
    }
  }

  /// The revision that deleted the row at a place, and how many rows of that revision are before it; nil behind the
  /// last. The index alone is looked at: rows before the page are neither read nor sorted.
  private static func start(
    of place: Int, _ access: Access
  ) throws(StorageError) -> (revision: Int64, skipped: Int)? {
    let revision = try access.db.sql(
      """
      SELECT revision FROM trash WHERE inventory = ?1 ORDER BY revision DESC LIMIT 1 OFFSET ?2
      """
    ).bind(access.inventory).bind(place).one { $0.int64(0) }
    guard let revision else { return nil }
    let later = try access.db.sql(
      "SELECT count(*) FROM trash WHERE inventory = ?1 AND revision > ?2"
    ).bind(access.inventory).bind(revision).one { $0.int(0) }
    return (revision, place - (later ?? 0))
  }
}
