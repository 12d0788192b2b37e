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
    step(
      .patch, "/v1/navigators/{navigatorId}", ["name", "selectedTab"],
      readOnly: [
        "id", "version", "createdAt", "lastUsedAt", "tabs", "more", "dir", "popped",
      ], NavigatorCall.edit),
    Route(.delete, "/v1/navigators/{navigatorId}", APIHandler.deleteNavigator),
    step(.post, "/v1/navigators/{navigatorId}/push", ["screen"], NavigatorCall.push),
    step(
      .post, "/v1/navigators/{navigatorId}/pop", body: .optional, isPop: true, NavigatorCall.pop),
    step(
      .post, "/v1/navigators/{navigatorId}/pop-to", ["index", "screen"], NavigatorCall.popTo),
    step(
      .post, "/v1/navigators/{navigatorId}/pop-to-root", body: .optional,
      NavigatorCall.popToRoot),
    step(.put, "/v1/navigators/{navigatorId}/stack", ["stack"], NavigatorCall.setStack),
    step(.post, "/v1/navigators/{navigatorId}/open", ["listId", "itemId"], NavigatorCall.open),
    step(.post, "/v1/navigators/{navigatorId}/select-tab", ["tab"], NavigatorCall.selectTab),
    step(.put, "/v1/navigators/{navigatorId}/tabs", ["tabs"], NavigatorCall.setTabs),
    step(.post, "/v1/navigators/{navigatorId}/tabs/reorder", ["ids"], NavigatorCall.reorderTabs),
    step(
      .patch, "/v1/navigators/{navigatorId}/top", ["mode", "kind", "state"],
      NavigatorCall.editTop),
  ]

  /// - Parameters:
  ///   - known: the members that the call's body may have.
  ///   - readOnly: members of responses that the call ignores.
  ///   - isPop: whether the response has the removed screen.
  private static func step(
    _ method: Method, _ template: StaticString, _ known: [String] = [], readOnly: [String] = [],
    body: BodyRule = .required, isPop: Bool = false,
    _ read: @escaping @Sendable (Members) -> NavigatorStep?
  ) -> Route {
    Route(method, template, query: ["backTitleLimit"], body: body) { handler in
      { (request) throws(Problem) in
        let (step, style) = try request.parameters {
          (query) throws(Problem) -> (NavigatorStep, ScreenStyle)? in
          let style = handler.style(query, request)
          let members = Members(
            try request.json(), known: known, readOnly: readOnly, query.faults)
          return read(members).map { ($0, style) }
        }
        return try handler.navigate(step, isPop: isPop, style, request)
      }
    }
  }
}

extension APIHandler {
  /// `GET /v1/navigators`
  func navigators(_ request: RequestContext) throws(Problem) -> Reply {
    let name: String? = try request.parameters { .some($0.text("name")) }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.navigators(named: name)
      return request.context.response(capacity: 64 + 256 * found.count) {
        $0.collection("navigators", found) { $0.summaryMembers($1) }
      }
    }
  }

  /// `POST /v1/navigators`
  func createNavigator(_ request: RequestContext) throws(Problem) -> Reply {
    let (name, tabs, original, style) = try request.input(["name", "tabs", "copyOf"]) {
      query, members in
      let style = self.style(query, request)
      let name = members.line("name", 1...Limits.shortText)
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
  fileprivate func navigate(
    _ step: @escaping NavigatorStep, isPop: Bool, _ style: ScreenStyle, _ request: RequestContext
  ) throws(Problem) -> Reply {
    let command = Command.editNavigator(request.path.navigator) {
      (details, snapshot) throws(InventoryError) in
      let scope = NavigatorScope(snapshot)
      var changed = details
      try step(&changed, scope)
      var edit = try scope.settled(changed)
      if isPop, changed.stack.count < details.stack.count { edit.popped = details.stack.last }
      return edit
    }
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
      guard case .success(let look) = result, !look.isSettled else {
        return request.response(to: result, \.shown)
      }
      let command = Command.editNavigator(id) { (details, snapshot) throws(InventoryError) in
        try NavigatorScope(snapshot).settled(details, isRestoring: isRestoring)
      }
      let context = WriteContext(caller: caller, requestID: request.context.requestID)
      store.submit(command, context) { result in
        switch result {
        // Reads must work when writes fail. A later read tries the removal again.
        case .failure(.storageFull), .failure(.overloaded): request.send(look.shown)
        default: request.send(request.response(to: result, .navigator(style, isPop: false)))
        }
      }
      return nil
    }
    let result = session.read(.bounded, as: caller, for: request.requester) {
      (snapshot) throws(InventoryError) -> Look in
      var navigator = try snapshot.navigator(id)
      let edit = try NavigatorScope(snapshot)
        .settled(navigator.details, isRestoring: isRestoring)
      let isSettled = edit.details == navigator.details
      navigator.details = edit.details
      func write(_ writer: inout JSONWriter) {
        writer.navigator(navigator, edit.subjects, popped: nil, for: request.context, style)
      }
      let shown =
        isSettled
        ? request.response(
          tagged: request.context.tag(navigator, at: try snapshot.revision()), write)
        : request.context.response { write(&$0) }
      return (shown, isSettled)
    } later: { result in
      if let response = answer(store.released(result, to: caller)) {
        request.send(response)
      }
    }
    return result.flatMap(answer).map(Reply.now) ?? .later
  }

  /// A navigator as it was read. If screens must be removed, it is not settled, and the response has no entity tag.
  private typealias Look = (shown: Response, isSettled: Bool)
}
