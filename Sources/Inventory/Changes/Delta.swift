/// The change of a list's rows from one revision to another, as one batch update of a table view.
///
/// `deletes`, `moves.from` and `reloads` are indices before; `inserts`, `moves.to` and `reloadsAfter` are indices
/// after. Each index occurs at most once among `deletes`, `moves.from` and `reloads`, and at most once among `inserts`
/// and `moves.to`. `reloadsAfter` contains no insert. The moves are minimal: the unmoved rows are a longest increasing
/// subsequence. The sentinel does not count.
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
    /// The list's own changed fields, with their present values; nil if none changed.
    package var list: ChangedFields?
    /// The list's present permissions. The rows in `inserts` and `reloadsAfter` are shown with them.
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
    /// The same as `List.parentID`. Set with `ListFields.parent` only.
    package var parentID: ListID?
    package init(fields: ListFields, details: ListDetails, parentID: ListID? = nil) {
      self.fields = fields
      self.details = details
      self.parentID = parentID
    }
  }

  package enum Content: Sendable, Equatable {
    case changes(Changes)
    /// The history is gone, or the change is too large: read the rows again.
    case resync
    /// The list was created, or came into the caller's sight, after `fromRevision`. Another list may have had its id
    /// before. Read the rows again.
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

  /// A delta with more entries is a `resync`.
  package static let maximumEntries = 2_000
}
