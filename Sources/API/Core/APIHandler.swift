import HTTP
import Inventory

/// Answers the requests of one loop: finds the endpoint, reads the request into a typed command or
/// read, and writes what the store says.
package final class APIHandler: Handler {
  /// Every route, in the order of the contract.
  package static var routes: [RouteDescription] { RouteDescription.table }
  private static let router = Router(routes)

  let store: any Store
  let session: any ReadSession
  let configuration: Configuration
  private let authentication: Authentication
  private let router = APIHandler.router
  private var requestIDs = RequestIDs()
  /// This loop's event streams.
  let streams: EventStreams

  /// - Parameter waker: wakes the loop that the handler is for.
  /// - Throws: what keeps the store from opening a session.
  package init(
    store: any Store, configuration: Configuration, waker: LoopWaker = LoopWaker()
  ) throws(InventoryError) {
    self.store = store
    self.configuration = configuration
    authentication = Authentication(store: store, configuration: configuration)
    session = try store.makeSession()
    let streams = EventStreams(waker, heartbeat: configuration.eventHeartbeat) { caller in
      store.letsIn(caller)
    }
    self.streams = streams
    store.onCommit { streams.tellOfCommit() }
  }

  package func begin(_ given: RequestHead) -> Admission {
    let head = given.dropping(prefix: configuration.basePath.bytes)
    if let name = head.repeatedField {
      return .respond(
        audience(of: head).response(Problem(.malformedHeader, "Send \(name) only once.")))
    }
    if let problem = configuration.site.problem(with: head) {
      return .respond(audience(of: head).response(problem))
    }
    // Without a body nothing has to be decided before `handle`.
    guard head.hasBody else { return .buffer(limit: configuration.bodies.usual) }
    switch router.match(head) {
    case .route(let route, let endpoint):
      var audience = audience(of: head, route)
      do throws(Problem) { audience.caller = try caller(of: head, route, endpoint) } catch {
        return .respond(audience.response(error))
      }
      if case .importInventory = endpoint {
        return admitImport(head, audience, route)
      }
      if case .addPhoto(let item) = endpoint { return admitPhoto(to: item, head, route, audience) }
      return .buffer(limit: configuration.bodies.size(route.body))
    case let other: return .respond(answer(other, to: head))
    }
  }

  package func handle(_ given: Request, _ responder: Responder) -> Reply {
    let request = Request(
      head: given.head.dropping(prefix: configuration.basePath.bytes), body: given.body)
    if configuration.site.crossOrigins.isPreflight(request.head) {
      return .response(answerToPreflight(request.head))
    }
    switch router.match(request.head) {
    case .route(let route, .health):
      return .response(health(request.head, requestIDs.id(for: request.head.fields), route))
    case .route(let route, let endpoint):
      // A table has threads of its own.
      if route.body != .none, route.body != .table, let reply = handOn(given, route, responder) {
        return reply
      }
      var audience = audience(of: request.head, route)
      do throws(Problem) { audience.caller = try caller(of: request.head, route, endpoint) } catch {
        return .response(audience.response(error))
      }
      let exchange = Exchange(
        request: request, responder: responder, route: route, audience: audience,
        maximumDepth: configuration.bodies.depth)
      do throws(Problem) {
        return try answer(endpoint, exchange)
      } catch {
        return refuse(error, endpoint.subject, exchange)
      }
    case let other: return .response(answer(other, to: request.head))
    }
  }

  /// Leaves a large body to the thread for those; nil where it is small or this handler is that thread's.
  private func handOn(
    _ given: Request, _ route: RouteDescription, _ responder: Responder
  ) -> Reply? {
    guard let largeBodies = configuration.largeBodies, given.body.count > Request.smallBody
    else { return nil }
    let audience = audience(of: given.head, route)
    var configuration = configuration
    configuration.largeBodies = nil
    return largeBodies.answer(given, responder, refusal: { audience.response(Problem($0)) }) {
      [store, configuration] () throws(InventoryError) in
      try APIHandler(store: store, configuration: configuration)
    }
  }

  package func wakeUpEnded(now: Int64) -> Int64? {
    defer { session.rest() }
    return streams.work(session, now: now)
  }

  package func refusal(
    _ status: Int, code: String, detail: String, to head: RequestHead?
  ) -> Response {
    var audience = Audience(
      caller: configuration.defaultCaller, language: .english, requestID: "",
      base: configuration.basePath)
    audience.requestID = head.map { requestIDs.id(for: $0.fields) } ?? requestIDs.next()
    if let head { audience.crossOrigin = configuration.site.crossOrigins.fields(for: head) }
    return audience.refusal(status, code: code, detail: detail)
  }

  /// Who asks.
  private func caller(
    of head: RequestHead, _ route: RouteDescription, _ endpoint: Endpoint
  ) throws(Problem) -> Caller {
    guard !route.isPublic else { return configuration.defaultCaller }
    do throws(Problem) { return try authentication.caller(of: head) } catch {
      // A test suite that has made a token must get back to where there was none.
      guard error.code == .unauthenticated, case .rewind = endpoint, configuration.letsTestsRewind
      else { throw error }
      return configuration.defaultCaller
    }
  }

  private func audience(of head: RequestHead, _ route: RouteDescription? = nil) -> Audience {
    Audience(
      caller: configuration.defaultCaller,
      language: Language(acceptLanguage: head.fields.list("accept-language")),
      requestID: requestIDs.id(for: head.fields), route: route?.label, base: configuration.basePath,
      crossOrigin: configuration.site.crossOrigins.fields(for: head))
  }

  /// What a browser is told that asks whether a page may send a request.
  private func answerToPreflight(_ head: RequestHead) -> Response {
    var response = audience(of: head).empty(204)
    for (name, value) in CrossOrigins.preflight.all { response.fields.append(name, value) }
    return response
  }

  /// The answer to what leads to no endpoint.
  private func answer(_ match: Router.Match, to head: RequestHead) -> Response {
    let audience = audience(of: head)
    switch match {
    case .options(let allowed):
      var response = audience.empty(204)
      response.fields.append("Allow", allowed)
      return response
    case .methodNotAllowed(let allowed):
      return audience.response(
        Problem(
          .methodNotAllowed, "\(head.method.name) is not among \(allowed).", allowed: allowed))
    case .notFound, .route: return audience.response(Problem.notFound)
    }
  }

  /// A problem, but what the caller may not see is not found before anything else is wrong.
  private func refuse(
    _ problem: Problem, _ subject: Endpoint.Subject?, _ exchange: Exchange
  ) -> Reply {
    guard let subject else { return .response(exchange.audience.response(problem)) }
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      try subject.look(in: snapshot, for: exchange.caller)
      return exchange.audience.response(problem)
    }
  }
}

extension Endpoint.Subject {
  /// - Throws: `notFound` or `inTrash` where the caller does not see it.
  func look(in snapshot: any Snapshot, for caller: Caller) throws(InventoryError) {
    switch self {
    case .list(let list): _ = try snapshot.list(list, for: caller)
    case .item(let item): _ = try snapshot.item(item, for: caller)
    case .row(let row): _ = try snapshot.place(of: row, for: caller)
    case .navigator(let id): _ = try snapshot.navigator(id, for: caller)
    case .inventory(let id): _ = try snapshot.inventory(for: try caller.entering(id))
    }
  }
}
