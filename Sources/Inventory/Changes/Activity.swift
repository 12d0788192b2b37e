/// What happened in a span of revisions, as one caller may see it.
package struct Activity: Sendable, Equatable {
  /// A list that was made or changed in the span, or went out of the caller's sight.
  package struct TouchedList: Sendable, Hashable {
    package var id: ListID
    /// The list's revision at the span's start; that of its making where the span made it; nil where it is gone.
    ///
    /// The span's start stands in where the log does not reach back to the change before.
    package var revisionBefore: Revision?

    package init(id: ListID, revisionBefore: Revision?) {
      self.id = id
      self.revisionBefore = revisionBefore
    }
  }

  /// An item that was made or changed in the span, or went out of the caller's sight.
  package struct TouchedItem: Sendable, Hashable {
    package var id: ItemID
    /// The list it stands in, and those that the span took it out of, as far as the caller sees them.
    package var lists: Set<ListID>

    package init(id: ItemID, lists: Set<ListID>) {
      self.id = id
      self.lists = lists
    }
  }

  package struct Changes: Sendable, Equatable {
    /// Of the request that made the change, if the span is one revision.
    package var requestID: String?
    package var lists: [TouchedList] = []
    package var items: [TouchedItem] = []
    /// Whether a list, or an item with contents, went out of the caller's sight, and maybe other lists below it.
    package var hidesLists = false
    /// Whether an import brought lists that none of the others names, maybe with ids of lists that were purged.
    package var bringsLists = false

    package init(requestID: String? = nil) { self.requestID = requestID }
  }

  package enum Content: Sendable, Equatable {
    case changes(Changes)
    /// The span has more steps than were to be looked at.
    case tooMuch
    /// The log does not reach back to the span's start, or has not come to it.
    case historyGone
  }

  package var fromRevision: Revision
  /// The inventory's, where the span ends.
  package var revision: Revision
  package var content: Content

  package init(fromRevision: Revision, revision: Revision, content: Content) {
    self.fromRevision = fromRevision
    self.revision = revision
    self.content = content
  }

  /// Spans of more steps are too much for a delta, too.
  package static let maximumSteps = 4 * Delta.maximumEntries
}
