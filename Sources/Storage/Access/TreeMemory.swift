import Inventory
import SQL
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

  /// Removes all cached chains if one may lead through the row.
  func forget(_ key: RowKey) { state.withLock { $0.chains.forget(key) } }

  func removeAll() { state.withLock { $0.chains = Chains() } }

  /// The number of cached links.
  var count: Int { state.withLock { $0.chains.count } }
}

/// The part of the tree's cache that all threads of a store share.
///
/// A version of the tree lasts until a list, or an item with contents, is moved to another list, deleted, restored or
/// purged. New rows and edits change no chain.
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
  /// The writer has its own chains, because its open transaction may be ahead of the last commit.
  let chains: KnownChains
  /// The version of the tree in the open transaction; nil if it is uncertain.
  var version: UInt64?
  /// Only the writer has it.
  private(set) var deepest: DeepestLevels?
  /// Whether the open transaction ends a version of the tree.
  private(set) var endsVersion = false

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
    // A contents list is purged before its item, and then has no parent.
    let stray = try db.sql(
      """
      SELECT row.key FROM row JOIN row AS nested ON nested.key = row.contents
      WHERE row.contents IS NOT NULL AND nested.parent IS DISTINCT FROM row.key
        AND nested.key NOT IN (SELECT row FROM purge) LIMIT 1
      """
    ).one { $0.key(0) as RowKey }
    if let stray { throw .broken("item \(stray): its contents list is not below it") }
    return try DeepestLevels(in: db)
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

  /// Forgets what it knows, because another process may have changed the tree.
  func forgetOtherStates() {
    chains.removeAll()
    deepest?.becomeStale()
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

/// For each inventory an upper bound of its depth: no list is deeper than this level. With it, a move can often skip
/// the check of the lists below the row. The bound may be too high, never too low.
///
/// Only the writer has it. Rows in the trash are counted from the top of what was deleted.
final class DeepestLevels {
  /// The connection owns its memory, and with it this object.
  private unowned let db: Connection
  private var levels: [InventoryKey: Int] = [:]
  /// Whether another process may have made deeper lists. The levels are then read again when one is asked for.
  private var isStale = false

  /// Reads all lists, except those in a cycle of a damaged tree.
  ///
  /// The query ends in a damaged database too. It begins with rows that have no parent, and continues only with a list
  /// that names the previous list, or an item of it, as its parent. So it reads each list at most once.
  init(in db: Connection) throws(StorageError) {
    self.db = db
    try read()
  }

  private func read() throws(StorageError) {
    try db.sql(
      sqlite: """
        WITH RECURSIVE tree (inventory, key, level) AS (
          SELECT inventory, key, 1 FROM row WHERE parent IS NULL AND kind = 0
          UNION ALL
          SELECT row.inventory, nested.key, 2 FROM row JOIN row AS nested ON nested.key = row.contents
          WHERE row.parent IS NULL AND row.contents IS NOT NULL AND nested.parent = row.key
          UNION ALL
          SELECT tree.inventory, row.key, level + 1 FROM tree JOIN row ON row.parent = tree.key
          WHERE kind = 0
          UNION ALL
          SELECT tree.inventory, nested.key, level + 2 FROM tree JOIN row ON row.parent = tree.key
          JOIN row AS nested ON nested.key = row.contents
          WHERE row.contents IS NOT NULL AND nested.parent = row.key
        )
        SELECT inventory, level FROM tree
        """,
      postgreSQL: """
        WITH RECURSIVE tree (inventory, key, level) AS (
          SELECT inventory, CASE kind WHEN 0 THEN key ELSE contents END,
            CASE kind WHEN 0 THEN 1 ELSE 2 END
          FROM row WHERE parent IS NULL AND (kind = 0 OR contents IS NOT NULL)
          UNION ALL
          SELECT tree.inventory, CASE kind WHEN 0 THEN row.key ELSE contents END,
            level + CASE kind WHEN 0 THEN 1 ELSE 2 END
          FROM tree JOIN row ON row.parent = tree.key WHERE kind = 0 OR contents IS NOT NULL
        )
        SELECT inventory, max(level) FROM tree GROUP BY inventory
        """
    ).each { row in note(row.int(1), in: row.key(0)) }
  }

  /// The levels, sorted by inventory.
  var all: [(inventory: InventoryKey, level: Int)] {
    levels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func level(of inventory: InventoryKey) -> Int {
    if isStale {
      // An unknown level is taken to be the deepest one.
      guard (try? read()) != nil else { return .max / 2 }
      isStale = false
    }
    return levels[inventory] ?? 1
  }

  func becomeStale() {
    levels = [:]
    isStale = true
  }

  /// Records that an inventory has lists on this level.
  func note(_ level: Int, in inventory: InventoryKey) {
    levels[inventory] = max(level, levels[inventory] ?? 1)
  }
}

extension Connection {
  /// Nil for a connection that does not belong to a store.
  var tree: TreeMemory? { memory as? TreeMemory }

  /// The maximum number of rows that one walk may read.
  var walkBound: Int { tree?.bound ?? .max }
}
