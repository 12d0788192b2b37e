import Inventory
import SQLite

/// Tells what is below one list or item, and how far down, looking at each link of the ways up once.
final class Subtree {
  private let db: Connection
  /// Nil for what is not below the top.
  private var levels: [Int64: Int?]

  init(below top: Int64, in db: Connection) {
    self.db = db
    levels = [top: 1]
  }

  /// The level of a list or an item, the top's being 1; nil for what is not below it, what is in the trash
  /// among that.
  func level(of key: Int64?) throws(StorageError) -> Int? {
    var passed: [Int64] = []
    var next = key
    var level: Int?
    while let key = next {
      if let known = levels[key] {
        level = known
        break
      }
      // Also ends the walk in a damaged file that has a circle.
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

  /// Whether it is the top, or below it.
  func contains(_ key: Int64?) throws(StorageError) -> Bool { try level(of: key) != nil }
}

extension Connection {
  /// The list or item that something stands in; nil for what stands in nothing, and for what is gone.
  func parent(of key: Int64) throws(StorageError) -> Int64? {
    try sql("SELECT parent FROM row WHERE key = ?1").bind(key).one { $0.int64OrNil(0) } ?? nil
  }

  /// A list or an item as a step of a way.
  func step(_ key: Int64) throws(StorageError) -> PathStep {
    let step = try sql("SELECT id, title, kind FROM row WHERE key = ?1").bind(key).one {
      PathStep(id: RowID($0.uuid(0)), title: $0.string(1), isList: $0.isList(2))
    }
    guard let step else { throw .broken("row \(key) is gone") }
    return step
  }
}
