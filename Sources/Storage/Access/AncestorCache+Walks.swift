import SQL

extension AncestorCache {
  /// Chains with fewer steps are not cached: walking them again is as fast.
  private static let shortChain = 8
  /// The number of links added to the cache under one lock.
  private static let batch = 256
  /// More rows than any chain has that is not a cycle.
  private static let longestChain = 1_000_000

  struct Step {
    let key: RowKey
    /// Its parent, or the list that it was deleted from.
    var above: RowKey?
    /// The kind of a row without a parent; nil for a row with one.
    let kind: Chains.End?

    var parent: RowKey? { kind == nil ? above : nil }
  }

  /// Facts about a cached link. They are read together, because other threads may clear the cache.
  struct KnownLink {
    let link: Chains.Link
    let level: Int
    /// Whether the link is the sought row or below it. A deleted row counts as below the list that it was deleted
    /// from.
    let isBelowSought: Bool
    /// Whether the link is or is below the sought row in its own chain, which ends at a deleted row, if there is one.
    let isBelowSoughtInChain: Bool
  }

  /// The steps from a row up to the end of its chain, or to a cached link.
  struct Walk {
    /// The row that the walk looks for.
    var sought: RowKey?
    var steps: [Step] = []
    var known: KnownLink?
    /// The first row without a parent, and its kind.
    var end: RowKey
    var kind = Chains.End.root
    /// The number of rows from the first one to `end`.
    var level = 0

    mutating func settle() {
      if let index = steps.firstIndex(where: { $0.kind != nil }) {
        (end, kind, level) = (steps[index].key, steps[index].kind ?? .root, index + 1)
      } else if let known {
        (end, kind, level) = (known.link.end, known.link.kind, steps.count + known.level)
      }
    }
  }

  /// Walks from a row up to the end of its chain, or to a cached link.
  func walk(
    from key: RowKey, _ parent: RowKey?, lookingFor sought: RowKey? = nil
  ) throws(StorageError) -> Walk {
    var walk = Walk(sought: sought, end: key)
    if let parent {
      walk.steps.append(Step(key: key, above: parent, kind: nil))
    } else {
      guard let first = try step(key) else { throw .broken("row \(key) is gone") }
      walk.steps.append(first)
    }
    while walk.known == nil, let next = walk.steps[walk.steps.count - 1].above {
      if next == inventoryRoot {
        walk.steps.append(Step(key: next, above: nil, kind: .root))
      } else if let known = find(next, sought) {
        walk.known = known
      } else if walk.steps.count <= Self.shortChain {
        guard walk.steps.count <= db.walkBound else { throw .refused(.boundExceeded) }
        if let step = try step(next) { walk.steps.append(step) } else { try endAtGap(&walk) }
      } else {
        try readRest(&walk, from: next)
      }
    }
    walk.settle()
    if walk.steps.count > Self.shortChain { remember(walk) }
    return walk
  }

  /// Reads the rest of a chain with one statement.
  private func readRest(_ walk: inout Walk, from key: RowKey) throws(StorageError) {
    var isTooLong = false
    var isCircle = false
    var steps = walk.steps
    var known: KnownLink?
    // Keeps one step until the number of steps has doubled: a chain with a cycle meets the kept step again (R. Brent,
    // 1980).
    var (kept, next) = (key, 2 * steps.count)
    let (bound, sought) = (db.walkBound, walk.sought)
    try db.sql(
      with: """
        WITH RECURSIVE way (key, above, kind) AS (
          VALUES (CAST(NULL AS BIGINT), ?1, CAST(NULL AS BIGINT))
          UNION ALL
          SELECT
        """, Self.link,
      """
        FROM way JOIN row ON row.key = way.above
      )
      SELECT key, above, kind FROM way WHERE key IS NOT NULL LIMIT ?2
      """
    ).bind(key).bind(min(bound, Self.longestChain) + 2).eachWhile { row in
      let key: RowKey = row.key(0)
      if key == kept, steps.count > Self.shortChain + 1 {
        isCircle = true
        return false
      }
      if steps.count >= next { (kept, next) = (key, 2 * steps.count) }
      if let link = find(key, sought) {
        known = link
        return false
      }
      isTooLong = steps.count > bound
      steps.append(Step(row))
      return !isTooLong
    }
    guard !isTooLong else { throw .refused(.boundExceeded) }
    guard !isCircle else { throw .broken("row \(key) is below itself") }
    let hasGrown = steps.count > walk.steps.count
    walk.steps = steps
    walk.known = known
    if known == nil, !hasGrown || steps[steps.count - 1].above != nil { try endAtGap(&walk) }
  }

  /// Ends a chain whose next row is missing. That is normal only above a purged row, because the next row may be
  /// deleted first.
  private func endAtGap(_ walk: inout Walk) throws(StorageError) {
    let last = walk.steps.count - 1
    guard walk.steps[last].kind == .purge else {
      throw .broken("row \(walk.steps[last].key) is in no list and not in the trash")
    }
    walk.steps[last].above = nil
  }

  /// The columns of a row's step.
  private static let link: StaticString = """
    row.key,
    coalesce(parent, (SELECT list FROM trash WHERE trash.row = row.key),
      (SELECT nullif(home, row.key) FROM purge WHERE purge.row = row.key)),
    CAST(CASE WHEN parent IS NOT NULL THEN NULL
      WHEN EXISTS (SELECT 1 FROM trash WHERE trash.row = row.key) THEN 1
      WHEN EXISTS (SELECT 1 FROM purge WHERE purge.row = row.key) THEN 2
      WHEN EXISTS (SELECT 1 FROM staging WHERE top = row.key) THEN 3
      WHEN row.key = (SELECT root FROM inventory WHERE inventory.key = row.inventory) THEN 0
      ELSE 4 END AS BIGINT)
    """

  func step(_ key: RowKey) throws(StorageError) -> Step? {
    if key == inventoryRoot { return Step(key: key, above: nil, kind: .root) }
    return try db.sql(with: "SELECT", Self.link, "FROM row WHERE key = ?1").bind(key).one(Step.init)
  }

  private func find(_ key: RowKey, _ sought: RowKey?) -> KnownLink? {
    withChains { chains in
      guard let link = chains[key], let level = chains.level(of: key) else { return nil }
      return KnownLink(
        link: link, level: level,
        isBelowSought: sought.map { chains.isAncestor($0, of: key) } ?? false,
        isBelowSoughtInChain: sought.map { chains.isInChain(key, below: $0) } ?? false)
    }
  }

  /// Caches all steps except the first, which need not have anything below it.
  private func remember(_ walk: Walk) {
    withChains { $0.makeRoom(for: walk.steps.count) }
    var rest = walk.steps.dropFirst()
    while !rest.isEmpty {
      let batch = rest.suffix(Self.batch)
      rest = rest.dropLast(batch.count)
      withChains { chains in
        for step in batch.reversed() { chains.add(step.key, above: step.above, step.kind) }
      }
    }
  }
}

extension AncestorCache.Step {
  /// Reads the columns of `AncestorCache.link`.
  fileprivate init(_ row: Statement) {
    self.init(
      key: row.key(0), above: row.keyOrNil(1),
      kind: row.int64OrNil(2).flatMap { Chains.End(rawValue: UInt8($0)) })
  }
}
