import HTTP
import Inventory
import JSON
import Navigation

extension APIHandler {
  /// `GET /v1/navigators`
  func navigators(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let name = try exchange.query(faults).text("name")
    try faults.check()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      let found = try snapshot.navigators(named: name, for: exchange.caller)
      var writer = JSONWriter(capacity: 64 + 256 * found.count)
      writer.beginObject()
      writer.key("count")
      writer.int(found.count)
      writer.key("navigators")
      writer.beginArray()
      for navigator in found {
        writer.beginObject()
        writer.summaryMembers(navigator)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `POST /v1/navigators`
  func createNavigator(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let style = style(try exchange.query(faults), exchange)
    let members = Members(try exchange.body(), known: ["name", "tabs", "copyOf"], faults)
    let name = GivenScreen.line("name", 1...Limits.shortText, members)
    let tabs = members.tabs("tabs", faults)
    let original: NavigatorID? = members.identifier("copyOf")
    if tabs != nil, members["copyOf"] != nil {
      members.note("copyOf", "Send tabs or copyOf, not both.")
    }
    try faults.check()
    let caller = exchange.caller
    let command = Command.makeNavigator(NavigatorID(.version7())) {
      (snapshot) throws(InventoryError) in
      let root = try snapshot.list(.root, for: caller).id
      var details = NavigatorDetails(root: root, tab: .version7())
      if let original { details = try snapshot.navigator(original, for: caller).details }
      details.name = name
      if let tabs {
        let new = tabs.map { $0.tab(root: root) }
        try Surroundings(snapshot, caller).require(new.flatMap { $0.stack ?? [] })
        try details.setTabs(new, root: root)
      }
      return try Surroundings(snapshot, caller).settled(details)
    }
    return try write(command, showing: .navigator(style, isPop: false), exchange)
  }

  /// Whatever is done at and below `/v1/navigators/{navigatorId}`.
  func navigate(
    _ id: NavigatorID, _ call: Endpoint.NavigatorCall, _ exchange: Exchange
  ) throws(Problem) -> Reply {
    switch call {
    case .show: return try show(id, exchange)
    case .delete:
      try exchange.refuseParameters()
      return try write(.deleteNavigator(id), showing: .nothing, exchange)
    default: break
    }
    let faults = Faults()
    let style = style(try exchange.query(faults), exchange)
    let step = try NavigatorStep(call, try exchange.body(), faults)
    try faults.check()
    let caller = exchange.caller
    let command = Command.editNavigator(id) { (details, snapshot) throws(InventoryError) in
      let surroundings = Surroundings(snapshot, caller)
      var details = details
      let popped = try step.take(&details, surroundings)
      var edit = try surroundings.settled(details)
      edit.popped = popped
      return edit
    }
    let isPop = if case .pop = call { true } else { false }
    return try write(command, showing: .navigator(style, isPop: isPop), exchange)
  }

  /// `GET /v1/navigators/{navigatorId}`
  private func show(_ id: NavigatorID, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isRestoring = query.flag("restore", default: false)
    let style = style(query, exchange)
    try faults.check()
    let caller = exchange.caller
    let store = store
    // What is gone, and what a restart leaves out, is taken off for good, so that the stack of who
    // reads stays the one that is kept: that takes a write.
    @Sendable func answer(_ result: Result<Look, InventoryError>) -> Response? {
      switch result {
      case .success(.settled(let response)): return response
      case .failure(let error): return exchange.audience.response(exchange.problem(error))
      case .success(.unsettled(let shown)):
        let command = Command.editNavigator(id) { (details, snapshot) throws(InventoryError) in
          try Surroundings(snapshot, caller).settled(details, isRestoring: isRestoring)
        }
        let context = WriteContext(caller: caller, requestID: exchange.audience.requestID)
        store.submit(command, context) { result in
          switch result {
          // Reads go on while writes do not; it will be taken off another time.
          case .failure(.storageFull), .failure(.overloaded): exchange.responder.send(shown)
          default:
            exchange.responder.send(
              exchange.response(to: result, .navigator(style, isPop: false)))
          }
        }
        return nil
      }
    }
    let result = session.read(.bounded, for: exchange.requester) {
      (snapshot) throws(InventoryError) -> Look in
      var navigator = try snapshot.navigator(id, for: caller)
      let edit = try Surroundings(snapshot, caller)
        .settled(navigator.details, isRestoring: isRestoring)
      guard edit.details != navigator.details else {
        let tag = exchange.audience.tag(navigator, at: try snapshot.revision(for: caller))
        return .settled(exchange.response(navigator, edit.subjects, tag: tag, style))
      }
      navigator.details = edit.details
      return .unsettled(exchange.response(navigator, edit.subjects, tag: nil, style))
    } later: { result in
      if let response = answer(store.released(result, to: caller)) {
        exchange.responder.send(response)
      }
    }
    return result.flatMap(answer).map(Reply.response) ?? .deferred
  }

  /// What a look at a navigator comes to.
  private enum Look: Sendable {
    case settled(Response)
    /// Something is to be taken off; how it is shown then, without a validator.
    case unsettled(Response)
  }
}

extension Exchange {
  /// - Parameter tag: nil for what is not kept as it is shown.
  fileprivate func response(
    _ navigator: Navigator, _ subjects: [RowID: ScreenSubject], tag: String?,
    _ style: ScreenStyle
  ) -> Response {
    var response: Response
    if let tag, holds(tag: tag) {
      response = audience.empty(304)
    } else {
      var writer = JSONWriter(capacity: 2048)
      writer.navigator(navigator, subjects, popped: nil, for: audience, style)
      response = audience.response(json: writer.finish())
    }
    if let tag { response.fields.append("ETag", "\"\(tag)\"") }
    return response
  }
}
