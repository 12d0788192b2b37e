import HTTP
import Inventory
import JSON
import Navigation

extension Route {
  static let screens = [
    Route(
      .get, "/v1/lists/{listId}/screen", query: ["mode", "kind", "row", "limit", "backTitleLimit"],
      APIHandler.listScreen),
    Route(
      .get, "/v1/items/{itemId}/screen", query: ["mode", "backTitleLimit"], APIHandler.itemScreen),
    Route(
      .get, "/v1/items/{itemId}/photos/screen", query: ["backTitleLimit"], APIHandler.photosScreen),
    Route(.get, "/v1/about/screen", query: ["backTitleLimit"], APIHandler.aboutScreen),
    Route(.get, "/v1/items/{itemId}/neighbours", query: ["direction"], APIHandler.neighbours),
    Route(.get, "/v1/appearance", APIHandler.appearance),
    Route(.put, "/v1/appearance", body: .required, APIHandler.setAppearance),
  ]
}

extension APIHandler {
  /// `GET /v1/lists/{listId}/screen`
  func listScreen(_ request: RequestContext) throws(Problem) -> Reply {
    let (mode, kind, row, limit, style) = try request.parameters { query in
      let mode = query.choice("mode") ?? ScreenMode.browse
      let kind: AddedKind? = query.choice("kind")
      let row = query.row("row")
      let limit = query.givenLimit
      let style = self.style(query, request)
      if kind != nil, mode != .add { query.note("kind", "Use this only with mode=add.") }
      if row != nil, mode != .move { query.note("row", "Use this only with mode=move.") }
      if query.text("row") == nil, mode == .move {
        query.note("row", "Send the id of the row to move.")
      }
      return (mode, kind, row, limit, style)
    }
    return readPage(of: limit ?? 0, request) { (snapshot) throws(InventoryError) in
      let list = try snapshot.list(request.path.list)
      let path = try snapshot.place(of: RowID(list.id)).path
      let subject = ScreenSubject(list, for: request.caller)
      let listMode: ScreenContent.ListMode =
        switch mode {
        case .browse: .browse
        case .edit: .edit
        case .details: .details(maySave: request.caller.role >= .editor)
        case .add:
          .add(
            kind ?? subject.accepts.usual,
            isTooDeep: kind == .list ? try snapshot.isTooDeep(nil, in: list.id) : false)
        case .move: try Self.move(of: row, into: list, subject, path, snapshot)
        }
      let screen = Screen(
        .list(subject, listMode), below: path.dropLast().map(Crumb.init), style)
      return try request.response(screen, rowsOf: list, limit: limit, snapshot)
    }
  }

  private static func move(
    of row: RowID?, into list: List, _ subject: ScreenSubject, _ path: [PathStep],
    _ snapshot: any Snapshot
  ) throws(InventoryError) -> ScreenContent.ListMode {
    guard let row else { throw .notFound(.row) }
    let place = try snapshot.place(of: row)
    guard let step = place.path.last else { throw .notFound(.row) }
    var can: Permissions = []
    if let home = place.listID {
      can = try snapshot.list(.id(home)).permissions(for: snapshot.caller.role)
    }
    let kind = step.isList ? nil : try snapshot.item(ItemID(row)).details.kind
    return .move(
      name: step.title,
      isAccepted: subject.acceptsMove(
        of: row, kind, from: place.listID, permitting: can,
        isTooDeep: try snapshot.isTooDeep(row, in: list.id), along: path.map(\.id)))
  }

