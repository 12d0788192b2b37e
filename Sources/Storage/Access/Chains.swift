/// A cache of the parents of lists and items. Its size is bounded.
///
/// The *chain* of a row goes from parent to parent, and ends at a row without a parent. A deleted row has none, so it
/// ends a chain. The *path* of a row goes on from a deleted row to the list from which it was deleted, and ends at a
/// row without `above`.
///
/// If a link is cached, all links further up its path are too. Each link also has a jump to a link further up, so that
/// an ancestor is found in O(log n) steps: E. W. Myers, "An applicative random-access stack" (1983).
struct Chains {
  /// The kind of the row at the end of a chain.
  enum End: UInt8 {
    case root = 0
    case trash, purge, arriving
    /// Removed from its list by a change that has not inserted it elsewhere yet.
    case nowhere
  }

  struct Link {
    /// The key of the parent; for a deleted row, of the list from which it was deleted. Nil at the end of the path.
    let above: RowKey?
    /// The number of links on the path, from this one to the end, both counted.
    let level: Int32
    /// The kind of `end`.
    let kind: End
    /// The row at the end of the chain: this row or the nearest one above it that has no parent.
    let end: RowKey
    fileprivate let jump: RowKey
  }

  /// The maximum number of cached links.
  static let limit = 100_000

  private var links: [RowKey: Link] = [:]

  var count: Int { links.count }

  subscript(_ key: RowKey) -> Link? { links[key] }

  /// Makes room for some links, if needed by removing all others.
  mutating func makeRoom(for count: Int) {
    if links.count + count > Self.limit { links = [:] }
  }

  /// Removes all links if the row has one, because chains may lead through it.
  mutating func forget(_ key: RowKey) {
    if links[key] != nil { links = [:] }
  }

  /// Adds a link. Does nothing if the cache is full, or the link above is not cached.
  ///
  /// - Parameters:
  ///   - above: as in `Link`; nil at the end of the path.
  ///   - kind: the kind of a row without a parent; nil for a row that has one.
  mutating func add(_ key: RowKey, above: RowKey?, _ kind: End?) {
    guard links.count < Self.limit else { return }
    guard let above else {
      links[key] = Link(above: nil, level: 1, kind: kind ?? .root, end: key, jump: key)
      return
    }
    guard let up = links[above], let middle = links[up.jump], let far = links[middle.jump] else {
      return
    }
    links[key] = Link(
      above: above, level: up.level + 1, kind: kind ?? up.kind, end: kind == nil ? up.end : key,
      jump: up.level - middle.level == middle.level - far.level ? middle.jump : above)
  }

  /// Whether `key` is `other` or above it on the path. `other` must be cached.
  func isAncestor(_ key: RowKey, of other: RowKey) -> Bool {
    // Everything above a cached link is cached.
    guard let level = links[key]?.level else { return false }
    var reached = other
    while let link = links[reached], link.level > level, let above = link.above {
      let jump = links[link.jump]?.level ?? 0
      reached = jump >= level ? link.jump : above
    }
    return reached == key
  }

  /// Whether `key` is `other` or above it in the same chain.
  func isInChain(_ other: RowKey, below key: RowKey) -> Bool {
    links[key].map { $0.end == links[other]?.end } ?? false && isAncestor(key, of: other)
  }

  /// The number of rows of a cached row's chain, from the row to the end, both counted. So the end is on level 1.
  func level(of key: RowKey) -> Int? {
    guard let link = links[key], let end = links[link.end] else { return nil }
    return Int(link.level - end.level) + 1
  }
}
