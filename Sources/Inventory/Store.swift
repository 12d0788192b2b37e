/// The application's state: what reads see and what writes change.
///
/// Who runs a read or a write, and when, is the store's to say; callers submit and are answered.
package protocol Store: Sendable {
  /// A session for one thread's reads.
  func makeSession() throws(InventoryError) -> any ReadSession

  /// Makes one change and calls `completion` once, from any thread, when it is durable or refused.
  ///
  /// A write whose caller's token has been revoked by its turn is refused as `tokenRevoked`, one by a caller of an open
  /// server that has a token by then as `tokenMissing`, also as an administrative one or a piece of a photo; giving up
  /// an import is not.
  ///
  /// Writes are linearizable. After a `completion` with success every new read sees the change.
  ///
  /// A write with a `retry` whose scope and key have been seen within `IdempotentRequest.lifetime` is answered as
  /// the first was, before anything else is looked at, or refused as `idempotencyKeyReused`; while the
  /// first is still running, it waits for it. Only what succeeds is kept, no-ops too, in one with the
  /// change.
  func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void)

  /// Keeps the next bytes of a photo that is to be added; `completion` is called once, from any thread.
  ///
  /// The first is refused as adding the photo would be, or for an import to less than an editor. Others are
  /// sent once it has been kept, several at a time if need be, and the photo is added when all have been.
  /// What is staged and never added is cleared away by the store; what is kept need not outlast a power cut
  /// before the photo has been added.
  func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void)

  /// Gives up what has been staged of an upload.
  func discard(_ upload: UploadID, _ context: WriteContext)

  /// Reads the first of these bytes of a photo that a snapshot has shown: at least one, and not more than
  /// a short read brings. `completion` is called once, from any thread.
  ///
  /// - Throws: `notFound(.photo)` where they are gone by now, or the photo or its item is out of the caller's sight.
  func readPhoto(
    _ photo: PhotoID, _ bytes: Range<Int>, for caller: Caller,
    completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void)

  /// Makes a write that is no change of rows, and calls `completion` once, from any thread, when it is
  /// durable or refused.
  func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void)

  /// Whoever holds the token of a credential; nil for one that is unknown or revoked. From any thread,
  /// at once.
  func caller(showing credential: Credential) -> Caller?

  /// Whether a token has not been revoked. From any thread, at once.
  func isGood(_ token: TokenID) -> Bool

  /// Whether there is any token, or the last has gone without being revoked. From any thread, at once.
  var hasTokens: Bool { get }

  /// Has `listener` called behind every commit, once new reads see it and before its writes are answered.
  ///
  /// It is called on the thread that commits, for as long as the store is open, and must cost next to nothing.
  func onCommit(_ listener: @escaping @Sendable () -> Void)

  /// Whether it can read and write just now.
  func checkReadiness(completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void)
}

extension Store {
  /// Why a caller is not let in any more; nil where what has let it in still holds. From any thread, at once.
  package func refusal(of caller: Caller) -> InventoryError? {
    switch caller.grant {
    case .token(let token): isGood(token) ? nil : .tokenRevoked
    case .openServer: hasTokens ? .tokenMissing : nil
    case .unconditional: nil
    }
  }

  package func isAuthorized(_ caller: Caller) -> Bool { refusal(of: caller) == nil }

  /// The result of a read that took a while, or why the caller is not let in any more.
  package func released<Value>(
    _ result: Result<Value, InventoryError>, to caller: Caller
  ) -> Result<Value, InventoryError> {
    refusal(of: caller).map { .failure($0) } ?? result
  }
}

/// How much a read may touch.
package enum ReadCost: Sendable {
  /// A point, a path, a page of at most 1,000 rows, a short delta.
  case bounded
  /// Anything whose size the caller does not bound; it gets a deadline.
  case long
  /// All that there is; its deadline is far longer.
  case everything
}

