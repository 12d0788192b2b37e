import Inventory
import SQL

/// Finds the ancestors of lists and items, and whether a caller may see them.
///
/// A long chain of parents is walked once. Its links stay in the connection's `TreeMemory` until a row with lists
/// below it moves.
final class AncestorCache {
  let db: Connection
  private let root: RowKey
  let inventoryRoot: RowKey
  let memory: TreeMemory?
  /// The links of this object's own walks. Used if the memory has another version of the tree.
  private var own = Chains()
  private var usesOwn: Bool

  init(to root: RowKey, inventoryRoot: RowKey, in db: Connection) {
    self.root = root
    self.inventoryRoot = inventoryRoot
    self.db = db
    memory = db.tree
    usesOwn = memory?.version == nil
  }

  /// What a caller may see of a list or an item. This depends on the end of its chain of parents.
  enum Visibility: Equatable {
    case live
    /// Below the root, but deleted together with the row `top`.
    case inTrash(top: RowKey)
    /// Below a purged row, which waits for its deletion.
    case purged
    /// Below a staged import, which is in no list yet.
    case arriving
    case outside

    /// Whether the caller sees the row, in its list or in the trash.
    var isInSight: Bool {
      switch self {
      case .live, .inTrash: true
      case .purged, .arriving, .outside: false
      }
    }
  }

  /// - Parameter parent: the row's parent.
  /// - Throws: `boundExceeded` on a connection that makes no long walks.
  func visibility(_ key: RowKey, _ parent: RowKey?) throws(StorageError) -> Visibility {
    guard key != root, parent != inventoryRoot || root != inventoryRoot else { return .live }
    let walk = try walk(from: key, parent, lookingFor: root)
    switch walk.kind {
    case .purge: return .purged
    case .arriving: return .arriving
    case .nowhere: throw .broken("row \(walk.end) is in no list and not in the trash")
    case .root: return isAncestor(root, in: walk) ? .live : .outside
    // A caller sees a deleted row if they see the list from which it was deleted.
    case .trash: return isAncestor(root, in: walk) ? .inTrash(top: walk.end) : .outside
    }
  }

  /// Whether a list or an item is at or below the root, and not in the trash.
  func isLive(_ key: RowKey?) throws(StorageError) -> Bool {
    guard let key else { return false }
    guard key != root else { return true }
    guard let step = try step(key) else { return false }
    return try visibility(key, step.parent) == .live
  }

  /// The level of a row. `top` is on level 1 and must have no parent. Nil if the row is not below `top`.
  func level(of key: RowKey, below top: RowKey) throws(StorageError) -> Int? {
    if key == top { return 1 }
    guard let step = try step(key) else { return nil }
    let walk = try walk(from: key, step.parent)
    return walk.end == top ? walk.level : nil
  }

  /// Whether a row is `list` itself, or contains it directly or indirectly.
  func isAncestor(_ key: RowKey, of list: RowKey) throws(StorageError) -> Bool {
    if key == list { return true }
    guard let step = try step(list) else { return false }
    let walk = try walk(from: list, step.parent, lookingFor: key)
    for step in walk.steps {
      if step.key == key { return true }
      if step.kind != nil { return false }
    }
    return walk.known?.isBelowSoughtInChain ?? false
  }

  /// Whether a row is `list` itself or contains it, also across deletions: a row in the trash counts as below the list
  /// that it was deleted from.
  func isAncestor(_ key: RowKey, ofTrashed list: RowKey) throws(StorageError) -> Bool {
    guard let step = try step(list) else { return false }
    return isAncestor(key, in: try walk(from: list, step.parent, lookingFor: key))
  }

  /// The list whose trash gets the deleted rows of a list that is being purged. Nil if the list is not being purged.
  func home(ofPurged list: RowKey) throws(StorageError) -> RowKey? {
    guard let first = try step(list) else { return nil }
    let walk = try walk(from: list, first.parent)
    return walk.kind == .purge ? try step(walk.end)?.above : nil
  }

  private func isAncestor(_ key: RowKey, in walk: Walk) -> Bool {
    if walk.kind == .root, key == walk.end { return true }
    if walk.steps.contains(where: { $0.key == key }) { return true }
    return walk.known?.isBelowSought ?? false
  }

  /// Removes the cached links that a row's move makes wrong. Call it before or after a row moves to another list, into
  /// the trash, or out of it.
  ///
  /// - Parameter hasLists: whether the row is a list, or an item with contents. No chain leads through other items.
  func forget(movingRow key: RowKey, hasLists: Bool) {
    guard hasLists else { return }
    own.forget(key)
    memory?.treeChanges(at: key)
  }

  /// Calls the body with the memory's chains, or with this object's own if the memory has another version of the tree.
  func withChains<Value>(_ body: (inout Chains) -> Value) -> Value {
    if !usesOwn, let memory, let version = memory.version,
      let value = memory.chains.withChains(of: version, body)
    {
      return value
    }
    usesOwn = true
    return body(&own)
  }
}
