import HTTP
import Inventory
import JSON

extension Route {
  static let rows = [
    Route(
      .get, "/v1/lists/{listId}/rows",
      query: page + ["sentinel", "revision", "sort", "type", "q", "sections"], APIHandler.rows),
    Route(
      .post, "/v1/lists/{listId}/move-row", query: ["strict"], body: .required, APIHandler.moveRow),
    Route(
      .get, "/v1/lists/{listId}/move-target", query: ["from", "to", "strict"],
      APIHandler.moveTarget),
    Route(
      .post, "/v1/lists/{listId}/move-rows", query: ["strict"], body: .required,
      APIHandler.moveRows),
    Route(.post, "/v1/lists/{listId}/reorder", body: .requiredLarge, APIHandler.reorder),
    Route(
      .post, "/v1/lists/{listId}/batch", query: ["recursive"], body: .required, APIHandler.batch),
    Route(
      .delete, "/v1/lists/{listId}/rows/{index}", query: ["id", "recursive"],
      APIHandler.deleteRowAtIndex),
    Route(.get, "/v1/rows/{rowId}", APIHandler.place),
    Route(
      .post, "/v1/rows/{rowId}/move", query: ["strict"], body: .required, APIHandler.relocate),
    Route(.delete, "/v1/rows/{rowId}", query: ["recursive"], APIHandler.deleteRow),
  ]
}

extension APIHandler {
  /// `GET /v1/lists/{listId}/rows`
  func rows(_ request: RequestContext) throws(Problem) -> Reply {
    let list = request.path.list
    let (window, view, showsSentinel, expected) = try request.parameters { query in
      (
        query.window, query.view, query.flag("sentinel", default: true),
        query.revision("revision")
      )
    }
    let pages = configuration.pages
    let answer: @Sendable (any Snapshot) throws(InventoryError) -> Response = {
      (snapshot) throws(InventoryError) in
      if request.isConditional || expected != nil {
        let revision = try snapshot.list(list).revision
        if let expected {
          try Self.check(expected, of: list, at: revision, snapshot)
        }
        if request.isConditional,
          let tag = request.tag(of: view, at: revision, try view?.currency(in: snapshot)),
          request.holds(tag: tag)
        {
          return request.context.notModified(tag: tag)
        }
      }
      if let view {
        return try request.rows(of: list, view, showsSentinel: showsSentinel, snapshot)
      }
      return try request.rows(
        of: list, window, showsSentinel: showsSentinel, snapshot, pages)
    }
    return view == nil
      ? readPage(of: window.limit, request, answer) : read(.long, request, answer)
  }

  /// - Throws: `listMovedOn` if the list has changed since `expected`, or `expected` is in the future.
  private static func check(
    _ expected: Revision, of list: ListReference, at revision: Revision, _ snapshot: any Snapshot
  ) throws(InventoryError) {
    if revision <= expected {
      guard try snapshot.revision() < expected else { return }
    }
    throw .listMovedOn(try snapshot.delta(of: list, since: expected))
  }

