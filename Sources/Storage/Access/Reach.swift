import Inventory
import SQLite

/// Tells what is below one list, looking at each list on the way up once.
struct Reach {
  private let db: Connection
  private var known: [Int64: Bool]

  init(below top: Int64, in db: Connection) {
    self.db = db
    known = [top: true]
  }

  /// Whether what stands in this list, or is an item's contents, is below the top; not so what is in
  /// the trash.
  mutating func contains(childOf parent: Int64?) throws(StorageError) -> Bool {
    var passed: [Int64] = []
    var isBelow = false
    var next = parent
    while let key = next {
      if let answer = known[key] {
        isBelow = answer
        break
      }
      // Also ends the walk in a damaged file that has a circle.
      known[key] = false
      passed.append(key)
      next =
        try db.sql("SELECT parent FROM row WHERE key = ?1").bind(key).one { $0.int64OrNil(0) }
        ?? nil
    }
    if isBelow { for key in passed { known[key] = true } }
    return isBelow
  }
}
