import HTTP
import Inventory
import Navigation

/// Answers the requests of one loop: finds the route, parses the request into a command or a read,
/// and writes the store's result.
package final class APIHandler: Handler {
  static let router = Router(Route.all)

  let store: any Store
  let session: any ReadSession
  let configuration: Configuration
  private var requestIDs = RequestIDs()
  /// The event streams of this loop.
  let streams: EventStreams

  /// - Parameter waker: wakes the loop of this handler.
  /// - Throws: the store's error if it cannot open a session.
  package init(
    store: any Store, configuration: Configuration, waker: LoopWaker = LoopWaker()
  ) throws(InventoryError) {
    self.store = store
    self.configuration = configuration
    session = try store.makeSession()
    let streams = EventStreams(
      waker, heartbeat: configuration.eventHeartbeat, longestPass: configuration.eventPass
    ) { caller in
      store.isAuthorized(caller)
    }
    self.streams = streams
    store.onCommit { streams.commitDidPublish() }
    configuration.harness?.onReturn { streams.stateDidReturn() }
  }

  package func begin(_ given: RequestHead) -> Admission {
    let head = given.dropping(prefix: configuration.basePath.bytes)
    if let name = head.repeatedField {
      return .respond(
        context(of: head).response(Problem(.malformedHeader, "Send \(name) only once.")))
    }
    if let problem = configuration.site.problem(with: head) {
      return .respond(context(of: head).response(problem))
    }
    if configuration.site.crossOrigins.isPreflight(head) {
      return .respond(answerToPreflight(head))
    }
    switch Self.router.match(head) {
    case .route(let route, let path):
      var context = context(of: head, route)
      do throws(Problem) {
        context.caller = try caller(of: head, route)
        let request = RequestContext(
          head, route, path, context, maximumDepth: configuration.bodies.depth)
        try request.requireKnownConditions()
        // Checked before megabytes arrive that would be refused.
        if route.body == .table, request.caller.role < .editor {
          throw unseen(path.list, for: request.caller)
            ?? Problem(InventoryError.roleForbids(needed: .editor))
        }
        if head.hasBody, let receive = route.receive { return .stream(try receive(self)(request)) }
        return .buffer(limit: configuration.bodies.size(route.body)) { [self] body, responder in
          answer(request.completed(body, by: responder))
        }
      } catch { return .respond(context.response(error)) }
    case .options(let allowed):
      var response = context(of: head).empty(204)
      response.fields.append("Allow", allowed)
      // RFC 5789 §3.1.
      if allowed.contains("PATCH") {
        response.fields.append("Accept-Patch", Body.patchTypes.joined(separator: ", "))
      }
      return .respond(response)
    case .methodNotAllowed(let allowed):
      return .respond(
        context(of: head).response(
          Problem(
            .methodNotAllowed, "\(head.method.name) is not among \(allowed).", allowed: allowed)))
    case .notFound: return .respond(nothing(at: head))
    }
  }

  /// Answers a request whose body is complete.
  func answer(_ request: RequestContext) -> Reply {
    // The token may have been revoked while the body arrived.
    if request.head.hasBody, !request.route.isPublic,
      let refusal = store.refusal(of: request.caller)
    {
      return .now(request.context.response(Problem(refusal)))
    }
    // Tables are read on threads of their own.
    if request.body.count > Admission.smallBody, request.route.body != .none,
      request.route.body != .table, let reply = handOn(request)
    {
      return reply
    }
    do throws(Problem) {
      return try request.route.answer(self)(request)
    } catch {
      return refuse(error, request)
    }
  }

  /// Passes a large body to the thread for large bodies. Nil if this handler already runs there.
  private func handOn(_ request: RequestContext) -> Reply? {
    guard let largeBodies = configuration.largeBodies else { return nil }
    var configuration = configuration
    configuration.largeBodies = nil
    return largeBodies.answer(request) { [store, configuration] () throws(InventoryError) in
      try APIHandler(store: store, configuration: configuration)
    }
  }

  package func wakeUpEnded(now: Int64) -> Int64? {
    defer { session.rest() }
    return streams.work(session, now: now)
  }

  package func refusal(_ fault: RequestFault, to head: RequestHead?) -> Response {
    var context = ResponseContext(
      caller: configuration.defaultCaller,
      language: Language(acceptLanguage: head?.fields.list("accept-language")),
      requestID: head.map { requestIDs.id(for: $0.fields) } ?? requestIDs.next(),
      base: configuration.basePath)
    if let head { context.crossOrigin = configuration.site.crossOrigins.fields(for: head) }
    if let head, fault == .ambiguousPath || fault == .malformedTarget,
      isForPerson(head.dropping(prefix: configuration.basePath.bytes))
    {
      return ProblemPage.refusal(fault, for: context)
    }
    return context.refusal(fault)
  }

  /// The response with a problem, for a request that a fault rule refuses before its route is called.
  func response(to head: RequestHead, _ problem: Problem) -> Response {
    context(of: head).response(problem)
  }

  func context(of head: RequestHead, _ route: Route? = nil) -> ResponseContext {
    ResponseContext(
      caller: configuration.defaultCaller,
      language: Language(acceptLanguage: head.fields.list("accept-language")),
      requestID: requestIDs.id(for: head.fields), route: route?.label, base: configuration.basePath,
      crossOrigin: configuration.site.crossOrigins.fields(for: head))
  }

  /// The response to a CORS preflight request.
  private func answerToPreflight(_ head: RequestHead) -> Response {
    var response = context(of: head).empty(204)
    for (name, value) in CrossOrigins.preflight.all { response.fields.append(name, value) }
    return response
  }

  /// Answers with the problem. If the caller may not see the route's subject, answers `notFound` or `inTrash` instead.
  private func refuse(_ problem: Problem, _ request: RequestContext) -> Reply {
    guard let subject = request.route.subject else {
      return .now(request.context.response(problem))
    }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      try request.path.look(for: subject, in: snapshot)
      return request.context.response(problem)
    }
  }
}