  /// `GET /v1/rows/{rowId}`
  func place(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let row: RowID
      switch request.path.row {
      case .root: row = RowID(try snapshot.list(.root).id)
      case .id(let id): row = id
      }
      let place = try snapshot.place(of: row)
      return request.context.object(capacity: 256 + 96 * place.path.count) { writer in
        writer.member("id", row)
        writer.member("type", place.path.last?.isList == false ? "item" : "list")
        writer.member("listId", place.listID)
        writer.member("index", place.index?.value)
        writer.member("level", place.level)
        writer.path("path", place.path)
      }
    }
  }

  /// `DELETE /v1/lists/{listId}/rows/{index}`
  func deleteRowAtIndex(_ request: RequestContext) throws(Problem) -> Reply {
    let (row, isRecursive, index) = try request.parameters { query -> (RowID?, Bool, Int)? in
      let (row, isRecursive) = (query.row("id"), query.flag("recursive", default: false))
      guard let index = request.path.index, index >= 0 else {
        query.note("index", "An index is a whole number from 0.")
        return nil
      }
      return (row, isRecursive, index)
    }
    return try write(
      .deleteRowAt(request.path.list, index: index, expecting: row, isRecursive: isRecursive),
      demandsIfMatch: row == nil, request)
  }

  /// `DELETE /v1/rows/{rowId}`
  func deleteRow(_ request: RequestContext) throws(Problem) -> Reply {
    try delete(try row(request.path.row, request), .any, request)
  }

  /// Deletes a row by its id, for every path that names rows.
  func delete(_ row: RowID, _ kind: RowKind, _ request: RequestContext) throws(Problem) -> Reply {
    let isRecursive = try request.parameters { $0.flag("recursive", default: false) }
    return try write(.deleteRow(row, kind: kind, isRecursive: isRecursive), request)
  }

  /// Whether a write to this position needs `If-Match`. A position by index does if the server requires
  /// preconditions.
  func demandsIfMatch(for position: Position) -> Bool {
    position.hasIndex && configuration.requiresPreconditions
  }

  /// The id of the row that a path names. `root` is the root list.
  ///
  /// - Throws: the store's error if the root list is not readable.
  func row(_ reference: RowReference, _ request: RequestContext) throws(Problem) -> RowID {
    guard case .id(let row) = reference else {
      let root = session.read(
        .bounded, as: request.caller,
        { (snapshot) throws(InventoryError) in try snapshot.list(.root).id },
        later: { _ in })
      switch root {
      case .success(let list)?: return RowID(list)
      case .failure(let error)?: throw Problem(error)
      // No store answers this read later. If one did, moving the root list would be refused with the same error.
      case nil: throw Problem(.rootList)
      }
    }
    return row
  }
}

extension RequestContext {
  /// Bytes. A page ends with the row that reaches them, and `Link` has the start of the next page.
  static let largestPage = 1 << 20

  /// A page of rows. The last page includes the sentinel.
  fileprivate func rows(
    of list: ListReference, _ window: PageWindow, showsSentinel: Bool, _ snapshot: any Snapshot,
    _ cache: PageCache
  ) throws(InventoryError) -> Response {
    var writer = JSONWriter(capacity: 256 + 400 * min(window.limit, 100))
    var top: (list: List, key: PageCache.Key, kept: PageCache.Entry?)?
    var page = Page(window)
    var permissions = Permissions()
    try snapshot.lendRows(of: list, window) { (list, first) throws(InventoryError) in
      page.first = first.value
      page.count = list.rowCount
      let key = pageKey(of: list.id, window, showsSentinel)
      let kept = cache.entry(key, at: list.revision)
      top = (list, key, kept)
      guard kept == nil else { return false }
      permissions = list.permissions(for: caller.role)
      writer.beginObject()
      writer.member("dir", context.language.texts.direction.rawValue)
      writer.rowsMembers(of: list)
      return true
    } visit: { row in
      writer.row(row, permissions)
      page.shown += 1
      page.lastRow = row.id
      return writer.count < min(Self.largestPage, snapshot.mostBytes)
    }
    guard writer.count < snapshot.mostBytes else { throw .boundExceeded }
    guard let (list, key, kept) = top else {
      throw .storageFailed("A page of rows came without its list.")
    }
    if let kept {
      page.shown = kept.shown
      page.lastRow = kept.lastRow
      return response(page, kept.body, tag: context.tag(list.revision))
    }
    if showsSentinel, page.isLast, list.details.sentinel.isVisible {
      writer.sentinel(of: list, in: context.language)
    }
    writer.endArray()
    writer.endObject()
    let body = writer.finish()
    cache.keep(
      PageCache.Entry(
        revision: list.revision, body: body, shown: page.shown, lastRow: page.lastRow), key)
    return response(page, body, tag: context.tag(list.revision))
  }

  private func pageKey(
    of list: ListID, _ window: PageWindow, _ showsSentinel: Bool
  ) -> PageCache.Key {
    PageCache.Key(
      list: list, window: window, showsSentinel: showsSentinel, language: context.language,
      role: caller.role, inventory: caller.inventory, root: caller.root)
  }
}

extension JSONWriter {
  /// The members of a page, up to its first row.
  mutating func rowsMembers(of list: List) {
    member("listId", list.id)
    member("revision", list.revision.number)
    member("count", list.rowCount)
    key("rows")
    beginArray()
  }
}
