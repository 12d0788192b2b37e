import Inventory
import SQLite
import Synchronization

/// The parent chains of one version of the tree, shared by threads.
final class KnownChains: Sendable {
  private struct State {
    var version: UInt64 = 0
    var chains = Chains()
  }

  private let state = Mutex(State())

  /// Calls the body with the chains of a version of the tree; they are empty for a new version. Returns nil, without
  /// calling the body, if a newer version is known.
  func withChains<Value>(of version: UInt64, _ body: (inout Chains) -> Value) -> Value? {
    state.withLock { state in
      guard version >= state.version else { return nil }
      if version > state.version { state = State(version: version) }
      return body(&state.chains)
    }
  }

  /// Removes chains that lead through a row.
  func forget(_ key: RowKey) { state.withLock { $0.chains.forget(key) } }

  func removeAll() { state.withLock { $0.chains = Chains() } }

  /// The number of cached links.
  var count: Int { state.withLock { $0.chains.count } }
}

/// The part of the tree's cache that all threads of a store share.
///
/// A version of the tree lasts until a list, or an item with contents, is moved, deleted or restored. New rows and
/// edits change no chain.
final class SharedTree: Sendable {
  /// The maximum depth of lists in all inventories.
  let depthLimit: DepthLimit
  let chains = KnownChains()
  /// Odd during a commit that ends a version.
  private let count = Atomic<UInt64>(0)

  init(depthLimit: DepthLimit = .standard) { self.depthLimit = depthLimit }

  /// The version after the last commit; nil during a commit that ends it.
  var version: UInt64? {
    let count = count.load(ordering: .acquiring)
    return count.isMultiple(of: 2) ? count : nil
  }

  /// Runs a commit that ends a version. The commit may fail.
  func ending<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    count.add(1, ordering: .sequentiallyConsistent)
    defer { count.add(1, ordering: .sequentiallyConsistent) }
    try commit()
  }
}

/// One connection's cache of the tree of lists.
final class TreeMemory: ConnectionMemory {
  let tree: SharedTree
  /// The maximum number of rows that one walk may read. A read with a longer chain throws `boundExceeded`.
  let bound: Int
  /// The writer has its own, because they may be ahead of the last commit.
  let chains: KnownChains
  /// The version of the tree in the open transaction; nil if it is uncertain.
  var version: UInt64?
  /// Only the writer has it.
  private(set) var deepest: DeepestLevels?
  /// Whether the open transaction ends a version of the tree.
  private var endsVersion = false

  /// The bound for event loops, which must not make long walks.
  static let loopBound = 128

  init(_ tree: SharedTree, bound: Int = .max) {
    self.tree = tree
    self.bound = bound
    chains = tree.chains
  }

  /// Creates the writer's memory.
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

  /// Sets the version for a transaction whose snapshot was taken after `earlier` was read and before this call.
  func see(_ earlier: UInt64?) { version = earlier == tree.version ? earlier : nil }

  func forgetRolledBack() {
    guard deepest != nil else { return }
    chains.removeAll()
  }

  /// Removes cached chains before a list, or an item with contents, moves or goes away. Without a key, removes all.
  func treeChanges(at key: RowKey? = nil) {
    endsVersion = true
    if let key { chains.forget(key) } else { chains.removeAll() }
  }

  /// Resets the memory, because another database has replaced this one.
  func startAnew(in db: Connection) throws(StorageError) {
    treeChanges()
    deepest = try Self.deepestLevels(in: db)
  }

  /// Runs the writer's commit.
  func publishing<E: Error>(_ commit: () throws(E) -> Void) throws(E) {
    guard endsVersion else { return try commit() }
    try tree.ending(commit)
    endsVersion = false
  }
}

extension Connection {
  /// Nil for a connection that does not belong to a store.
  var tree: TreeMemory? { memory as? TreeMemory }
}
