import HTTP
import Inventory
import JSON
import Navigation

extension Route {
  static let navigators = [
    Route(.get, "/v1/navigators", query: ["name"], APIHandler.navigators),
    Route(
      .post, "/v1/navigators", query: ["backTitleLimit"], body: .optional, isUnconditional: true,
      APIHandler.createNavigator),
    Route(
      .get, "/v1/navigators/{navigatorId}", query: ["backTitleLimit", "restore"],
      APIHandler.navigator),
    step(.patch, "/v1/navigators/{navigatorId}", .edit),
    Route(.delete, "/v1/navigators/{navigatorId}", APIHandler.deleteNavigator),
    step(.post, "/v1/navigators/{navigatorId}/push", .push),
    step(.post, "/v1/navigators/{navigatorId}/pop", body: .optional, .pop),
    step(.post, "/v1/navigators/{navigatorId}/pop-to", .popTo),
    step(.post, "/v1/navigators/{navigatorId}/pop-to-root", body: .optional, .popToRoot),
    step(.put, "/v1/navigators/{navigatorId}/stack", .setStack),
    step(.post, "/v1/navigators/{navigatorId}/open", .open),
    step(.post, "/v1/navigators/{navigatorId}/select-tab", .selectTab),
    step(.put, "/v1/navigators/{navigatorId}/tabs", .setTabs),
    step(.post, "/v1/navigators/{navigatorId}/tabs/reorder", .reorderTabs),
    step(.patch, "/v1/navigators/{navigatorId}/top", .editTop),
  ]

  private static func step(
    _ method: Method, _ template: StaticString, body: BodyRule = .required,
    _ call: NavigatorStep.Call
  ) -> Route {
    Route(method, template, query: ["backTitleLimit"], body: body) {
      (handler, request) throws(Problem) in try handler.navigate(call, request)
    }
  }
}

extension APIHandler {
  /// `GET /v1/navigators`
  func navigators(_ request: RequestContext) throws(Problem) -> Reply {
    let name: String? = try request.parameters { .some($0.text("name")) }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.navigators(named: name)
      var writer = JSONWriter(capacity: 64 + 256 * found.count)
      writer.collection("navigators", found) { writer, navigator in
        writer.beginObject()
        writer.summaryMembers(navigator)
        writer.endObject()
      }
      return request.context.response(json: writer.finish())
    }
  }

  /// `POST /v1/navigators`
  func createNavigator(_ request: RequestContext) throws(Problem) -> Reply {
    let (name, tabs, original, style) = try request.input(["name", "tabs", "copyOf"]) {
      query, members in
      let style = self.style(query, request)
      let name = ScreenInput.line("name", 1...Limits.shortText, members)
      let tabs = members.tabs("tabs")
      let original = members.identifier("copyOf", as: NavigatorID.self)
      if tabs != nil, members["copyOf"] != nil {
        members.note("copyOf", "Send tabs or copyOf, not both.")
      }
      return (name, tabs, original, style)
    }
    let command = Command.makeNavigator(NavigatorID(.version7())) {
      (snapshot) throws(InventoryError) in
      let root = try snapshot.list(.root).id
      var details = NavigatorDetails(root: root, tab: .version7())
      if let original { details = try snapshot.navigator(original).details }
      details.name = name
      if let tabs {
        let new = tabs.map { $0.tab(root: root) }
        try NavigatorScope(snapshot).require(new.flatMap { $0.stack ?? [] })
        try details.setTabs(new, root: root)
      }
      return try NavigatorScope(snapshot).settled(details)
    }
    return try write(command, showing: .navigator(style, isPop: false), request)
  }

  /// `DELETE /v1/navigators/{navigatorId}`
  func deleteNavigator(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return try write(.deleteNavigator(request.path.navigator), showing: .nothing, request)
  }

  /// Performs a call at or below `/v1/navigators/{navigatorId}`.
  func navigate(_ call: NavigatorStep.Call, _ request: RequestContext) throws(Problem) -> Reply {
    let (step, style) = try request.parameters { (query) throws(Problem) in
      let style = self.style(query, request)
      return (try NavigatorStep(call, try request.json(), query.faults), style)
    }
    let command = Command.editNavigator(request.path.navigator) {
      (details, snapshot) throws(InventoryError) in
      let scope = NavigatorScope(snapshot)
      var details = details
      let popped = try step.take(&details, scope)
      var edit = try scope.settled(details)
      edit.popped = popped
      return edit
    }
    let isPop = if case .pop = call { true } else { false }
    return try write(command, showing: .navigator(style, isPop: isPop), request)
  }

  /// `GET /v1/navigators/{navigatorId}`
  func navigator(_ request: RequestContext) throws(Problem) -> Reply {
    let id = request.path.navigator
    let (isRestoring, style) = try request.parameters { query in
      (query.flag("restore", default: false), self.style(query, request))
    }
    let caller = request.caller
    let store = store
    // Screens of deleted rows, and those that a restore leaves out, are removed from the stored navigator,
    // so that it matches the stack that the client sees. This needs a write.
    @Sendable func answer(_ result: Result<Look, InventoryError>) -> Response? {
      switch result {
      case .success(.settled(let response)): return response
      case .failure(let error): return request.context.response(request.problem(error))
      case .success(.unsettled(let shown)):
        let command = Command.editNavigator(id) { (details, snapshot) throws(InventoryError) in
          try NavigatorScope(snapshot).settled(details, isRestoring: isRestoring)
        }
        let context = WriteContext(caller: caller, requestID: request.context.requestID)
        store.submit(command, context) { result in
          switch result {
          // Reads must work when writes fail. A later read tries the removal again.
          case .failure(.storageFull), .failure(.overloaded): request.send(shown)
          default:
            request.send(
              request.response(to: result, .navigator(style, isPop: false)))
          }
        }
        return nil
      }
    }
    let result = session.read(.bounded, as: caller, for: request.requester) {
      (snapshot) throws(InventoryError) -> Look in
      var navigator = try snapshot.navigator(id)
      let edit = try NavigatorScope(snapshot)
        .settled(navigator.details, isRestoring: isRestoring)
      guard edit.details != navigator.details else {
        let tag = request.context.tag(navigator, at: try snapshot.revision())
        return .settled(request.response(navigator, edit.subjects, tag: tag, style))
      }
      navigator.details = edit.details
      return .unsettled(request.response(navigator, edit.subjects, tag: nil, style))
    } later: { result in
      if let response = answer(store.released(result, to: caller)) {
        request.send(response)
      }
    }
    return result.flatMap(answer).map(Reply.now) ?? .later
  }

  /// The result of reading a navigator.
  private enum Look: Sendable {
    case settled(Response)
    /// Screens must be removed. The response shows the result, without an entity tag.
    case unsettled(Response)
  }
}

extension RequestContext {
  /// - Parameter tag: nil if the response differs from the stored navigator.
  fileprivate func response(
    _ navigator: Navigator, _ subjects: [RowID: ScreenSubject], tag: String?,
    _ style: ScreenStyle
  ) -> Response {
    var response: Response
    if let tag, holds(tag: tag) {
      response = context.empty(304)
    } else {
      var writer = JSONWriter(capacity: 2048)
      writer.navigator(navigator, subjects, popped: nil, for: context, style)
      response = context.response(json: writer.finish())
    }
    if let tag { response.fields.append("ETag", "\"\(tag)\"") }
    return response
  }
}
