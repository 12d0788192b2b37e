/// The limit that one request exceeds.
package enum Excess: Sendable, Equatable {
  /// More than `Limits.rowsEditedAtOnce`.
  case rowsEdited
  /// More than `Limits.textEditedAtOnce`.
  case textEdited
  /// More than `Limits.textOfBatch`.
  case textOfBatch
  /// More than `Limits.textKeptAtOnce`.
  case textKept
  /// More than `Limits.rowsAddedAtOnce`.
  case rowsAdded
  /// More than `Limits.listsChangedAtOnce`.
  case listsChanged
  /// More than `Limits.textSorted`.
  case textSorted

  package var limit: Int {
    switch self {
    case .rowsEdited: Limits.rowsEditedAtOnce
    case .textEdited: Limits.textEditedAtOnce
    case .textOfBatch: Limits.textOfBatch
    case .textKept: Limits.textKeptAtOnce
    case .rowsAdded: Limits.rowsAddedAtOnce
    case .listsChanged: Limits.listsChangedAtOnce
    case .textSorted: Limits.textSorted
    }
  }
}
