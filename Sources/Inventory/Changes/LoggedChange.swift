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
  package var isUndoable: Bool

  package init(
    revision: Revision, at: Timestamp, actor: String, requestID: String, action: String,
    lists: [ListID], isUndoable: Bool
  ) {
    self.revision = revision
    self.at = at
    self.actor = actor
    self.requestID = requestID
    self.action = action
    self.lists = lists
    self.isUndoable = isUndoable
  }
}

/// Some of the log.
package struct PageOfChanges: Sendable, Equatable {
  /// Of all that were asked for.
  package var count: Int
  package var changes: [LoggedChange]

  package init(count: Int, changes: [LoggedChange]) {
    self.count = count
    self.changes = changes
  }
}
