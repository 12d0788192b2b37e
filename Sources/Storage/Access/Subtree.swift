import Inventory
import SQL

/// Finds out what is below one list or item, and on which level. It reads each parent once.
final class Subtree {
  private let db: Connection
  /// Nil for rows that are not below the top.
  private var levels: [RowKey: Int?]

  init(below top: RowKey, in db: Connection) {
    self.db = db
    levels = [top: 1]
  }

  /// The level of a list or an item. The top is on level 1. Nil for rows in the trash and others not below the top.
  func level(of key: RowKey?) throws(StorageError) -> Int? {
    var passed: [RowKey] = []
    var next = key
    var level: Int?
    while let key = next {
      if let known = levels[key] {
        level = known
        break
      }
      // This also ends the walk at a cycle in a damaged file.
      levels[key] = .some(nil)
      passed.append(key)
      next = try db.parent(of: key)
    }
    guard var level else { return nil }
    for key in passed.reversed() {
      level += 1
      levels[key] = level
    }
    return level
  }

  /// Whether a row is the top, or below it.
  func contains(_ key: RowKey?) throws(StorageError) -> Bool { try level(of: key) != nil }
}

extension Connection {
  /// Calls the body with a list, and with each list and each item with contents below it: with all that can be the
  /// parent of rows. Its cost depends only on the rows below the list.
  ///
  /// - Parameter throughTrash: whether it also descends into the rows that were deleted from these lists.
  func eachParent(
    below top: RowKey, throughTrash: Bool = false,
    _ body: (RowKey) throws(StorageError) -> Void
  ) throws(StorageError) {
    var pending = [top]
    while let parent = pending.popLast() {
      do throws(DatabaseError) { try checkProgress() } catch { throw .database(error) }
      try sql("SELECT key FROM row WHERE parent = ?1 AND (kind = 0 OR contents IS NOT NULL)")
        .bind(parent).each { pending.append($0.key(0)) }
      if throughTrash {
        try sql(
          """
          SELECT row.key FROM trash JOIN row ON row.key = trash.row
          WHERE trash.list = ?1 AND (kind = 0 OR contents IS NOT NULL)
          """
        ).bind(parent).each { pending.append($0.key(0)) }
      }
      try body(parent)
    }
  }

  /// The list or item that contains a row. Nil for a row without a parent, and for a missing one.
  func parent(of key: RowKey) throws(StorageError) -> RowKey? {
    try sql("SELECT parent FROM row WHERE key = ?1").bind(key).one { $0.keyOrNil(0) } ?? nil
  }

  /// A list or an item as a step of a path.
  func step(_ key: RowKey) throws(StorageError) -> PathStep { try stepAndParent(of: key).step }

  /// A list or an item as a step of a path, and the list or item that contains it.
  func stepAndParent(
    of key: RowKey
  ) throws(StorageError) -> (step: PathStep, parent: RowKey?) {
    let found = try sql("SELECT id, title, kind, parent FROM row WHERE key = ?1").bind(key).one {
      (
        PathStep(id: RowID($0.uuid(0)), title: $0.string(1), isList: $0.isList(2)),
        $0.keyOrNil(3) as RowKey?
      )
    }
    guard let found else { throw .broken("row \(key) is gone") }
    return found
  }
}
