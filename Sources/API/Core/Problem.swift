import Inventory

/// The reason for refusing a request or an import (RFC 9457).
package struct Problem: Error, Sendable {
  /// A member in addition to those of RFC 9457, for some kinds of problems.
  enum Extension: Sendable {
    case index(RowIndex?)
    case count(Int)
    case limit(Int)
    case delta(Delta)
    case current(Item)
    case inventory(InventoryDescription)
    case rows(missing: [RowID], unknown: [RowID], duplicate: [RowID])
    case candidates([PathStep])
    case trashID(RowID)
    case undoConflicts([UndoConflict])
    case revision(Revision)
    case list(ListID)
    case item(ItemID)
    case row(RowID)
    case version(Int64)
    /// The number of an offline client's last command.
    case lastSequence(Int64)
    case tabs(missing: [TabID], unknown: [TabID], duplicate: [TabID])
    /// The first line with an error.
    case line(Int)
    case lines([FieldError])
    /// The custom fields that unknown columns of a table would become.
    case fields([String])
    case conflicts([LineConflict])
  }

  package let code: ProblemCode
  package var status: Int
  /// The cause of this occurrence, in a sentence or two.
  package let detail: String
  var faults: [FieldError]
  var extensions: [Extension]
  /// The methods for the `Allow` field, which 405 requires.
  let allowed: String?
  /// The `WWW-Authenticate` field, which 401 requires.
  var challenge: String?

  init(
    _ code: ProblemCode, status: Int? = nil, _ detail: String, faults: [FieldError] = [],
    extensions: [Extension] = [], allowed: String? = nil
  ) {
    self.code = code
    self.status = status ?? code.status
    self.detail = detail
    self.faults = faults
    self.extensions = extensions
    self.allowed = allowed
  }

  /// Whether the problem lists errors of single members, parameters or lines.
  var hasFaults: Bool {
    !faults.isEmpty
      || extensions.contains { member in
        switch member {
        case .lines, .conflicts: true
        default: false
        }
      }
  }

  static func invalid(_ faults: [FieldError]) -> Problem {
    Problem(.invalid, faults.first?.detail ?? "The request is not valid.", faults: faults)
  }

  static let notFound = Problem(.notFound, "There is nothing at this path.")
}