/// One thread's way of reading; not to be used on two threads at once.
package protocol ReadSession: AnyObject {
  /// Runs `body` on one committed revision: at once, returning its result, if the store can do that
  /// on the calling thread; else returns nil and calls `later` once, from another thread.
  ///
  /// A bounded read that comes upon more than it may touch is run once more, as a long one. A long read whose
  /// `requester` has gone is given up as at its deadline.
  func read<Value: Sendable>(
    _ cost: ReadCost, for requester: Requester,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>?

  /// Gives back what is held from one read to the next; called before the thread waits.
  func rest()
}

extension ReadSession {
  /// A read for the server itself.
  package func read<Value: Sendable>(
    _ cost: ReadCost,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
    later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
  ) -> Result<Value, InventoryError>? {
    read(cost, for: .server, body, later: later)
  }
}

/// Which rows of a list, and how many at most.
package struct PageWindow: Sendable, Hashable {
  package enum Start: Sendable, Hashable {
    case offset(Int)
    /// Behind this row.
    case after(RowID)
  }

  package var start: Start
  package var limit: Int

  package init(start: Start = .offset(0), limit: Int = Limits.defaultPage) {
    self.start = start
    self.limit = limit
  }
}

/// A list as one step of a walk through a subtree.
package struct LeveledList: Sendable, Equatable {
  package var list: List
  /// The root list is on level 1.
  package var level: Int

  package init(list: List, level: Int) {
    self.list = list
    self.level = level
  }
}

/// Some of a collection of lists.
package struct PageOfLists: Sendable, Equatable {
  /// Of the whole collection.
  package var count: Int
  /// The place of the page's first list in the collection.
  package var first: Int
  package var lists: [LeveledList]

  package init(count: Int, first: Int, lists: [LeveledList]) {
    self.count = count
    self.first = first
    self.lists = lists
  }
}

/// What a subtree holds: the list itself is not counted, its own items are.
package struct SubtreeTotals: Sendable, Equatable {
  package var listCount = 0
  package var itemCount = 0
  package var total = TotalCents.zero
  package init() {}
}

/// One committed revision of everything, as a caller may see it.
///
/// Ids outside of what the caller may see are `notFound`; ids whose chain of parents does not reach
/// the root are `inTrash`.
package protocol Snapshot {
  /// The inventory's revision.
  func revision(for caller: Caller) throws(InventoryError) -> Revision

  func list(_ list: ListReference, for caller: Caller) throws(InventoryError) -> List

  func item(_ id: ItemID, for caller: Caller) throws(InventoryError) -> Item

  /// An item's photos in order.
  func photos(of item: ItemID, for caller: Caller) throws(InventoryError) -> [Photo]

  /// Calls `visit` with the bytes of a photo that the snapshot has shown, in order, in pieces of
  /// `PhotoPiece.size`. Reads everything.
  func bytes(
    of photo: PhotoID, for caller: Caller, visit: ([UInt8]) throws(InventoryError) -> Void
  ) throws(InventoryError)

  /// Where a list or an item stands; root and contents lists have a path but no index.
  func place(of row: RowID, for caller: Caller) throws(InventoryError) -> Place

  /// Calls `visit` with each row of a page in order, after `begin` with the list and the index of
  /// the page's first row (the list's count where the page is empty). Either ends the page by
  /// answering false. What `visit` is lent must not be kept.
  ///
  /// - Throws: `anchorGone` where the window starts behind a row that is not in the list.
  func lendRows(
    of list: ListReference, _ window: PageWindow, for caller: Caller,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (BorrowedRow) -> Bool
  ) throws(InventoryError)

  /// A page of the lists among a list's rows, in order. A long read.
  ///
  /// - Throws: `anchorGone` where the window starts behind something else.
  func sublists(
    of list: ListReference, _ window: PageWindow, for caller: Caller
  ) throws(InventoryError) -> PageOfLists

  /// A page of all lists below a list, contents lists too, depth first. A long read.
  ///
  /// - Throws: `anchorGone` where the window starts behind something else.
  func descendants(
    of list: ListReference, _ window: PageWindow, for caller: Caller
  ) throws(InventoryError) -> PageOfLists

  /// A long read.
  func subtreeTotals(
    of list: ListReference, for caller: Caller
  ) throws(InventoryError) -> SubtreeTotals

  /// The list or item at a path of titles from the root down; none of them for the root. A long read.
  ///
  /// - Throws: `notFound(.path)`; `ambiguousPath` where a title on the way is there twice.
  func resolve(path titles: [String], for caller: Caller) throws(InventoryError) -> PathStep

  /// What turned the list's rows at `since` into those now; `resync` where the history is gone, or
  /// so much has happened since that it would take too long to be worked out. Bounded where little has happened since,
  /// as by `boundExceeded`.
  func delta(
    of list: ListReference, since: Revision, for caller: Caller
  ) throws(InventoryError) -> Delta

  /// The inventory that the caller is in, and the list that it sees as root.
  func home(of caller: Caller) throws(InventoryError) -> (inventory: InventoryID, root: ListID)

  /// The tokens that the caller may revoke, oldest first: those of its inventory at or below its own
  /// root; an administrator's of no inventory sees all.
  ///
  /// - Throws: `roleForbids` to less than an owner.
  func tokens(for caller: Caller) throws(InventoryError) -> [Token]

  /// All inventories, oldest first.
  ///
  /// - Throws: `roleForbids` to less than an administrator.
  func inventories(for caller: Caller) throws(InventoryError) -> [InventoryDescription]

  /// The inventory that the caller is in.
  ///
  /// - Throws: `notFound(.inventory)` to a caller who sees a part of it only.
  func inventory(for caller: Caller) throws(InventoryError) -> InventoryDescription

  /// Whether the depth limit keeps a row, with what is below it, or a new list (nil) from coming into a list.
  /// Bounded where there are few lists below the row, as by `boundExceeded`.
  func isTooDeep(
    _ row: RowID?, in list: ListID, for caller: Caller
  ) throws(InventoryError) -> Bool

  /// Calls `visit` with a list and all below it, in the order of a transfer. Reads everything.
  func transfer(
    of list: ListReference, for caller: Caller,
    visit: (TransferRecord) throws(InventoryError) -> Void
  ) throws(InventoryError)

  /// Calls `visit` with the items of a list, in order, those in sublists and contents not among
  /// them. Reads everything.
  func items(
    of list: ListReference, for caller: Caller,
    visit: (TransferredItem) throws(InventoryError) -> Void
  ) throws(InventoryError)

  /// The revisions that deltas and activities may start from: as far back as the log reaches, up to the present.
  func history(for caller: Caller) throws(InventoryError) -> ClosedRange<Revision>

  /// What happened after `since`, if it was done in `limit` steps at most.
  func activity(
    since: Revision, limit: Int, for caller: Caller
  ) throws(InventoryError) -> Activity

  /// A page of a view of a list's rows. A long read.
  ///
  /// - Throws: `anchorGone` where the window starts behind a row that the view does not have;
  ///   `tooManyRows` where more than `Limits.rowsReordered` would have to be sorted.
  func rows(
    of list: ListReference, _ view: RowView, for caller: Caller
  ) throws(InventoryError) -> PageOfRows

  /// What has all the words that are looked for, in items' texts (titles, names, serial numbers, tags,
  /// custom fields, notes) and lists' titles: calls `visit` with each of a page, the best first, after
  /// `begin` with how many there are; `visit` ends the page by answering false. A long read.
  func search(
    _ query: SearchQuery, for caller: Caller,
    begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(InventoryError)

  /// A page of the tags of all items, of those that begin with `prefix`. A long read.
  func tags(
    prefix: String, offset: Int, limit: Int, for caller: Caller
  ) throws(InventoryError) -> TagCounts

  /// How many lists (root and contents lists too) and items the inventory holds, those in the trash
  /// too; for a caller who sees a part of it, how many that part holds now, which takes a long read.
  func counts(for caller: Caller) throws(InventoryError) -> (lists: Int, items: Int)

  /// A page of what was deleted and can be restored, the latest first, below the caller's root. A
  /// long read.
  ///
  /// - Throws: `anchorGone` where the window starts behind something else.
  func trash(_ window: PageWindow, for caller: Caller) throws(InventoryError) -> PageOfTrash

  /// A page of the log, the latest change first: those after `since` and before `before`, as far as they touched what
  /// is below the caller's root. A long read.
  ///
  /// - Parameter offset: how many of these changes to skip.
  /// - Throws: `historyGone` where the log does not reach back to `since`, or that never was.
  func changes(
    since: Revision?, before: Revision?, offset: Int, limit: Int, for caller: Caller
  ) throws(InventoryError) -> PageOfChanges

  /// One entry of the log. Bounded where the change has few steps, as by `boundExceeded`.
  ///
  /// - Throws: `notFound` for a revision that never was, or touched nothing that the caller sees;
  ///   `historyGone` where the log does not reach back to it.
  func change(_ revision: Revision, for caller: Caller) throws(InventoryError) -> LoggedChange

  /// What screens go by; lists and items that the caller does not see are left out. Bounded where
  /// they are few and their paths are short, as by `boundExceeded`.
  func screenSubjects(
    of rows: Set<RowID>, for caller: Caller
  ) throws(InventoryError) -> [RowID: ScreenSubject]

  /// The nearest list or item above one that may be in the trash; the caller's root for what is
  /// unknown, out of sight, or the root itself.
  func nearestAncestor(of row: RowID, for caller: Caller) throws(InventoryError) -> PathStep

  /// The items around an item. Bounded where its list has few sublists, as by `boundExceeded`.
  func neighbours(of item: ItemID, for caller: Caller) throws(InventoryError) -> Neighbours

  /// One of the caller's own.
  func navigator(_ id: NavigatorID, for caller: Caller) throws(InventoryError) -> Navigator

  /// The caller's own, of that name if one is given, the last used first; at most
  /// `Limits.navigators`.
  func navigators(
    named name: String?, for caller: Caller
  ) throws(InventoryError) -> [NavigatorSummary]

  func appearance(for caller: Caller) throws(InventoryError) -> VersionedAppearance
}

extension Snapshot {
  /// The same with a copy of each row.
  package func rows(
    of list: ListReference, _ window: PageWindow, for caller: Caller,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (Row) -> Bool
  ) throws(InventoryError) {
    try lendRows(of: list, window, for: caller, begin: begin) { visit(Row($0)) }
  }
}
