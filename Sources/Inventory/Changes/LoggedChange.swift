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

/// Some of the log.
///
/// Offsets and counts are of all changes. A caller who sees a part of the inventory gets those of `changes` that touch
/// it, and has each page look at a bounded number of changes.
package struct PageOfChanges: Sendable, Equatable {
  /// All changes of the span asked for, whether the caller sees them or not.
  package var count: Int
  /// How many changes the page has looked at; the next page begins behind them.
  package var covered: Int
  package var changes: [LoggedChange]

  package init(count: Int, covered: Int, changes: [LoggedChange]) {
    self.count = count
    self.covered = covered
    self.changes = changes
  }
}
