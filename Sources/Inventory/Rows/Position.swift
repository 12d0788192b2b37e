/// Where in a list a row is to land.
package enum Position: Sendable, Hashable {
  case first
  case last
  /// Within the same list it counts after the row has been taken out.
  case index(Int)
  case before(RowID)
  case after(RowID)
}

/// A place among the rows, and whether it had to be pulled up above the sentinel.
package struct Landing: Sendable, Hashable {
  package var index: Int
  package var isRetargeted: Bool

  package init(index: Int, isRetargeted: Bool = false) {
    self.index = index
    self.isRetargeted = isRetargeted
  }

  /// Where a row that is put in at `proposed` lands among `count` others: at most just above the
  /// sentinel, as a table view's `targetIndexPathForMove` would have it.
  ///
  /// - Throws: `sentinelLast` instead of retargeting when `isStrict`; `invalid` below 0.
  package static func above(
    sentinelOf count: Int, proposed: Int, isStrict: Bool, field: [String]
  ) throws(InventoryError) -> Landing {
    guard proposed >= 0 else {
      throw .invalid([FieldError(field, "An index is a whole number from 0.")])
    }
    guard proposed > count else { return Landing(index: proposed) }
    guard !isStrict else { throw .sentinelLast(lastIndex: RowIndex(count)) }
    return Landing(index: count, isRetargeted: true)
  }
}
