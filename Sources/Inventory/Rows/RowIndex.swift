/// A row's 0-based index in its list. The sentinel's index is the number of rows.
package struct RowIndex: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  package let value: Int
  package init(_ value: Int) { self.value = value }
  package init(integerLiteral value: Int) { self.value = value }

  package static func < (left: RowIndex, right: RowIndex) -> Bool { left.value < right.value }
  package var description: String { String(value) }
}
