/// The changes in a span of revisions, as one caller may see them.
package struct Activity: Sendable, Equatable {
  /// A list that was created or changed in the span, or came into or left the caller's sight.
  package struct TouchedList: Sendable, Hashable {
    package var id: ListID
    /// The list's revision at the start of the span; its first revision if the span created it; nil if it is gone or
    /// `isNew`.
    ///
    /// If the log no longer has the list's last change before the span, this is the revision at which the span starts.
    package var revisionBefore: Revision?
    /// Whether the list came into the caller's sight after the start of the span. `revisionBefore` is nil then.
    package var isNew: Bool

    package init(id: ListID, revisionBefore: Revision?, isNew: Bool = false) {
      self.id = id
      self.revisionBefore = revisionBefore
      self.isNew = isNew
    }
  }

  /// An item that was created or changed in the span, or left the caller's sight.
  package struct TouchedItem: Sendable, Hashable {
    package var id: ItemID
    /// The item's list, and the lists that the span took it out of, as far as the caller sees them.
    package var lists: Set<ListID>

    package init(id: ItemID, lists: Set<ListID>) {
      self.id = id
      self.lists = lists
    }
  }

  package struct Changes: Sendable, Equatable {
    /// The request that made the change, if the span is one revision.
    package var requestID: String?
    package var lists: [TouchedList] = []
    package var items: [TouchedItem] = []
    /// Whether a list, or an item with contents, left the caller's sight, even if it has come back. Lists below it may
    /// have left too.
    package var hidesLists = false
    /// Whether lists that are not in `lists` may have come into the caller's sight: from elsewhere, or by an import.
    /// They may have ids of purged lists.
    package var bringsLists = false

    package init(requestID: String? = nil) { self.requestID = requestID }
  }

  package enum Content: Sendable, Equatable {
    case changes(Changes)
    /// The span has more steps than the reader's limit.
    case tooMuch
    /// The log does not reach back to the start of the span, or the start is in the future.
    case historyGone
  }

  package var fromRevision: Revision
  /// The inventory's revision at the end of the span.
  package var revision: Revision
  package var content: Content

  package init(fromRevision: Revision, revision: Revision, content: Content) {
    self.fromRevision = fromRevision
    self.revision = revision
    self.content = content
  }

  /// The maximum number of steps in a span. Also the maximum number of steps of one list in the span of a delta.
  package static let maximumSteps = 4 * Delta.maximumEntries
}