  /// `GET /v1/items/{itemId}/screen`
  func itemScreen(_ request: RequestContext) throws(Problem) -> Reply {
    let id = request.path.item
    let (mode, style) = try request.parameters { query in
      (query.choice("mode") ?? ItemScreenMode.browse, self.style(query, request))
    }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let (subject, path) = try Self.subject(of: id, snapshot)
      let itemMode: ScreenContent.ItemMode =
        switch mode {
        case .browse: .browse(try snapshot.neighbours(of: id))
        case .edit: .edit
        }
      let screen = Screen(
        .item(subject, itemMode), below: path.dropLast().map(Crumb.init), style)
      return request.response(screen)
    }
  }

  private enum ItemScreenMode: String, CaseIterable { case browse, edit }

  private static func subject(
    of id: ItemID, _ snapshot: any Snapshot
  ) throws(InventoryError) -> (ScreenSubject, path: [PathStep]) {
    let item = try snapshot.item(id)
    let list = try snapshot.list(.id(item.listID))
    let path = try snapshot.place(of: RowID(id)).path
    return (ScreenSubject(item, in: list, for: snapshot.caller), path)
  }

  /// `GET /v1/items/{itemId}/photos/screen`
  func photosScreen(_ request: RequestContext) throws(Problem) -> Reply {
    let style = try request.parameters { self.style($0, request) }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let (subject, path) = try Self.subject(of: request.path.item, snapshot)
      return request.response(
        Screen(.photos(subject), below: path.map(Crumb.init), style))
    }
  }

  /// `GET /v1/about/screen`: the about screen, as if it was opened from the root list's screen.
  func aboutScreen(_ request: RequestContext) throws(Problem) -> Reply {
    let style = try request.parameters { self.style($0, request) }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let root = try snapshot.list(.root)
      let crumb = Crumb(id: RowID(root.id), title: root.details.title)
      return request.response(Screen(.about, below: [crumb], style))
    }
  }

  /// `GET /v1/items/{itemId}/neighbours`
  func neighbours(_ request: RequestContext) throws(Problem) -> Reply {
    let texts = request.context.language.texts
    let direction = try request.parameters { $0.choice("direction") ?? texts.direction }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let neighbours = try snapshot.neighbours(of: request.path.item)
      return request.context.object {
        $0.neighbourMembers(neighbours, direction, texts.screens)
      }
    }
  }

  /// The language, direction and limits of a request's screens.
  func style(_ query: Query, _ request: RequestContext) -> ScreenStyle {
    let texts = request.context.language.texts
    let limit = query.whole(
      "backTitleLimit", in: 0...Limits.title.upperBound, "0 to \(Limits.title.upperBound).")
    return ScreenStyle(
      texts: texts.screens, direction: texts.direction,
      backTitleLimit: limit ?? ScreenStyle.usualBackTitleLimit, serverName: configuration.name)
  }
}

extension Crumb {
  init(_ step: PathStep) { self.init(id: step.id, title: step.title) }
}

extension RequestContext {
  fileprivate func response(_ screen: Screen) -> Response {
    context.object { $0.screenMembers(screen) }
  }

  /// A list's screen and, with a limit, its first page of rows.
  fileprivate func response(
    _ screen: Screen, rowsOf list: List, limit: Int?, _ snapshot: any Snapshot
  ) throws(InventoryError) -> Response {
    guard let limit else { return response(screen) }
    return try context.object(capacity: 1024 + 400 * min(limit, 100)) {
      (writer) throws(InventoryError) in
      writer.screenMembers(screen)
      try writer.firstRowsMembers(of: list, limit: limit, for: context, snapshot)
    }
  }
}

extension JSONWriter {
  /// Writes the first rows of a list as the members of a page, and what the list's own row shows.
  mutating func firstRowsMembers(
    of list: List, limit: Int, for context: ResponseContext, _ snapshot: any Snapshot
  ) throws(InventoryError) {
    key("list")
    summary(ListSummary(list.id, list.details, rowCount: list.rowCount, total: list.total))
    rowsMembers(of: list)
    let permissions = list.permissions(for: context.caller.role)
    var shown = 0
    try snapshot.rows(
      of: .id(list.id), PageWindow(limit: limit), begin: { _, _ in true },
      visit: { row in
        self.row(row, permissions)
        shown += 1
        return count < min(RequestContext.largestPage, snapshot.mostBytes)
      })
    guard count < snapshot.mostBytes else { throw .boundExceeded }
    if shown == list.rowCount, list.details.sentinel.isVisible {
      sentinel(of: list, in: context.language)
    }
    endArray()
  }
}
