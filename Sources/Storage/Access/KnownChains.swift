import Inventory
import SQLite
import Synchronization

/// The chains of one state of the tree, shared by threads.
final class KnownChains: Sendable {
  private struct State {
    var version: UInt64 = 0
    var chains = Chains()
  }

  private let state = Mutex(State())

  /// Runs the body with the chains of a version of the tree, empty ones for a newer version than before; nil without
  /// running it where a newer one is known already.
  func withChains<Value>(of version: UInt64, _ body: (inout Chains) -> Value) -> Value? {
    state.withLock { state in
      guard version >= state.version else { return nil }
      if version > state.version { state = State(version: version) }
      return body(&state.chains)
    }
  }

  /// Forgets what leads through a row.
  func forget(_ key: Int64) { state.withLock { $0.chains.forget(key) } }

  func removeAll() { state.withLock { $0.chains = Chains() } }

  /// How many links are known.
  var count: Int { state.withLock { $0.chains.count } }
}

/// The tree of lists, as far as all threads of a store share what they know of it.
///
/// A version of the tree lasts until a list, or an item with contents, is moved, deleted or brought back: new rows
/// and edits change no chain.
final class SharedTree: Sendable {
  /// The lowest level for lists in all inventories.
  let depthLimit: DepthLimit
  let chains = KnownChains()
  /// Odd while a commit that ends a version is under way.
  private let count = Atomic<UInt64>(0)

  init(depthLimit: DepthLimit = .standard) { self.depthLimit = depthLimit }

  /// The version that the last commit has left; nil while the next is under way.
  var version: UInt64? {
    let count = count.load(ordering: .acquiring)
    return count.isMultiple(of: 2) ? count : nil
  }

  /// Makes a commit that ends a version, well or badly.
  func ending<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    count.add(1, ordering: .sequentiallyConsistent)
    defer { count.add(1, ordering: .sequentiallyConsistent) }
    try commit()
  }
}

/// What one connection knows of the tree of lists besides what it reads.
final class TreeMemory: ConnectionMemory {
  let tree: SharedTree
  /// Rows that one walk may read; where a chain is longer, the read is `boundExceeded`.
  let bound: Int
  /// Those of the writer are its own: they may be ahead of what is committed.
  let chains: KnownChains
  /// Of the tree that the open transaction sees; nil where that is not certain.
  var version: UInt64?
  /// Of the writer alone.
  private(set) var deepest: DeepestLevels?
  /// Whether the open transaction ends a version of the tree.
  private var endsVersion = false

  /// Long walks are not for event loops.
  static let loopBound = 128

  init(_ tree: SharedTree, bound: Int = .max) {
    self.tree = tree
    self.bound = bound
    chains = tree.chains
  }

  /// The writer's.
  init(_ tree: SharedTree, writingTo db: Connection) throws(StorageError) {
    self.tree = tree
    bound = .max
    chains = KnownChains()
    version = 0
    deepest = try Self.deepestLevels(in: db)
  }

  /// Throws `broken` for a tree in which walks down would not end.
  private static func deepestLevels(in db: Connection) throws(StorageError) -> DeepestLevels {
    let levels = try DeepestLevels(in: db)
    if let item = levels.itemsWithStrayContents.first {
      throw .broken("item \(item): its contents list is not below it")
    }
    return levels
  }

  /// Notes the version of a transaction whose snapshot was taken between this and the time of `earlier`.
  func see(_ earlier: UInt64?) { version = earlier == tree.version ? earlier : nil }

  func forgetRolledBack() {
    guard deepest != nil else { return }
    chains.removeAll()
  }

  /// A list, or an item with contents, is about to be in another place, or to be gone; nil: any may be.
  func treeChanges(at key: Int64? = nil) {
    endsVersion = true
    if let key { chains.forget(key) } else { chains.removeAll() }
  }

  /// Another database has taken this one's place.
  func startAnew(in db: Connection) throws(StorageError) {
    treeChanges()
    deepest = try Self.deepestLevels(in: db)
  }

  /// Makes the writer's commit.
  func publishing<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    guard endsVersion else { return try commit() }
    try tree.ending(commit)
    endsVersion = false
  }
}

extension Connection {
  /// Nil for a connection that neither reads nor writes for a store.
  var tree: TreeMemory? { memory as? TreeMemory }
}
