/// What there is too much of in an import or a table.
package enum ImportExcess: Sendable, Equatable {
  /// More than `Limits.rowsEditedAtOnce`.
  case rowsEdited
  /// More than `Limits.textEditedAtOnce`.
  case textEdited
  /// More than `Limits.rowsAddedAtOnce`.
  case rowsAdded

  package var limit: Int {
    switch self {
    case .rowsEdited: Limits.rowsEditedAtOnce
    case .textEdited: Limits.textEditedAtOnce
    case .rowsAdded: Limits.rowsAddedAtOnce
    }
  }
}
