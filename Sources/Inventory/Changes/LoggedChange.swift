/// An entry of the log: who changed what, and when.
package struct LoggedChange: Sendable, Equatable {
  package let revision: Revision
  package var at: Timestamp
  /// The caller's name.
  package var actor: String
  package var requestID: String
  /// The action, in two or three words.
  package var action: String
  /// The ids of the touched lists below the reader's root. Purged lists are left out.
  package var lists: [ListID]
  /// The rows that were added, removed or moved, and the lists and items that were edited or reordered, with their
  /// present titles. At most `Limits.subjectsOfChange`, by id. Rows of a new list, purged rows and rows out of the
  /// reader's sight are left out.
  package var subjects: [PathStep]
  /// Whether to offer an undo to the reader: the change was in their sight, and has an inverse.
  package var isUndoable: Bool

  package init(
    revision: Revision, at: Timestamp, actor: String, requestID: String, action: String,
    lists: [ListID], subjects: [PathStep], isUndoable: Bool
  ) {
    self.revision = revision
    self.at = at
    self.actor = actor
    self.requestID = requestID
    self.action = action
    self.lists = lists
    self.subjects = subjects
    self.isUndoable = isUndoable
  }
}

/// A page of the log as one caller sees it, latest change first.
///
/// A page ends early if its changes are large. The page of a caller who sees a part of the inventory also looks at a
/// bounded number of changes. So a page may have fewer changes than asked for although more follow.
package struct PageOfChanges: Sendable, Equatable {
  /// The number of changes in the span that the caller sees; nil if the page did not look at all of it.
  package var count: Int?
  package var changes: [LoggedChange]
  /// The revision before which the next page starts; nil for the last page.
  package var next: Revision?

  package init(count: Int?, changes: [LoggedChange], next: Revision?) {
    self.count = count
    self.changes = changes
    self.next = next
  }
}
