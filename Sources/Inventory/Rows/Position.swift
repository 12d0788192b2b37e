/// The position in a list at which to put a row.
package enum Position: Sendable, Hashable {
  case first
  case last
  /// An index of the list. For a move within the list, an index of the list without the moved row.
  case index(Int)
  case before(RowID)
  case after(RowID)
  /// The first position if the list has its anchor, otherwise the second.
  indirect case either(Position, else: Position)

  /// The first of its alternatives.
  package var preferred: Position {
    if case .either(let preferred, _) = self { preferred.preferred } else { self }
  }
}

/// An index among the rows, and how it differs from the requested place.
package struct Landing: Sendable, Hashable {
  package var index: Int
  /// Whether the index was lowered to stay above the sentinel, or an alternative position was used.
  package var isRetargeted: Bool
  /// The alternative that was used, because the anchors before it are not in the list.
  package var alternative: Position?

  package init(index: Int, isRetargeted: Bool = false) {
    self.index = index
    self.isRetargeted = isRetargeted
  }

  /// The same place, found by an alternative position.
  package func found(by alternative: Position) -> Landing {
    var landing = self
    landing.isRetargeted = true
    landing.alternative = landing.alternative ?? alternative.preferred
    return landing
  }

  /// The index at which a row that is put at `proposed` lands in a list with `count` other rows. The last place is
  /// right above the sentinel, like a table view's `targetIndexPathForMove`.
  ///
  /// - Throws: `sentinelLast` if `isStrict` and `proposed` is behind the last place; `invalid` if `proposed` is
  ///   negative.
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
