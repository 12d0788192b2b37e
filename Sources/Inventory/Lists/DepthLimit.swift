/// The lowest level on which an inventory lets lists come to stand.
///
/// Its root list is on level 1; whatever is a row of a list, or the contents of an item, is one level below that.
/// What stands too deep when the limit is set stays, and may be moved, but no further down. The server has a limit for
/// all inventories; an inventory's own counts where it is lower.
package struct DepthLimit: Sendable, Hashable {
  package static let levels = 1...10_000
  /// The server's, unless it is given another.
  package static let standard = DepthLimit(1_000)
  /// The lowest that a server can have.
  package static let lowest = DepthLimit(levels.upperBound)
  package let level: Int

  /// Nil for what is not among the `levels`.
  package init?(level: Int) {
    guard Self.levels.contains(level) else { return nil }
    self.level = level
  }

  private init(_ level: Int) { self.level = level }

  /// The lower one of two; of one alone, that.
  package func lowered(to other: DepthLimit?) -> DepthLimit {
    DepthLimit(min(level, other?.level ?? level))
  }

  /// Whether a list may come to stand on this level.
  package func admits(_ level: Int) -> Bool { level <= self.level }

  /// Whether it matters to what comes to this level, with all that is below it.
  ///
  /// - Parameter old: the level on which it has stood; nil for what stood nowhere.
  package static func concerns(_ level: Int, from old: Int?) -> Bool {
    old.map { level > $0 } ?? true
  }
}
