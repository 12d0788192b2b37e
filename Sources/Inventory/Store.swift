/// The application's state: reads see it, and writes change it.
///
/// The store decides when and on which thread a read or write runs. Callers submit and receive an answer.
package protocol Store: Sendable {
  /// Makes a session for one thread's reads.
  func makeSession() throws(InventoryError) -> any ReadSession

  /// Makes one change. Calls `completion` once, from any thread, when the change is durable or refused.
  ///
  /// - A write is refused as `tokenRevoked` if the caller's token was revoked or expired before the write begins, and
  ///   as `tokenMissing` if a caller of an open server has no token and the server now has one. This also holds for
  ///   administration and pieces of photos, but not for abandoning an import.
  /// - Writes are linearizable. After a successful `completion`, every new read sees the change.
  /// - A write whose `retry` was seen within `IdempotentRequest.lifetime` gets the first response, or is refused as
  ///   `idempotencyKeyReused`. Only the caller's authorization is checked before. The store may keep the response for
  ///   longer. If the first write is still running, the second one waits. Only responses of successful writes are
  ///   stored, no-ops included, together with the change.
  /// - A write with a `sync` number is done or refused once, until the client has not been used for
  ///   `Limits.syncClientLifetime`. Its number is stored in the same transaction. `completion` gets an outcome even if
  ///   the write is refused, unless the error `isTransient`; `Outcome.kept` has the encoded result. A number that the
  ///   same write has used gets the stored result, as long as it is stored. A number that another write has used, or
  ///   that leaves a gap, is refused as `sequenceGap`, and nothing is done.
  func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void)

  /// Stages the next bytes of a photo. Calls `completion` once, from any thread.
  ///
  /// The first piece is refused for the same reasons as adding the photo. In an import it is refused only if the caller
  /// is not an editor. Send the others after the first is staged, several at once if needed, and add the photo after
  /// all. The store discards staged bytes that are never added. They need not survive a power cut before that.
  func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void)

  /// Discards the staged bytes of an upload.
  func discard(_ upload: UploadID, _ context: WriteContext)

  /// Reads bytes from the start of this range of a photo, or of its rendition if a size is given: at least one, and at
  /// most as many as one short read gives. Calls `completion` once, from any thread.
  ///
  /// - Parameter revision: the revision that added the photo, if another one with its id must not be read.
  /// - Throws: `notFound(.photo)` if the bytes are gone, or the caller no longer sees the photo or its item.
  func readPhoto(
    _ photo: PhotoID, addedBy revision: Revision?, _ rendition: RenditionSize?,
    _ bytes: Range<Int>, for caller: Caller,
    completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void)

  /// Makes a write that does not change rows. Calls `completion` once, from any thread, when the write is durable or
  /// refused.
  func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void)

  /// The caller of a credential's token; nil if the token is unknown or revoked, or has expired. Notes the use of the
  /// token. Callable from any thread, does not block.
  func caller(showing credential: Credential) -> Caller?

  /// The time of a token's last use, in whole units of `Token.useResolution`; nil: none. Callable from any thread, does
  /// not block.
  func lastUse(of token: TokenID) -> Timestamp?

  /// Whether a token exists, is not revoked and has not expired. Callable from any thread, does not block.
  func isGood(_ token: TokenID) -> Bool

  /// Whether there is an invitation with this code that has not expired. Its acceptance may still be refused. Callable
  /// from any thread, does not block.
  func hasInvitation(_ code: InvitationCode) -> Bool

  /// Whether requests need a token.
  ///
  /// True while a token exists. If an administrator revokes the last one, it becomes false. If the last one goes in any
  /// other way, it stays true. Callable from any thread, does not block.
  var hasTokens: Bool { get }

  /// Calls `listener` after every commit: when new reads see it, and before its writes are answered.
  ///
  /// It is called on the committing thread, as long as the store is open, and must be very cheap.
  func onCommit(_ listener: @escaping @Sendable () -> Void)

  /// Checks whether the store can read and write now.
  func checkReadiness(completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void)
}

