import Inventory
import SQLite

/// How deep lists stand, counted from the inventory's root list, and how deep they may.
extension Access {
  /// The level of something before it is moved; nil where no limit asks for it.
  func levelBefore(_ key: Int64) throws(StorageError) -> Int? {
    guard depthLimit != nil else { return nil }
    return try levelInInventory(of: key)
  }

  /// Refuses new lists below a list or an item where the last of so many levels is too deep.
  func requireRoom(forLevels levels: Int = 1, below holder: Int64) throws(StorageError) {
    guard let depthLimit else { return }
    guard depthLimit.admits(try levelInInventory(of: holder) + levels) else {
      throw try tooDeep(depthLimit)
    }
  }

  /// Refuses a row that is to come into a list, or has come there, where a list would come with it too deep.
  ///
  /// - Parameters:
  ///   - old: its `levelBefore`; nil for what stood nowhere.
  ///   - bound: of lists that come with it.
  /// - Throws: `boundExceeded` if they are more.
  func requireRoom(
    for entry: Entry, in list: Int64, from old: Int?, bound: Int = .max
  ) throws(StorageError) {
    guard let depthLimit, entry.isList || entry.contents != nil else { return }
    let level = try levelInInventory(of: list) + 1
    guard DepthLimit.concerns(level, from: old) else { return }
    guard try depthLimit.admits(entry, on: level, bound: bound, db) else {
      throw try tooDeep(depthLimit)
    }
  }

  /// To the caller its own root is on level 1.
  private func tooDeep(_ limit: DepthLimit) throws(StorageError) -> StorageError {
    let above = try levelInInventory(of: root) - 1
    return .refused(.tooDeep(limit: max(1, limit.level - above)))
  }
}

extension DepthLimit {
  /// Whether all lists that come with a row may stand where they would, the row on `level`.
  fileprivate func admits(
    _ entry: Access.Entry, on level: Int, bound: Int, _ db: Connection
  ) throws(StorageError) -> Bool {
    var pending: [(key: Int64, level: Int)] = []
    var count = 0
    var isTooDeep = false
    /// Whether to go on.
    func meet(_ key: Int64, on level: Int) -> Bool {
      count += 1
      isTooDeep = !admits(level)
      pending.append((key, level))
      return !isTooDeep && count <= bound
    }
    if entry.isList {
      _ = meet(entry.key, on: level)
    } else if let contents = entry.contents {
      _ = meet(contents, on: level + 1)
    }
    while !isTooDeep, count <= bound, let (key, level) = pending.popLast() {
      try db.sql("SELECT key FROM row WHERE parent = ?1 AND kind = 0").bind(key).eachWhile {
        meet($0.int64(0), on: level + 1)
      }
      guard !isTooDeep, count <= bound else { break }
      try db.sql("SELECT contents FROM row WHERE parent = ?1 AND contents IS NOT NULL").bind(key)
        .eachWhile { meet($0.int64(0), on: level + 2) }
    }
    guard isTooDeep || count <= bound else { throw .refused(.boundExceeded) }
    return !isTooDeep
  }
}
