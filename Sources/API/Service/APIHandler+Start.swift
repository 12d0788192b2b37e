import HTTP
import Inventory
import JSON
import Navigation
import WebApp

extension APIHandler {
  /// `GET /v1/start`: what a client shows first, at one revision.
  ///
  /// The list is the one in the query, or else the top list of the navigator, or else the root list.
  func start(_ request: RequestContext) throws(Problem) -> Reply {
    let (list, navigator, limit, style) = try request.parameters { query in
      let list: ListReference? = query.text("listId") == nil ? nil : query.list("listId")
      let navigator = query.row("navigatorId").map { NavigatorID($0.uuid) }
      return (list, navigator, query.limit, self.style(query, request))
    }
    return readPage(of: limit, request) { (snapshot) throws(InventoryError) in
      let revision = try snapshot.revision()
      let home = try snapshot.home()
      let appearance = try snapshot.appearance()
      let place = try navigator.flatMap { (id) throws(InventoryError) in
        try Self.place(id, snapshot)
      }
      let first = list ?? place?.navigator.details.topList.map { .id($0) } ?? .root
      let body = try JSONWriter.bytes(capacity: 12_288 + 400 * min(limit, 100)) {
        (writer) throws(InventoryError) in
        writer.beginObject()
        writer.member("revision", revision.number)
        writer.key("texts")
        writer.raw(TextsPage.first[request.context.language].bytes)
        writer.object("me") { $0.callerMembers(request.caller, home) }
        writer.key("appearance")
        writer.appearance(appearance, in: request.context.language)
        writer.key("navigator")
        if let place {
          writer.navigator(
            place.navigator, place.subjects, popped: nil, for: request.context, style)
        } else {
          writer.null()
        }
        writer.key("list")
        try writer.startList(first, limit: limit, for: request, style, snapshot)
        writer.endObject()
      }
      return request.response(tagged: WebFile.checksum(body)) { $0.raw(body) }
    }
  }

  /// The navigator without momentary screens. Nil if the caller has none with this id, or if a screen of it is gone,
  /// because only `GET /v1/navigators/{navigatorId}` takes such screens out.
  private static func place(
    _ id: NavigatorID, _ snapshot: any Snapshot
  ) throws(InventoryError) -> (navigator: Navigator, subjects: [RowID: ScreenSubject])? {
    do {
      let navigator = try snapshot.navigator(id)
      let edit = try NavigatorScope(snapshot).settled(navigator.details, isRestoring: true)
      return edit.details == navigator.details ? (navigator, edit.subjects) : nil
    } catch .notFound {
      return nil
    }
  }
}

extension NavigatorDetails {
  /// The uppermost list in the selected tab.
  fileprivate var topList: ListID? {
    let stack = tabs.first { $0.id == selectedTab }?.stack ?? []
    return stack.lazy.reversed().compactMap { screen in
      if case .list(let list) = screen.target { list } else { nil }
    }.first
  }
}

extension JSONWriter {
  /// Writes the screen of a list with its path and its first rows. Null if the caller cannot see the list.
  fileprivate mutating func startList(
    _ reference: ListReference, limit: Int, for request: RequestContext, _ style: ScreenStyle,
    _ snapshot: any Snapshot
  ) throws(InventoryError) {
    let list: List
    do { list = try snapshot.list(reference) } catch .notFound, .inTrash { return null() }
    let path = try snapshot.place(of: RowID(list.id)).path
    let subject = ScreenSubject(list, for: request.caller)
    func screen(_ mode: ScreenContent.ListMode) -> Screen {
      Screen(.list(subject, mode), below: path.dropLast().map(Crumb.init), style)
    }
    try object { (writer) throws(InventoryError) in
      writer.screenMembers(screen(.browse))
      writer.navigationBar(screen(.edit).navigationBar, as: "editBar")
      writer.path("path", path)
      try writer.firstRowsMembers(of: list, limit: limit, for: request.context, snapshot)
    }
  }
}
