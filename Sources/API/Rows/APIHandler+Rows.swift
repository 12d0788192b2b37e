import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/lists/{listId}/rows`
  func rows(of list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let window = query.window
    let view = query.view
    let showsSentinel = query.flag("sentinel", default: true)
    let expected = query.revision("revision")
    try faults.check()
    let pages = configuration.pages
    return read(view == nil ? .bounded : .long, exchange) { (snapshot) throws(InventoryError) in
      if exchange.isConditional || expected != nil {
        let revision = try snapshot.list(list, for: exchange.caller).revision
        if let expected {
          try Self.check(expected, of: list, at: revision, snapshot, exchange.caller)
        }
        if view?.followsRevision ?? true, exchange.holds(revision) {
          return exchange.audience.notModified(revision)
        }
      }
      if let view {
        return try exchange.rows(of: list, view, showsSentinel: showsSentinel, snapshot)
      }
      return try exchange.rows(
        of: list, window, showsSentinel: showsSentinel, snapshot, pages)
    }
  }

  /// - Throws: `listMovedOn` where the list is not as it was at `expected`, or that never was.
  private static func check(
    _ expected: Revision, of list: ListReference, at revision: Revision,
    _ snapshot: any Snapshot, _ caller: Caller
  ) throws(InventoryError) {
    if revision <= expected {
      guard try snapshot.revision(for: caller) < expected else { return }
    }
    throw .listMovedOn(try snapshot.delta(of: list, since: expected, for: caller))
  }

  /// `GET /v1/rows/{rowId}`
  func place(of reference: RowReference, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      let row: RowID
      switch reference {
      case .root: row = RowID(try snapshot.list(.root, for: exchange.caller).id)
      case .id(let id): row = id
      }
      let place = try snapshot.place(of: row, for: exchange.caller)
      var writer = JSONWriter(capacity: 256 + 96 * place.path.count)
      writer.beginObject()
      writer.key("id")
      writer.id(row)
      writer.key("type")
      writer.string(place.path.last?.isList == false ? "item" : "list")
      writer.key("listId")
      writer.id(place.listID)
      writer.key("index")
      writer.int(place.index?.value)
      writer.key("level")
      writer.int(place.level)
      writer.key("path")
      writer.path(place.path)
      writer.endObject()
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `DELETE /v1/lists/{listId}/rows/{index}`
  func deleteRow(
    of list: ListReference, at index: Int?, _ exchange: Exchange
  ) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let row = query.row("id")
    let isRecursive = query.flag("recursive", default: false)
    guard let index, index >= 0 else {
      faults.note(.parameter("index", "An index is a whole number from 0."))
      throw .invalid(faults.all)
    }
    try faults.check()
    return try write(
      .deleteRowAt(list, index: index, expecting: row, isRecursive: isRecursive),
      demandsIfMatch: row == nil, exchange)
  }

  /// The deletion of a row by its identity, at any of the paths that name it.
  func delete(_ row: RowID, _ kind: RowKind, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isRecursive = query.flag("recursive", default: false)
    try faults.check()
    return try write(.deleteRow(row, kind: kind, isRecursive: isRecursive), exchange)
  }

  /// Whether a write that puts something at a position is refused without `If-Match`: the server may be set to
  /// demand one of what goes by an index.
  func demandsIfMatch(for position: Position) -> Bool {
    guard case .index = position else { return false }
    return configuration.requiresPreconditions
  }

  /// The row that a path names; `root` stands for the root list's id.
  ///
  /// - Throws: what says that the caller does not see it.
  func row(_ reference: RowReference, _ exchange: Exchange) throws(Problem) -> RowID {
    guard case .id(let row) = reference else {
      let caller = exchange.caller
      let root = session.read(
        .bounded,
        { (snapshot) throws(InventoryError) in try snapshot.list(.root, for: caller).id },
        later: { _ in })
      switch root {
      case .success(let list)?: return RowID(list)
      case .failure(let error)?: throw Problem(error)
      // A store that answers later would say so in the end, too.
      case nil: throw Problem(.rootList)
      }
    }
    return row
  }
}

extension Exchange {
  /// In bytes: a page ends with the row that reaches it, and `Link` tells where the next one begins.
  static let largestPage = 1 << 20

  /// A page of rows, with the sentinel where it belongs.
  fileprivate func rows(
    of list: ListReference, _ window: PageWindow, showsSentinel: Bool, _ snapshot: any Snapshot,
    _ cache: PageCache
  ) throws(InventoryError) -> Response {
    var writer = JSONWriter(capacity: 256 + 400 * min(window.limit, 100))
    var top: (list: List, key: PageCache.Key, kept: PageCache.Entry?)?
    var page = Page(first: 0, shown: 0, count: 0, limit: window.limit)
    var permissions = Permissions()
    let isAnchored = if case .after = window.start { true } else { false }
    try snapshot.lendRows(of: list, window, for: caller) { (list, first) throws(InventoryError) in
      page.first = first.value
      page.count = list.rowCount
      let key = pageKey(of: list.id, window, showsSentinel)
      let kept = cache.entry(key, at: list.revision)
      top = (list, key, kept)
      guard kept == nil else { return false }
      permissions = list.permissions(for: caller.role)
      writer.beginRows(of: list, in: audience.language)
      return true
    } visit: { row in
      writer.row(row, permissions)
      page.shown += 1
      if isAnchored { page.lastRow = row.id }
      return writer.count < Self.largestPage
    }
    guard let (list, key, kept) = top else {
      throw .storageFailed("A page of rows came without its list.")
    }
    if let kept {
      page.shown = kept.shown
      page.lastRow = kept.lastRow
      return response(page, kept.body, list.revision)
    }
    if showsSentinel, page.isLast, list.details.sentinel.isVisible {
      writer.sentinel(of: list, in: audience.language)
    }
    writer.endArray()
    writer.endObject()
    let body = writer.finish()
    cache.keep(
      PageCache.Entry(
        revision: list.revision, body: body, shown: page.shown, lastRow: page.lastRow), key)
    return response(page, body, list.revision)
  }

  private func pageKey(
    of list: ListID, _ window: PageWindow, _ showsSentinel: Bool
  ) -> PageCache.Key {
    PageCache.Key(
      list: list, window: window, showsSentinel: showsSentinel, language: audience.language,
      role: caller.role, inventory: caller.inventory, root: caller.root)
  }

  private func response(_ page: Page, _ body: [UInt8], _ revision: Revision) -> Response {
    var response = audience.response(json: body, revision: revision)
    response.fields.append("Link", page.links(for: head, below: audience.base))
    return response
  }
}

extension JSONWriter {
  /// Opens a page of rows up to its first row.
  fileprivate mutating func beginRows(of list: List, in language: Language) {
    beginObject()
    key("dir")
    string(language.texts.direction.rawValue)
    rowsMembers(of: list)
  }

  /// What stands between the braces of a page, up to its first row.
  mutating func rowsMembers(of list: List) {
    key("listId")
    id(list.id)
    key("revision")
    int(list.revision.number)
    key("count")
    int(list.rowCount)
    key("rows")
    beginArray()
  }
}
