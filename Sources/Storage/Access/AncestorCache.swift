import Inventory
import SQLite

/// Finds the ancestors of lists and items, and whether a caller may see them.
///
/// A long chain of parents is walked once. Its links stay in the connection's `TreeMemory` until a row with lists
/// below it moves.
final class AncestorCache {
  let db: Connection
  private let root: Int64
  let inventoryRoot: Int64
  let memory: TreeMemory?
  /// The links of the walks made here, where the memory is of another version of the tree.
  private var own = Chains()
  private var usesOwn: Bool

  init(to root: Int64, inventoryRoot: Int64, in db: Connection) {
    self.root = root
    self.inventoryRoot = inventoryRoot
    self.db = db
    memory = db.tree
    usesOwn = memory?.version == nil
  }

  /// What a caller may know of a list or an item: where its chain of parents ends.
  enum Visibility: Equatable {
    case live
    /// To the root, but through something that was deleted: its key.
    case inTrash(top: Int64)
    /// To what is gone for good and only waits to be cleared away.
    case purged
    /// To what is still coming in, and so is nowhere.
    case arriving
    case outside
  }

  /// - Parameter parent: what the row has as its parent.
  /// - Throws: `boundExceeded` on a connection that makes no long walks.
  func visibility(_ key: Int64, _ parent: Int64?) throws(StorageError) -> Visibility {
    guard key != root, parent != inventoryRoot || root != inventoryRoot else { return .live }
    let walk = try walk(from: key, parent, lookingFor: root)
    switch walk.kind {
    case .purge: return .purged
    case .arriving: return .arriving
    case .nowhere: throw .broken("row \(walk.end) is in no list and not in the trash")
    case .root: return isAncestor(root, in: walk) ? .live : .outside
    // Whether the caller may know of what was deleted goes by the list that it was in.
    case .trash: return isAncestor(root, in: walk) ? .inTrash(top: walk.end) : .outside
    }
  }

  /// Whether a list or an item is there, at or below the root; not what is in the trash.
  func isLive(_ key: Int64?) throws(StorageError) -> Bool {
    guard let key else { return false }
    guard key != root else { return true }
    guard let step = try step(key) else { return false }
    return try visibility(key, step.parent) == .live
  }

  /// The level of a list or an item below another, which is on level 1 and has no parent; nil for what is not below it.
  func level(of key: Int64, below top: Int64) throws(StorageError) -> Int? {
    if key == top { return 1 }
    guard let step = try step(key) else { return nil }
    let walk = try walk(from: key, step.parent)
    return walk.end == top ? walk.level : nil
  }

  /// Whether a row is `list` itself, or contains it directly or indirectly.
  func isAncestor(_ key: Int64, of list: Int64) throws(StorageError) -> Bool {
    if key == list { return true }
    guard let step = try step(list) else { return false }
    let walk = try walk(from: list, step.parent, lookingFor: key)
    for step in walk.steps {
      if step.key == key { return true }
      if step.kind != nil { return false }
    }
    return walk.known?.isBelowSoughtInChain ?? false
  }

  private func isAncestor(_ key: Int64, in walk: Walk) -> Bool {
    if walk.kind == .root, key == walk.end { return true }
    if walk.steps.contains(where: { $0.key == key }) { return true }
    return walk.known?.isBelowSought ?? false
  }

  /// A row goes to another list, or into the trash or out of it, with all that is below it.
  ///
  /// - Parameter hasLists: whether it is a list, or has contents.
  func forget(movingRow key: Int64, hasLists: Bool) {
    guard hasLists else { return }
    own.forget(key)
    memory?.treeChanges(at: key)
  }

  /// Runs the body with the memory, or with what was read here where that is of another version of the tree.
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
