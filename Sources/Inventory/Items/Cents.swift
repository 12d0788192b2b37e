/// An amount of money in whole cents, never a float.
package struct Cents: Hashable, Comparable, Sendable {
  package let amount: Int64
  package init(_ amount: Int64) { self.amount = amount }
  package static func < (left: Cents, right: Cents) -> Bool { left.amount < right.amount }
}

/// A sum of value × quantity in whole cents.
///
/// Wider than `Cents`: one item at both limits is 10^23 cents, past 64 bits.
package struct TotalCents: Hashable, Sendable, AdditiveArithmetic {
  package let amount: Int128
  package init(_ amount: Int128) { self.amount = amount }

  package static let zero = TotalCents(0)
  // Wraps on overflow, because a damaged file may hold any amounts.
  package static func + (left: TotalCents, right: TotalCents) -> TotalCents {
    TotalCents(left.amount &+ right.amount)
  }
  package static func - (left: TotalCents, right: TotalCents) -> TotalCents {
    TotalCents(left.amount &- right.amount)
  }
}
