import Inventory

/// The part of an inventory's trash that one caller sees. The latest deletion is first. The rows of one change are in
/// the order of their ids.
enum VisibleTrash {
  /// All of it. It stays in the tables, because it may have a hundred thousand rows.
  case whole(Access)
  /// The keys of the rows, for a caller who sees only a part of the inventory.
  case part([RowKey])

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

  /// The number of rows before a row; nil if the row is not among them.
  func place(of key: RowKey) throws(StorageError) -> Int? {
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

  func keys(from first: Int, limit: Int) throws(StorageError) -> [RowKey] {
    switch self {
    case .part(let keys): return Array(keys.dropFirst(first).prefix(limit))
    case .whole(let access):
      guard let (revision, skipped) = try Self.start(of: first, access) else { return [] }
      return try access.db.sql(
        """
        SELECT trash.row FROM trash JOIN row ON row.key = trash.row
        WHERE trash.inventory = ?1 AND trash.revision <= ?2
        ORDER BY trash.revision DESC, row.id LIMIT ?3 OFFSET ?4
        """
      ).bind(access.inventory).bind(revision).bind(limit).bind(skipped)
        .all { $0.key(0) }
    }
  }

  /// The revision that deleted the row at a place, and the number of rows of that revision before it; nil after the
  /// last row. This reads only the index: rows before the page are neither read nor sorted.
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
