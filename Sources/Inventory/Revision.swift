/// The number of a committed change in an inventory: 1, 2, 3, … without holes; 0 before the first.
///
/// One sequence serves validators, events, deltas and undo.
package struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }

  package var next: Revision { Revision(number + 1) }
  package static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }
  package var description: String { String(number) }
}
