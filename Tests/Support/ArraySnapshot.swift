import Inventory

/// A copy of an `ArrayState`, read in the plainest way.
struct ArraySnapshot: Snapshot {
  let caller: Caller
  let state: ArrayState

  init(of caller: Caller = .local, _ state: ArrayState) {
    self.caller = caller
    self.state = state
  }

  func seen(by caller: Caller) -> any Snapshot { ArraySnapshot(of: caller, state) }

  func revision() throws(InventoryError) -> Revision {
    try state.requireRoot(of: caller)
    return state.revision
  }

  func list(_ list: ListReference) throws(InventoryError) -> List {
    state.list(try state.listID(list, for: caller), for: caller)
  }

  func item(_ id: ItemID) throws(InventoryError) -> Item {
    try state.requireItem(id, for: caller)
    return state.item(id)
  }

  func rendition(
    of photo: PhotoID, atLeast size: RenditionSize
  ) throws(InventoryError) -> Rendition? {
    let stored = state.photos[photo]?.renditions ?? [:]
    let next = stored.values.filter { $0.size.rawValue >= size.rawValue }
      .min { $0.size.rawValue < $1.size.rawValue }
    return next.map { Rendition(size: $0.size, type: $0.image.type, byteCount: $0.bytes.count) }
  }

  func photos(of item: ItemID) throws(InventoryError) -> [Photo] {
    try state.requireItem(item, for: caller)
    return state.photos(of: item)
  }

  func place(of row: RowID) throws(InventoryError) -> Place {
    try state.require(row, for: caller, as: .row)
    let path = state.path(of: row, for: caller)
    // The list above the caller's own root is none of the caller's business.
    let seat = path.count > 1 ? state.seat(of: row) : nil
    return Place(listID: seat?.list, index: seat.map { RowIndex($0.index) }, path: path)
  }

  func lendRows(
    of list: ListReference, _ window: PageWindow,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (BorrowedRow) -> Bool
  ) throws(InventoryError) {
    let id = try state.listID(list, for: caller)
    let rows = state[id].rows
    var start: Int
    switch window.start {
    case .offset(let offset): start = min(offset, rows.count)
    case .after(let anchor):
      guard let index = rows.firstIndex(of: anchor) else { throw .anchorGone(anchor) }
      start = index + 1
    }
    let end = min(start + window.limit, rows.count)
    if start == end { start = rows.count }
    guard try begin(state.list(id, for: caller), RowIndex(start)), start < end else { return }
    for index in start..<end {
      guard state.row(rows[index], at: index).lend(visit) else { return }
    }
  }

