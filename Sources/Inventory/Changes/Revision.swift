/// The number of a committed change in an inventory: 1, 2, 3, …; 0 before the first. It leaps ahead only when a backup
/// is restored or the inventory is replaced.
///
/// One sequence serves ETags, events, deltas and undo.
package struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }

  /// The amount by which replacing an inventory raises its revision, so that no mirror mistakes the old sequence for
  /// the new.
  package static let replacementGap: Int64 = 1_000_000_000

  package var next: Revision { Revision(number + 1) }
  package static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }
  package var description: String { String(number) }
}