extension APIHandler {
  /// Reads one committed revision. Answers now, or later if the store reads on another thread.
  func read(
    _ cost: ReadCost, _ request: RequestContext,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Response
  ) -> Reply {
    let store = store
    let result = session.read(cost, as: request.caller, for: request.requester, body) { result in
      request.send(request.response(to: store.released(result, to: request.caller)) { $0 })
    }
    return result.map { .now(request.response(to: $0) { $0 }) } ?? .later
  }

  /// Reads a page of at most this many rows. One of more than 200 rows takes milliseconds, so it is read off the loop.
  func readPage(
    of rows: Int, _ request: RequestContext,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Response
  ) -> Reply {
    read(rows > Self.boundedPage ? .long : .bounded, request, body)
  }

  private static let boundedPage = 200

  /// Submits a write. The response is sent when the write is durable.
  ///
  /// - Parameters:
  ///   - caller: the request's caller by default; another one if the path names an inventory.
  ///   - demandsIfMatch: whether the write needs `If-Match`. A repeated request with a stored response does not.
  func write(
    _ command: Command, as caller: Caller? = nil, showing: ResponseStyle = .receipt,
    isStrict: Bool = false, demandsIfMatch: Bool = false,
    _ request: RequestContext
  ) throws(Problem) -> Reply {
    let answered = request.withoutBody
    var context = WriteContext(
      caller: caller ?? request.caller, requestID: request.context.requestID,
      ifMatch: try request.ifMatch(), ifNoneMatch: try request.ifNoneMatch(),
      demandsIfMatch: demandsIfMatch, isStrict: isStrict,
      retry: try request.retry { answered.response($0, showing) },
      bodySize: request.body.count)
    context.isGone = request.requester.isGone
    store.submit(command, context) { result in
      answered.send(answered.response(to: result, showing))
    }
    return .later
  }
}

/// The body of a write's response.
enum ResponseStyle: Sendable {
  case receipt
  /// The list, item or photo with its `index` and the `receipt`, or the whole appearance or inventory.
  case resource
  /// The resource with its entity tag. A response to PUT may have a tag only if the server stored the body unchanged
  /// (RFC 9110 §9.3.4). Trimming a text changes the body.
  case taggedResource
  /// A navigator with its bars, and the removed screen if the call is a pop.
  case navigator(ScreenStyle, isPop: Bool)
  /// No body: status 204.
  case nothing
}