  func sublists(
    of list: ListReference, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<LeveledList> {
    let id = try state.listID(list, for: caller)
    let level = state.path(of: RowID(id), for: caller).count + 1
    let lists = state[id].rows.map { ListID($0) }.filter { state.lists[$0] != nil }.map {
      LeveledList(list: state.list($0, for: caller), level: level)
    }
    return try page(of: lists, window)
  }

  func descendants(
    of list: ListReference, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<LeveledList> {
    let id = try state.listID(list, for: caller)
    let lists = below(id).map { ListID($0) }.filter { state.lists[$0] != nil }.map {
      LeveledList(
        list: state.list($0, for: caller), level: state.path(of: RowID($0), for: caller).count)
    }
    return try page(of: lists, window)
  }

  private func page(
    of lists: [LeveledList], _ window: PageWindow
  ) throws(InventoryError) -> PageOf<LeveledList> {
    var first: Int
    switch window.start {
    case .offset(let offset): first = min(offset, lists.count)
    case .after(let anchor):
      guard let index = lists.firstIndex(where: { RowID($0.list.id) == anchor }) else {
        throw .anchorGone(anchor)
      }
      first = index + 1
    }
    return PageOf<LeveledList>(
      count: lists.count, first: first,
      elements: Array(lists.dropFirst(first).prefix(window.limit)))
  }

  func subtreeTotals(of list: ListReference) throws(InventoryError) -> SubtreeTotals {
    let id = try state.listID(list, for: caller)
    var totals = SubtreeTotals()
    totals.total = state.total(of: id)
    for row in below(id) {
      if state.lists[ListID(row)] != nil {
        totals.listCount += 1
        totals.total += state.total(of: ListID(row))
      } else {
        totals.itemCount += 1
      }
    }
    return totals
  }

  /// All lists and items below a list, depth first, an item's contents list after the item.
  func below(_ list: ListID) -> [RowID] {
    var found: [RowID] = []
    var waiting = Array(state[list].rows.reversed())
    while let row = waiting.popLast() {
      found.append(row)
      if let list = state.lists[ListID(row)] {
        waiting += list.rows.reversed()
      } else if let contents = state.items[ItemID(row)]?.contents {
        waiting.append(RowID(contents))
      }
    }
    return found
  }

  func resolve(path titles: [String]) throws(InventoryError) -> PathStep {
    var step = state.step(RowID(try state.listID(.root, for: caller)))
    for title in titles {
      // Below an item come the rows of its contents list, whose own title is left out.
      let list = state.items[ItemID(step.id)]?.contents ?? ListID(step.id)
      let rows = state.lists[list]?.rows ?? []
      let candidates = rows.map(state.step).filter { $0.title.hasBytes(of: title) }
      guard let first = candidates.first else { throw .notFound(.path) }
      guard candidates.count == 1 else { throw .ambiguousPath(candidates: candidates) }
      step = first
    }
    return step
  }

  func delta(of list: ListReference, since: Revision) throws(InventoryError) -> Delta {
    state.delta(of: try state.listID(list, for: caller), since: since, for: caller)
  }

  func trash(_ window: PageWindow) throws(InventoryError) -> PageOf<TrashedRow> {
    try state.trash(window, for: caller)
  }

  func changes(
    since: Revision?, before: Revision?, offset: Int, limit: Int
  ) throws(InventoryError) -> PageOfChanges {
    try state.requireRoot(of: caller)
    let since = since ?? state.historyStart
    guard since >= state.historyStart, since <= state.revision else {
      throw .historyGone(now: state.revision)
    }
    let span = state.log.filter { $0.key > since && ($0.key < before ?? Revision(.max)) }
      .sorted { $0.key > $1.key }
    // A caller who sees a part has one page look at a bounded number of changes.
    let seesAll = state.root(for: caller) == state.rootID
    let looked = span.prefix(seesAll ? span.count : Limits.changesOnPage)
    let seen = looked.compactMap { $0.value.change($0.key, in: state, for: caller) }
    let shown = Array(seen.dropFirst(offset).prefix(limit))
    let following = seen.dropFirst(offset).dropFirst(limit)
    var next: Revision?
    if let first = following.first {
      next = shown.last?.revision ?? Revision(first.revision.number + 1)
    } else if looked.count < span.count {
      next = looked.last?.key
    }
    return PageOfChanges(
      count: looked.count == span.count ? seen.count : nil, changes: shown, next: next)
  }

  func change(_ revision: Revision) throws(InventoryError) -> LoggedChange {
    try state.requireRoot(of: caller)
    guard let change = try state.entry(revision).change(revision, in: state, for: caller) else {
      throw .notFound(.change)
    }
    return change
  }

  func home() throws(InventoryError) -> (inventory: InventoryID, root: ListID) {
    try state.requireRoot(of: caller)
    return (state.inventoryID, state.root(for: caller))
  }

  var mostBytes: Int { .max }

  func tokens() throws(InventoryError) -> [Token] {
    guard caller.role >= .owner else { throw .roleForbids(needed: .owner) }
    try state.requireRoot(of: caller)
    return state.visibleTokens(to: caller)
  }

  func invitations() throws(InventoryError) -> [Invitation] {
    guard caller.role >= .owner else { throw .roleForbids(needed: .owner) }
    try state.requireRoot(of: caller)
    return state.visibleInvitations(to: caller)
  }

  func invitation(_ code: InvitationCode) throws(InventoryError) -> (Invitation, title: String) {
    guard let invitation = state.invitations.first(where: { $0.code == code }) else {
      throw .invitationInvalid
    }
    let madeAt = Timestamp(seconds: invitation.acceptBy.seconds - Invitation.lifetime)
    try state.requireGiver(of: invitation, at: madeAt)
    return (invitation, state[state.root(for: invitation.giver)].details.title)
  }

  func inventories() throws(InventoryError) -> [InventoryDescription] {
    guard caller.role >= .admin else { throw .roleForbids(needed: .admin) }
    return [state.description]
  }

  func inventory() throws(InventoryError) -> InventoryDescription {
    try state.requireRoot(of: caller)
    guard state.root(for: caller) == state.rootID else { throw .notFound(.inventory) }
    return state.description
  }

  func transfer(
    of list: ListReference, visit: (TransferRecord) throws(InventoryError) -> Void
  ) throws(InventoryError) {
    let top = try state.listID(list, for: caller)
    try visit(state.record(of: RowID(top), isTop: true))
    for record in below(top).flatMap(state.records) { try visit(record) }
  }

  func bytes(
    of photo: PhotoID, visit: ([UInt8]) throws(InventoryError) -> Void
  ) throws(InventoryError) {
    let bytes = state.photos[photo]?.bytes ?? []
    for start in stride(from: 0, to: bytes.count, by: PhotoPiece.size) {
      try visit(Array(bytes[start...].prefix(PhotoPiece.size)))
    }
  }

  func items(
    of list: ListReference, visit: (TransferredItem) throws(InventoryError) -> Void
  ) throws(InventoryError) {
    for row in state[try state.listID(list, for: caller)].rows {
      if case .item(let item) = state.record(of: row, isTop: false) { try visit(item) }
    }
  }

  func counts() throws(InventoryError) -> (lists: Int, items: Int) {
    try state.requireRoot(of: caller)
    guard caller.root == nil || caller.root == state.rootID else {
      let totals = try subtreeTotals(of: .root)
      return (totals.listCount + 1, totals.itemCount)
    }
    let staged = state.staged.values.filter { $0.list != nil }
    return (
      staged.reduce(state.lists.count) { $0 + $1.lists.count },
      staged.reduce(state.items.count) { $0 + $1.items.count }
    )
  }
}

extension ArrayState {
  /// From the version of the list that was current at `since`. `toRevision` is the list's; `since` where nothing came after.
  func delta(of id: ListID, since: Revision, for caller: Caller) -> Delta {
    let stored = self[id]
    let versions = stored.versions
    guard since >= Revision(0), since <= revision,
      since >= historyStart || stored.revision <= since,
      let after = versions.last
    else {
      return Delta(
        listID: id, fromRevision: since, toRevision: stored.revision, content: .resync)
    }
    guard let before = versions.last(where: { $0.revision <= since }),
      sees(RowID(id), at: since, for: caller)
    else {
      return Delta(
        listID: id, fromRevision: since, toRevision: stored.revision, content: .absent)
    }
    return PlainDelta(from: before, to: after, for: caller).delta(
      of: id, from: since, to: max(since, stored.revision))
  }
}
