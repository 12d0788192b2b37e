/// Who changed what, and when.
package struct LoggedChange: Sendable, Equatable {
  package let revision: Revision
  package var at: Timestamp
  /// The caller's name.
  package var actor: String
  package var requestID: String
  /// What was done, in two or three words.
  package var action: String
  /// The lists touched that are below the reader's root, by their ids; those gone for good are left out.
  package var lists: [ListID]
  /// The rows that came, went or moved, and the lists and items that were edited or put in order, as they
  /// are called now: at most `Limits.subjectsOfChange`, by their ids. What came inside of a new list,
  /// what is gone for good and what is out of the reader's sight is left out.
  package var subjects: [PathStep]
  /// Whether the reader may be offered to undo it: it was within their sight, and is not of the few that stay.
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
/// A page ends early where its changes are large. The page of a caller who sees a part of the inventory also looks at a
/// bounded number of changes. So a page may hold fewer changes than were asked for although more follow.
package struct PageOfChanges: Sendable, Equatable {
  /// How many changes the caller sees in the span asked for; nil where the page could not look at all of it.
  package var count: Int?
  package var changes: [LoggedChange]
  /// The next page holds changes before this revision; nil: this is the last page.
  package var next: Revision?

  package init(count: Int?, changes: [LoggedChange], next: Revision?) {
    self.count = count
    self.changes = changes
    self.next = next
  }
}
