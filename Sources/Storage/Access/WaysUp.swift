import Inventory
import SQLite

/// Where the ways from lists and items up to a root lead: each is walked once, however many ask, until
/// something is moved.
final class WaysUp {
  private let db: Connection
  private let root: Int64
  private let inventoryRoot: Int64
  private var reaches: [Int64: Reach] = [:]
  private var levels: Subtree?
  private var above: (list: Int64, keys: Set<Int64>)?

  /// More steps than any tree has; a damaged file that has a circle must not hold a thread for ever.
  private static let maximumSteps = 1_000_000
  /// Ways of fewer steps are as quickly walked again as remembered.
  private static let shortWay = 4

  init(to root: Int64, inventoryRoot: Int64, in db: Connection) {
    self.root = root
    self.inventoryRoot = inventoryRoot
    self.db = db
  }

  /// Where the chain of parents of a list or an item leads.
  enum Reach: Equatable {
    case live
    /// To the root, but through something that was deleted: its key.
    case inTrash(top: Int64)
    /// To what is gone for good and only waits to be cleared away.
    case purged
    /// To what is still coming in, and so is nowhere.
    case arriving
    case outside

    /// Whether it comes to the root in the end.
    fileprivate var arrives: Bool {
      switch self {
      case .live, .inTrash: true
      case .purged, .outside, .arriving: false
      }
    }
  }

  func reach(_ key: Int64, _ parent: Int64?) throws(StorageError) -> Reach {
    var (key, parent) = (key, parent)
    /// What was passed since the last deletion.
    var passed: [Int64] = []
    /// What was passed below each deletion, the lowest first, its top the last.
    var deleted: [[Int64]] = []
    var end: Reach?
    var steps = 0
    while key != root {
      // What waits to be cleared away still tells the way of what had been deleted from below it earlier.
      if let known = reaches[key], known != .purged || deleted.isEmpty {
        end = known
        break
      }
      steps += 1
      guard steps <= Self.maximumSteps else { throw .broken("row \(key) stands below itself") }
      passed.append(key)
      if let next = parent {
        key = next
      } else if key == inventoryRoot {
        end = .outside
        break
      } else if let list = try db.sql("SELECT list FROM trash WHERE row = ?1").bind(key)
        .one({ $0.int64(0) })
      {
        // Whether the caller may know of what was deleted goes by the list that it stood in.
        deleted.append(passed)
        passed = []
        key = list
      } else if let home = try db.sql("SELECT home FROM purge WHERE row = ?1").bind(key)
        .one({ $0.int64(0) })
      {
        guard !deleted.isEmpty else {
          end = .purged
          break
        }
        remember(.purged, of: passed)
        passed = []
        key = home
      } else if try db.sql("SELECT 1 FROM staging WHERE top = ?1").bind(key).one({ _ in true })
        != nil
      {
        end = .arriving
        break
      } else {
        throw .broken("row \(key) is in no list and not in the trash")
      }
      parent = try db.parent(of: key)
    }
    let reach = end ?? .live
    remember(reach, of: passed)
    for part in deleted {
      remember(reach.arrives ? .inTrash(top: part[part.count - 1]) : .outside, of: part)
    }
    guard let lowest = deleted.first else { return reach }
    return reach.arrives ? .inTrash(top: lowest[lowest.count - 1]) : .outside
  }

  private func remember(_ reach: Reach, of keys: [Int64]) {
    guard keys.count > Self.shortWay else { return }
    for key in keys { reaches[key] = reach }
  }

  /// The level of a list or an item, the inventory's root list being on level 1; nil for what is not below it.
  func level(of key: Int64) throws(StorageError) -> Int? {
    let levels = levels ?? Subtree(below: inventoryRoot, in: db)
    self.levels = levels
    return try levels.level(of: key)
  }

  /// Whether something is a list or what that stands in, directly or not.
  func passes(_ key: Int64, from list: Int64) throws(StorageError) -> Bool {
    if let above, above.list == list { return above.keys.contains(key) }
    var keys: Set<Int64> = []
    var next: Int64? = list
    while let key = next, keys.insert(key).inserted { next = try db.parent(of: key) }
    above = (list, keys)
    return keys.contains(key)
  }

  /// A row goes to another list, or into the trash or out of it, with all that is below it.
  func forget(movingRow key: Int64) {
    reaches.removeAll()
    levels = nil
    if above?.keys.contains(key) == true { above = nil }
  }
}
