/// The deepest level on which an inventory permits lists.
///
/// The root list is on level 1. A row of a list, or the contents of an item, is one level below it. Lists that are too
/// deep when the limit is set stay there. They may be moved, but not further down. The server has a limit for all
/// inventories. An inventory's own limit counts if it is lower.
package struct DepthLimit: Sendable, Hashable {
  package static let levels = 1...10_000
  /// The server's default.
  package static let standard = DepthLimit(1_000)
  /// The largest limit that a server can have.
  package static let largest = DepthLimit(levels.upperBound)
  package let level: Int

  /// Nil for a level that is not in `levels`.
  package init?(level: Int) {
    guard Self.levels.contains(level) else { return nil }
    self.level = level
  }

  private init(_ level: Int) { self.level = level }

  /// The lower of two limits; this one if the other is nil.
  package func lowered(to other: DepthLimit?) -> DepthLimit {
    DepthLimit(min(level, other?.level ?? level))
  }

  /// Whether lists are permitted on this level.
  package func admits(_ level: Int) -> Bool { level <= self.level }

  /// Whether the limit matters for a row that moves to this level.
  ///
  /// - Parameter old: the row's level before; nil for a new row.
  package static func concerns(_ level: Int, from old: Int?) -> Bool {
    old.map { level > $0 } ?? true
  }
}
