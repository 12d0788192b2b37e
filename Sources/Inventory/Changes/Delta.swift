/// What turns one revision's rows of a list into another's, as one batch update of a table view.
///
/// `deletes`, `moves.from` and `reloads` are indices before; `inserts`, `moves.to` and
/// `reloadsAfter` indices after. No index stands twice among {deletes, moves.from, reloads}, nor
/// twice among {inserts, moves.to}; `reloadsAfter` names no insert. The moves are minimal: the
/// rows left unmoved are a longest increasing subsequence. The sentinel does not count.
package struct Delta: Sendable, Equatable {
  package struct Move: Sendable, Hashable {
    package var from: RowIndex
    package var to: RowIndex
    package init(from: RowIndex, to: RowIndex) {
      self.from = from
      self.to = to
    }
  }

  package struct Changes: Sendable, Equatable {
    /// The list's own fields that changed, as they are now; nil if none did.
    package var list: ChangedFields?
    /// What the list lets be done to its rows now, so that `inserts` and `reloadsAfter` can be shown.
    package var permissions: Permissions
    package var countBefore: Int
    package var countAfter: Int
    package var deletes: [RowIndex]
    package var inserts: [Row]
    package var moves: [Move]
    package var reloads: [RowIndex]
    package var reloadsAfter: [Row]

    package init(
      list: ChangedFields? = nil, permissions: Permissions, countBefore: Int, countAfter: Int,
      deletes: [RowIndex] = [], inserts: [Row] = [], moves: [Move] = [], reloads: [RowIndex] = [],
      reloadsAfter: [Row] = []
    ) {
      self.list = list
      self.permissions = permissions
      self.countBefore = countBefore
      self.countAfter = countAfter
      self.deletes = deletes
      self.inserts = inserts
      self.moves = moves
      self.reloads = reloads
      self.reloadsAfter = reloadsAfter
    }
  }

  package struct ChangedFields: Sendable, Equatable {
    package var fields: ListFields
    package var details: ListDetails
    /// As `List.parentID`; only with `ListFields.parent`.
    package var parentID: ListID?
    package init(fields: ListFields, details: ListDetails, parentID: ListID? = nil) {
      self.fields = fields
      self.details = details
      self.parentID = parentID
    }
  }

  package enum Content: Sendable, Equatable {
    case changes(Changes)
    /// The history is gone or the change too large: read the rows again.
    case resync
    /// The list was made after `fromRevision`, where its id may have been that of another: read the rows again.
    case absent
  }

  package let listID: ListID
  package var fromRevision: Revision
  package var toRevision: Revision
  package var content: Content

  package init(listID: ListID, fromRevision: Revision, toRevision: Revision, content: Content) {
    self.listID = listID
    self.fromRevision = fromRevision
    self.toRevision = toRevision
    self.content = content
  }

  /// More entries than this are a `resync`.
  package static let maximumEntries = 2_000
}