extension Store {
  /// The reason why a caller is no longer authorized; nil if it still is. Callable from any thread, does not block.
  package func refusal(of caller: Caller) -> InventoryError? {
    switch caller.grant {
    case .token(let token): isGood(token) ? nil : .tokenRevoked
    case .openServer: hasTokens ? .tokenMissing : nil
    case .unconditional: nil
    }
  }

  package func isAuthorized(_ caller: Caller) -> Bool { refusal(of: caller) == nil }

  /// The result of a long read, or the reason why the caller is no longer authorized.
  package func released<Value>(
    _ result: Result<Value, InventoryError>, to caller: Caller
  ) -> Result<Value, InventoryError> {
    refusal(of: caller).map { .failure($0) } ?? result
  }
}

/// The amount of data that a read may touch.
package enum ReadCost: Sendable {
  /// One row, a path, a page of at most 200 rows, or a short delta.
  case bounded
  /// Anything without such a bound. It has a deadline.
  case long
  /// All data. It has a far longer deadline.
  case everything
}

/// Reads of one thread. Not for use on two threads at once.
package protocol ReadSession: AnyObject {
  /// Runs `body` on one committed revision, as the caller may see it. Returns its result if the store can read on the
  /// calling thread. Otherwise returns nil, and calls `later` once, from another thread.
  ///
  /// A bounded read that exceeds its bound is run again as a long read. If the client of `requester` disconnects, a
  /// long read is cancelled as if its deadline had passed.
  func read<Value: Sendable>(
    _ cost: ReadCost, as caller: Caller, for requester: Requester,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>?

  /// Releases what is kept between reads. Call it before the thread waits.
  func rest()
}

extension ReadSession {
  /// Reads without a client that waits or takes turns.
  package func read<Value: Sendable>(
    _ cost: ReadCost, as caller: Caller,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>? {
    read(cost, as: caller, for: .server, body, later: later)
  }
}

/// The rows of a page: where it starts, and how many at most.
package struct PageWindow: Sendable, Hashable {
  package enum Start: Sendable, Hashable {
    case offset(Int)
    /// Starts after this row.
    case after(RowID)
  }

  package var start: Start
  package var limit: Int

  package init(start: Start = .offset(0), limit: Int = Limits.defaultPage) {
    self.start = start
    self.limit = limit
  }
}

/// A list with its level in a subtree.
package struct LeveledList: Sendable, Equatable {
  package var list: List
  /// The root list is on level 1.
  package var level: Int

  package init(list: List, level: Int) {
    self.list = list
    self.level = level
  }
}

/// A page of a collection.
package struct PageOf<Element: Sendable & Equatable>: Sendable, Equatable {
  /// The number of elements of the whole collection that the caller may see.
  package var count: Int
  /// The place of the page's first element in the collection.
  package var first: Int
  package var elements: [Element]

  package init(count: Int, first: Int, elements: [Element]) {
    self.count = count
    self.first = first
    self.elements = elements
  }
}

/// The totals of a list and everything below it. The items of the list count; the list itself does not.
package struct SubtreeTotals: Sendable, Equatable {
  package var listCount = 0
  package var itemCount = 0
  package var total = TotalCents.zero
  package init() {}
}

/// One committed revision of everything, as one caller may see it.
///
/// All reads throw `notFound` for ids that the caller may not see, and `inTrash` for ids of rows in the trash or below
/// them.
package protocol Snapshot {
  /// The bytes that a bounded read may write. Throw `boundExceeded` beyond, because the read may be on an event loop.
  var mostBytes: Int { get }

  var caller: Caller { get }

  /// The same revision, as another caller may see it.
  func seen(by caller: Caller) -> any Snapshot

  /// The inventory's revision.
  func revision() throws(InventoryError) -> Revision

  func list(_ list: ListReference) throws(InventoryError) -> List

  func item(_ id: ItemID) throws(InventoryError) -> Item

  /// An item's photos in order.
  func photos(of item: ItemID) throws(InventoryError) -> [Photo]

  /// The smallest stored rendition of a photo that has at least this size; nil if there is none.
  func rendition(
    of photo: PhotoID, atLeast size: RenditionSize
  ) throws(InventoryError) -> Rendition?

  /// Calls `visit` with the bytes of a photo from this snapshot, in order, in pieces of
  /// `PhotoPiece.size`. Reads everything.
  func bytes(
    of photo: PhotoID, visit: ([UInt8]) throws(InventoryError) -> Void
  ) throws(InventoryError)

  /// The position of a list or an item. Root and contents lists have a path but no index.
  func place(of row: RowID) throws(InventoryError) -> Place

  /// Calls `begin` with the list and the index of the page's first row (the row count for an empty page), then `visit`
  /// with each row in order. Either returns false to end the page. `visit` must not keep borrowed texts.
  ///
  /// - Throws: `anchorGone` if the window starts after a row that is not in the list.
  func lendRows(
    of list: ListReference, _ window: PageWindow,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (BorrowedRow) -> Bool
  ) throws(InventoryError)

  /// A page of the lists among a list's rows, in order. A long read.
  ///
  /// - Throws: `anchorGone` if the window starts after a row that is not one of them.
  func sublists(of list: ListReference, _ window: PageWindow) throws(InventoryError) -> PageOf<
    LeveledList
  >

  /// A page of all lists below a list, contents lists too, depth first. A long read.
  ///
  /// - Throws: `anchorGone` if the window starts after a list that is not one of them.
  func descendants(
    of list: ListReference, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<LeveledList>

  /// The totals below a list. A long read.
  func subtreeTotals(of list: ListReference) throws(InventoryError) -> SubtreeTotals

  /// The list or item at a path of titles from the root down; the root for no titles. A long read.
  ///
  /// - Throws: `notFound(.path)`; `ambiguousPath` if a title on the path occurs twice in its list.
  func resolve(path titles: [String]) throws(InventoryError) -> PathStep

  /// The delta from the list's rows at `since` to the present ones; `resync` if the history is gone, or has too many
  /// changes to compose; `absent` if the list was created, or came into the caller's sight, after `since`. A bounded read
  /// if little has changed, else throws `boundExceeded`.
  func delta(of list: ListReference, since: Revision) throws(InventoryError) -> Delta

  /// The caller's inventory, and the list that it sees as root.
  func home() throws(InventoryError) -> (inventory: InventoryID, root: ListID)

  /// The tokens that the caller may revoke, oldest first: its own, and those of its inventory at or below its own root.
  /// An administrator without an inventory sees all.
  ///
  /// - Throws: `roleForbids` if the caller is not an owner.
  func tokens() throws(InventoryError) -> [Token]

  /// The invitations to tokens that the caller could revoke, the newest last. Some may have expired.
  ///
  /// - Throws: `roleForbids` if the caller is not an owner.
  func invitations() throws(InventoryError) -> [Invitation]

  /// An invitation, and the title of the list that it gives access to. A caller with the code may see this.
  ///
  /// - Throws: `invitationInvalid` if there is none, or its maker could no longer make it. Does not look at the time.
  func invitation(_ code: InvitationCode) throws(InventoryError) -> (Invitation, title: String)

  /// All inventories, oldest first.
  ///
  /// - Throws: `roleForbids` if the caller is not an administrator.
  func inventories() throws(InventoryError) -> [InventoryDescription]

  /// The caller's inventory.
  ///
  /// - Throws: `notFound(.inventory)` to a caller who sees only a part of it.
  func inventory() throws(InventoryError) -> InventoryDescription

  /// Whether the depth limit forbids moving a row with everything below it, or a new list (nil), into a list. A bounded
  /// read if few lists are below the row, else throws `boundExceeded`.
  func isTooDeep(_ row: RowID?, in list: ListID) throws(InventoryError) -> Bool

  /// Calls `visit` with a list and everything below it, in the order of a transfer. Reads everything.
  func transfer(
    of list: ListReference, visit: (TransferRecord) throws(InventoryError) -> Void
  ) throws(InventoryError)

  /// Calls `visit` with the items of a list, in order, without those of sublists and contents. Reads everything.
  func items(
    of list: ListReference, visit: (TransferredItem) throws(InventoryError) -> Void
  ) throws(InventoryError)

  /// The revisions that deltas and activities may start from: as far back as the log reaches, up to the present.
  func history() throws(InventoryError) -> ClosedRange<Revision>

  /// The activity after `since`, if it has at most `limit` steps.
  func activity(since: Revision, limit: Int) throws(InventoryError) -> Activity

  /// A page of a view of a list's rows. A long read.
  ///
  /// - Throws: `anchorGone` if the window starts after a row that is not in the view; `tooManyRows`
  ///   if more than `Limits.rowsReordered` rows would have to be sorted.
  func rows(of list: ListReference, _ view: RowView) throws(InventoryError) -> PageOfRows

  /// Finds items and lists with all words, in titles, names, serial numbers, tags, custom fields and notes. Calls
  /// `begin` with the number of results, then `visit` with each result of a page, best first. `visit` returns false to
  /// end the page. A long read.
  func search(
    _ query: SearchQuery, begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(InventoryError)

  /// A page of the items with a value, in the order of their creation. A long read.
  ///
  /// - Throws: `anchorGone` if the window starts after an item that is not one of them.
  func items(with lookup: ItemLookup, _ window: PageWindow) throws(InventoryError) -> PageOf<ItemID>

  /// A page of the tags of all items that begin with `prefix`. A long read.
  func tags(prefix: String, offset: Int, limit: Int) throws(InventoryError) -> TagCounts

  /// The numbers of stored lists (root and contents lists too) and items, with those in the trash, those that are
  /// purged but not deleted yet, and those of imports in progress. For a caller who sees a part of the inventory, the
  /// present numbers of that part, which takes a long read.
  func counts() throws(InventoryError) -> (lists: Int, items: Int)

  /// A page of deleted rows below the caller's root that can be restored, latest first. A long read.
  ///
  /// - Throws: `anchorGone` if the window starts after a row that is not one of them.
  func trash(_ window: PageWindow) throws(InventoryError) -> PageOf<TrashedRow>

  /// A page of the log, latest change first: changes after `since` and before `before` that touched rows below the
  /// caller's root. A long read.
  ///
  /// - Parameter offset: how many of these changes to skip.
  /// - Throws: `historyGone` if the log does not reach back to `since`, or `since` is in the future.
  func changes(
    since: Revision?, before: Revision?, offset: Int, limit: Int
  ) throws(InventoryError) -> PageOfChanges

  /// One entry of the log. A bounded read if the change has few steps, else throws `boundExceeded`.
  ///
  /// - Throws: `notFound` for a revision that does not exist, or touched nothing that the caller
  ///   sees; `historyGone` if the log does not reach back to it.
  func change(_ revision: Revision) throws(InventoryError) -> LoggedChange

  /// The subjects of screens, without rows that the caller does not see. A bounded read if they are
  /// few and their paths short, else throws `boundExceeded`.
  func screenSubjects(of rows: Set<RowID>) throws(InventoryError) -> [RowID: ScreenSubject]

  /// The nearest list or item above a row that may be in the trash; the caller's root for an
  /// unknown or invisible row, and for the root itself.
  func nearestAncestor(of row: RowID) throws(InventoryError) -> PathStep

  /// The items before and after an item. A bounded read if its list has few sublists, else throws `boundExceeded`.
  func neighbours(of item: ItemID) throws(InventoryError) -> Neighbours

  /// One of the caller's own navigators.
  func navigator(_ id: NavigatorID) throws(InventoryError) -> Navigator

  /// The caller's own navigators, with this name if given, the last used first; at most `Limits.navigators`.
  func navigators(named name: String?) throws(InventoryError) -> [NavigatorSummary]

  func appearance() throws(InventoryError) -> VersionedAppearance
}

extension Snapshot {
  /// Calls `visit` with a copy of each row.
  package func rows(
    of list: ListReference, _ window: PageWindow,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (Row) -> Bool
  ) throws(InventoryError) {
    try lendRows(of: list, window, begin: begin) { visit(Row($0)) }
  }
}
