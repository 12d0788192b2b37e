/// The position in a list at which to put a row.
package enum Position: Sendable, Hashable {
  case first
  case last
  /// An index of the list. For a move within the list, an index of the list without the moved row.
  case index(Int)
  case before(RowID)
  case after(RowID)
}

/// An index among the rows, and whether it was lowered to stay above the sentinel.
package struct Landing: Sendable, Hashable {
  package var index: Int
  package var isRetargeted: Bool

  package init(index: Int, isRetargeted: Bool = false) {
    self.index = index
    self.isRetargeted = isRetargeted
  }

  /// The index at which a row that is put at `proposed` lands in a list with `count` other rows. The last place is right
  /// above the sentinel, like a table view's `targetIndexPathForMove`.
  ///
  /// - Throws: `sentinelLast` if `isStrict` and `proposed` is behind the last place; `invalid` if `proposed` is negative.
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
