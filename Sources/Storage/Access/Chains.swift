/// A cache of parent chains, from lists and items to where each chain ends. Its size is bounded.
///
/// If a link is cached, so is everything above it. Each link also has a jump to a link further up, so that an ancestor
/// is found in O(log n) steps: E. W. Myers, "An applicative random-access stack" (1983).
struct Chains {
  /// The kind of the row at the end of a chain.
  enum End: UInt8 {
    case root = 0
    case trash, purge, arriving
    /// Removed from its list by a change that has not inserted it elsewhere yet.
    case nowhere
  }

  struct Link {
    /// The key of the parent; for a deleted row, of the list from which it was deleted. Nil at the very end.
    let above: RowKey?
    /// The number of links from here to the very end, both counted.
    let level: Int32
    let kind: End
    /// The nearest row, at or above this one, that has no parent; `kind` says what it is.
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

  /// Adds a link. Does nothing if the link above it is not cached.
  ///
  /// - Parameters:
  ///   - above: nil at the very end.
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

  /// Whether `key` is `other` or above it. `other` must be cached.
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

  /// Whether `key` is `other` or above it in the same chain. A chain ends at a deleted row, if there is one.
  func isInChain(_ other: RowKey, below key: RowKey) -> Bool {
    links[key].map { $0.end == links[other]?.end } ?? false && isAncestor(key, of: other)
  }

  /// The level of a cached link in its own chain. The row without a parent is on level 1.
  func level(of key: RowKey) -> Int? {
    guard let link = links[key], let end = links[link.end] else { return nil }
    return Int(link.level - end.level) + 1
  }
}
